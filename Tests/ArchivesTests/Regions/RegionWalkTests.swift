import TestSupport
import Testing
import Tiling

@testable import Archives

@Suite("Regions of tiles")
struct RegionWalkTests {
  /// Regions of all sorts: stars that overlap, boxes on the edges of tiles, holes, several polygons,
  /// and some over the antimeridian.
  private static func regions(seed: UInt64) throws -> RegionFile {
    var random = SplitMix64(seed: seed)
    var features: [String] = []
    for number in 0..<12 {
      var polygons: [[[[Double]]]] = []
      for _ in 0...random.below(3) {
        let middle = (random.number(in: -180..<180), random.number(in: -70..<70))
        let reach = random.number(in: 0.01..<60)
        // A star crosses itself, so that the even-odd rule counts.
        let corners = (0..<(3 + random.below(20))).map { _ in
          [
            middle.0 + random.number(in: -reach..<reach),
            middle.1 + random.number(in: -reach..<reach) / 4,
          ]
        }
        polygons.append([corners + [corners[0]]])
      }
      features.append(RegionSample.feature("star \(number)", polygons))
    }
    // The edges of tiles of zoom 2, with a hole that is one tile.
    let limit = WorldPoint.maxLatitude
    features.append(
      RegionSample.feature(
        "tiles",
        [[RegionSample.box(-90, -limit, 90, limit), RegionSample.box(0, 0, 90, 66.51326044311186)]])
    )
    features.append(RegionSample.feature("world", [[RegionSample.box(-180, -89, 180, 89)]]))
    let wide: [[Double]] = [
      [100, -10], [280, -10], [470, -10], [470, 10], [280, 10], [100, 10], [100, -10],
    ]
    features.append(RegionSample.feature("twice", [[wide]]))
    return try RegionSample(features).read()
  }

  /// Returns the regions of a tile by a test of every edge.
  private static func plain(_ tile: TileCoord, _ shapes: RegionShapes) -> [Int] {
    let square = RegionSquare(tile)
    var regions: Set<Int> = []
    for polygon in shapes.polygons {
      let edges = shapes.edges[polygon.edges]
      if edges.contains(where: { $0.passes(square) })
        || edges.count(where: { $0.isAbove(x: square.middle, y: square.north) }) % 2 == 1
      {
        regions.insert(polygon.region)
      }
    }
    return regions.sorted()
  }

  @Test("a walk down the quadtree finds the regions that a test of every edge finds")
  func everyEdge() throws {
    var touched = 0
    for seed in 1...3 {
      let shapes = try Self.regions(seed: UInt64(seed)).shapes
      var walk = RegionWalk(shapes)
      for zoom in 0...5 {
        for number in TileCoord.firstNumber(ofZoom: zoom)..<TileCoord.firstNumber(ofZoom: zoom + 1)
        {
          let tile = try #require(TileCoord(number: number))
          let found = walk.regions(touching: tile)
          if found != Self.plain(tile, shapes) {
            Issue.record("\(tile): \(found), not \(Self.plain(tile, shapes))")
          }
          touched += found.count
        }
      }
    }
    #expect(touched > 5000)
  }

  @Test("tiles may come in any order and at any zoom")
  func anyOrder() throws {
    let shapes = try Self.regions(seed: 9).shapes
    var walk = RegionWalk(shapes)
    var random = SplitMix64(seed: 4)
    for _ in 0..<2000 {
      let zoom = random.below(23)
      let tile = TileCoord(z: zoom, x: random.below(1 << zoom), y: random.below(1 << zoom))
      #expect(walk.regions(touching: tile) == Self.plain(tile, shapes), "\(tile)")
    }
  }

  @Test("a tile does not touch a region that ends at its edge")
  func edges() throws {
    let limit = WorldPoint.maxLatitude
    let sample = try RegionSample([
      RegionSample.feature("west", [[RegionSample.box(-180, -limit, 0, limit)]]),
      RegionSample.feature("east", [[RegionSample.box(0, -limit, 180, limit)]]),
    ])
    var walk = RegionWalk(try sample.read().shapes)
    for zoom in 1...6 {
      let half = 1 << (zoom - 1)
      for (x, regions) in [(half - 1, [0]), (half, [1]), (0, [0]), (2 * half - 1, [1])] {
        #expect(walk.regions(touching: TileCoord(z: zoom, x: x, y: half)) == regions)
      }
    }
    #expect(walk.regions(touching: TileCoord(z: 0, x: 0, y: 0)) == [0, 1])
  }
}
