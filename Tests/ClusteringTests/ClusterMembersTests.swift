import Columns
import TestSupport
import Testing
import Tiling

@testable import Clustering

@Suite("Members of clusters")
struct ClusterMembersTests {
  @Test("are the first of the input in the cluster's cell", arguments: [0, 3, 6, 9])
  func first(zoom: Int) throws {
    var random = SplitMix64(seed: UInt64(zoom) + 21)
    let points = (0..<3000).map { index in
      // Half of them stand about one place.
      let spread: ClosedRange<Double> = index.isMultiple(of: 2) ? -170...170 : 7...9
      return LngLat(
        longitude: .random(in: spread, using: &random),
        latitude: .random(in: spread, using: &random) / 2)
    }
    let input = ClusterInput(points)
    let options = try GridOptions(cellSizes: [0: 88], maxZoom: 12)
    let level = try #require(
      GridClusterer(options).pyramid(of: input, zooms: 0...12).level(zoom))
    let members = ClusterMembers(level, of: input.positions, options)
    func cell(_ position: WorldPoint) -> [UInt64] {
      [position.x, position.y].map { ((UInt64($0) << UInt64(8 + zoom)) >> 32) / 88 }
    }
    let expected = Dictionary(grouping: input.positions.indices) { cell(input.positions[$0]) }
    for item in 0..<level.count where level.isCluster(item) {
      let all = expected[cell(level.positions[item])]
      #expect(members.members(of: item) == all.map { Array($0.prefix(ClusterMembers.limit)) })
    }
    #expect((0..<level.count).contains { level.isCluster($0) })
  }
}
