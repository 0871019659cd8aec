import Clustering
import Columns
import Testing
import Tiling

@Suite(
  .enabled(
    if: SuperclusterPlaces.folder != nil,
    "supercluster_places.json is not in ../shared/data/points (or $QUADRILLE_SHARED)"))
struct SuperclusterTests {
  private func pyramid(_ options: RadiusOptions, threads: Int = 1) throws -> ClusterPyramid {
    RadiusClusterer(options).pyramid(
      of: try SuperclusterPlaces().input(), zooms: 0...options.maxZoom, threads: threads)
  }

  @Test(
    "radius clusters of tile 0/0/0 are supercluster's features in supercluster's order",
    arguments: [("places-z0-0-0.json", 2), ("places-z0-0-0-min5.json", 5)], [1, 2])
  func tile(fixture: (name: String, minPoints: Int), threads: Int) throws {
    let options = try RadiusOptions(radius: 40, tileSize: 512, minPoints: fixture.minPoints)
    let level = try #require(try pyramid(options, threads: threads).level(0))
    let features = SuperclusterPlaces.tile(z: 0, x: 0, y: 0, of: level).map(\.feature)
    let expected = try SuperclusterPlaces.expected(fixture.name)
    #expect(expected.count > 30)
    #expect(features == expected)
  }

  @Test(
    "radius clusters split at the zoom that supercluster names",
    arguments: [(164, 1), (196, 1), (581, 2), (1157, 2), (4134, 3)])
  func expansionZoom(id: UInt64, zoom: UInt8) throws {
    let pyramid = try pyramid(try RadiusOptions(radius: 40, tileSize: 512))
    let zooms = pyramid.levels.flatMap { level in
      level.ids.indices.filter { level.ids[$0] == id && level.isCluster($0) }
        .map { level.expansionZooms[$0] }
    }
    #expect(Set(zooms) == [zoom])
  }

  @Test("radius clusters of the deepest zoom split one zoom deeper")
  func deepestExpansionZoom() throws {
    let pyramid = try pyramid(try RadiusOptions(radius: 60, tileSize: 256, maxZoom: 4))
    let level = try #require(pyramid.level(4))
    let item = try #require(level.ids.firstIndex(of: 2504))
    #expect(level.expansionZooms[item] == 5)
  }

  @Test("radius clusters have supercluster's sums, tile by tile")
  func aggregates() throws {
    let pyramid = try pyramid(try RadiusOptions(radius: 100, tileSize: 512))
    func sums(z: Int) throws -> [Double] {
      let level = try #require(pyramid.level(z))
      return SuperclusterPlaces.tile(z: z, x: 0, y: 0, of: level, radius: 100)
        .filter { level.isCluster($0.item) }
        .compactMap { level.aggregates[0][$0.item].number }
    }
    #expect(try sums(z: 1) == [146, 84, 63, 23, 34, 12, 19, 29, 8, 8, 80, 35])
    #expect(try sums(z: 0) == [298, 122, 12, 36, 98, 7, 24, 8, 125, 98, 125, 12, 36, 8])
  }
}
