import Clustering
import Columns
import TestSupport
import Testing
import Tiling

@Suite struct BubbleClustererTests {
  private static let options = BubbleClusterer.Options(gap: 3, tileSize: 256, maxZoom: 16)

  /// The radius of a symbol: it grows with its count and shrinks with the zoom.
  private static func radius(zoom: Int, count: Int, row: Int) -> Double {
    let size = count == 1 ? 4.0 : 9 + 5 * Double(count.bitWidth - count.leadingZeroBitCount)
    return zoom > 8 ? size / 2 : size
  }

  private func pyramid(
    _ places: [LngLat], aggregates: [AggregateColumn] = [], zooms: ClosedRange<Int> = 0...17
  ) throws -> ClusterPyramid {
    try BubbleClusterer(Self.options).pyramid(
      of: ClusterInput(places, aggregates: aggregates), zooms: zooms, radius: Self.radius,
      checkpoint: {})
  }

  @Test("no two bubbles of a zoom come nearer than the gap", arguments: SamplePoints.allCases)
  func distances(points: SamplePoints) throws {
    let pyramid = try pyramid(points.places())
    for zoom in 0...16 {
      let level = try #require(pyramid.level(zoom))
      #expect(level.counts.reduce(0) { $0 + Int($1) } == points.places().count)
      let pixels = 256 * Double(1 << zoom) / 0x1p32
      for first in 0..<level.count {
        for second in 0..<first {
          let (one, other) = (level.positions[first], level.positions[second])
          let dx = (Double(one.x) - Double(other.x)) * pixels
          let dy = (Double(one.y) - Double(other.y)) * pixels
          let room =
            Self.radius(zoom: zoom, count: Int(level.counts[first]), row: 0)
            + Self.radius(zoom: zoom, count: Int(level.counts[second]), row: 0) + 3
          #expect((dx * dx + dy * dy).squareRoot() >= room, "zoom \(zoom): \(first), \(second)")
        }
      }
    }
    #expect(pyramid.level(17)?.count == points.places().count)
  }

  @Test("a cluster is whole clusters of the deeper zoom, and splits where it says")
  func hierarchy() throws {
    // Each point has a power of two, so that the sum names the members.
    let places = Array(SamplePoints.city.places().prefix(50))
    let marks = Column(places.indices.map { AggregateValue.number(Double(1 << $0)) })
    let pyramid = try pyramid(
      places, aggregates: [AggregateColumn(name: "m", values: marks, operation: .sum)])
    func sets(_ zoom: Int) throws -> [UInt64] {
      try #require(pyramid.level(zoom)).aggregates[0].map { UInt64($0.number ?? 0) }
    }
    for zoom in 0..<16 {
      let level = try #require(pyramid.level(zoom))
      let (here, deeper) = (try sets(zoom), try sets(zoom + 1))
      #expect(here.reduce(0, |) == (1 << 50) - 1)
      for (item, set) in here.enumerated() {
        #expect(deeper.allSatisfy { $0 & set == 0 || $0 & set == $0 })
        guard level.isCluster(item) else { continue }
        let split = try (zoom + 1...16).first { try !sets($0).contains(set) } ?? 17
        #expect(Int(level.expansionZooms[item]) == split)
      }
    }
  }

  @Test("bubbles do not depend on the order of the points", arguments: SamplePoints.allCases)
  func order(points: SamplePoints) throws {
    var places = points.places()
    let first = try pyramid(places)
    var random = SplitMix64(seed: 3)
    places.shuffle(using: &random)
    let second = try pyramid(places)
    for zoom in 0...16 {
      let (one, other) = (try #require(first.level(zoom)), try #require(second.level(zoom)))
      #expect(Array(one.positions) == Array(other.positions))
      #expect(Array(one.counts) == Array(other.counts))
      #expect(Array(one.boxes) == Array(other.boxes))
      for item in 0..<one.count where one.isCluster(item) {
        #expect(one.ids[item] == other.ids[item])
      }
    }
    let part = try pyramid(places, zooms: 4...9)
    #expect(part.level(6).map { Array($0.positions) } == first.level(6).map { Array($0.positions) })
  }
}
