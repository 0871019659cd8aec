import Columns
import TestSupport
import Testing
import Tiling

@testable import Clustering

@Suite("Clusters by radius, to the last bit")
struct RadiusOrderTests {
  /// Points that take different ways through the search.
  enum Kind: String, CaseIterable {
    /// Scattered points, most of which have few neighbours.
    case scattered
    /// Cities in which a point has more neighbours than a list holds.
    case cities
    /// Many points in few places.
    case coincident
    /// A lattice whose spacing is the radius of a zoom: neighbours lie on the circle itself.
    case lattice

    func places(_ count: Int) -> [LngLat] {
      var random = SplitMix64(seed: 41)
      return (0..<count).map { index in
        switch self {
        case .scattered:
          return LngLat(
            longitude: .random(in: -30...30, using: &random),
            latitude: .random(in: -30...30, using: &random))
        case .cities:
          let width = [0.01, 0.2, 3][index % 3]
          let center = Double(random.below(4)) * 11 - 16
          return LngLat(
            longitude: center + .random(in: -width...width, using: &random),
            latitude: center / 2 + .random(in: -width...width, using: &random))
        case .coincident:
          return LngLat(
            longitude: Double(random.below(60)) / 7, latitude: Double(random.below(60)) / 9)
        case .lattice:
          // 360° / 2¹⁵ is the radius of 40 px at zoom 11 in tiles of 640 px.
          return LngLat(
            longitude: Double(random.below(90)) * 360 / 32_768,
            latitude: Double(random.below(90)) * 360 / 32_768)
        }
      }
    }
  }

  @Test(
    "radius clusters are those of the plain algorithm, whatever the points and threads",
    arguments: Kind.allCases, [(1, 2), (2, 2), (3, 5)])
  func plain(kind: Kind, fixture: (threads: Int, minPoints: Int)) throws {
    let input = ClusterInput(kind.places(9_000), featureCount: 9_007)
    let options = try RadiusOptions(
      radius: 40, tileSize: kind == .lattice ? 640 : 256, maxZoom: 11,
      minPoints: fixture.minPoints)
    let pyramid = RadiusClusterer(options).pyramid(
      of: input, zooms: 0...11, threads: fixture.threads, checkpoint: {})
    var plain = PlainRadiusClusters(input, options)
    for zoom in (0...11).reversed() {
      plain.cluster(zoom: zoom)
      let level = try #require(pyramid.level(zoom))
      #expect(level.counts.map { Int($0) } == plain.nodes.map(\.count), "zoom \(zoom)")
      #expect(level.ids == Column(plain.nodes.map(\.id)), "zoom \(zoom)")
      let centers = plain.nodes.map { $0.count > 1 ? UnitMercator.longitude(x: $0.x) : 0 }
      let found = level.counts.indices.map { level.isCluster($0) ? level.longitudes[$0] : 0 }
      #expect(found == centers, "zoom \(zoom)")
    }
  }

  @Test(
    "a selection exchanges the items that the plain one exchanges",
    arguments: [2, 3, 65, 66, 129, 400, 601, 1_500, 20_000], [2, 40, 1 << 24])
  func selection(count: Int, values: Int) {
    var random = SplitMix64(seed: UInt64(count + values))
    let places = (0..<count).map { _ in
      (Float(random.below(values)) / 7, Float(random.below(values)) / 3)
    }
    let items = TreeItems(base: .allocate(capacity: count))
    defer { items.base.deallocate() }
    for axis in [0, 1] {
      for rank in Set([0, count / 3, count / 2, count - 1]).sorted() {
        for (index, place) in places.enumerated() {
          items.base[index] = SIMD4(
            place.0.bitPattern, place.1.bitPattern, UInt32(index), 0)
        }
        var plain = PlainTree(unsorted: places)
        plain.select(rank, 0, count - 1, axis)
        items.select(rank, left: 0, right: count - 1, axis: axis)
        #expect((0..<count).map { Int(items.base[$0].z) } == plain.items.map(\.index))
      }
    }
  }
}
