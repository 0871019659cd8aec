import Clustering
import Columns

/// The first members of the clusters in hit test data, of all zooms at once.
struct TapMembers: Sendable {
  /// The start of each feature's members, by its number; −1 for features that are not wanted, or not
  /// clusters.
  private var starts: Column<Int32>
  /// The numbers of the members: as many as may be for each cluster, `.max` where there are fewer.
  private var members: Column<UInt32> = []

  /// Collects the members of the clusters among some features, given by their numbers.
  ///
  /// - Complexity: O(points) for each zoom with clusters; 4 bytes per number and 20 per cluster.
  init(of features: some Sequence<UInt32>, _ numbers: TapNumbers, _ sources: [TapSource]) {
    starts = Column(repeating: -1, count: numbers.count)
    var clusters: [Int: [Int: [(number: UInt32, row: Int)]]] = [:]
    for feature in features {
      let (source, item) = numbers.owner(of: feature)
      guard case .cluster(let zoom, let row) = item else { continue }
      clusters[source, default: [:]][zoom, default: []].append((feature, row))
    }
    for (source, zooms) in clusters {
      let points = numbers.points(of: sources[source], number: source)
      for (zoom, clusters) in zooms {
        guard let level = sources[source].level(zoom) else { continue }
        let known = sources[source].members(level)
        for cluster in clusters {
          starts[Int(cluster.number)] = Int32(truncatingIfNeeded: members.count)
          let rows = known.members(of: cluster.row)
          for row in rows { members.append(points[sources[source].firstRow(ofPoint: row)]) }
          members.append(repeating: .max, count: ClusterMembers.limit - rows.count)
        }
      }
    }
  }

  /// Returns the numbers of the members of a feature; empty for one that is not a cluster.
  func members(of number: UInt32) -> [UInt32] {
    let start = Int(starts[Int(number)])
    guard start >= 0 else { return [] }
    return members[start..<start + ClusterMembers.limit].filter { $0 != .max }
  }

  /// Calls `body` with the number of each member of any cluster.
  func forEach(_ body: (UInt32) -> Void) {
    for member in members where member != .max { body(member) }
  }
}
