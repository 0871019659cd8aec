import Clustering
import Columns

/// The first members of the clusters in hit test data, of all zooms at once.
struct TapMembers: Sendable {
  /// The start of the members of each cluster, by the rank of its number among the requested ones.
  private var starts: Column<Int32> = []
  private var rows: Column<UInt32> = []

  /// Collects the members for features, given by their numbers, in that order.
  ///
  /// - Complexity: O(points) for each zoom with clusters; 24 bytes per cluster.
  init(of features: Column<UInt32>, _ numbers: TapNumbers, _ sources: [TapSource]) {
    starts = Column(repeating: -1, count: features.count)
    var ranks: [Int: [Int: [Int]]] = [:]
    for (rank, feature) in features.enumerated() {
      let (source, item) = numbers.owner(of: feature)
      guard case .cluster(let zoom, _) = item else { continue }
      ranks[source, default: [:]][zoom, default: []].append(rank)
    }
    for (source, zooms) in ranks {
      for (zoom, ranks) in zooms {
        guard let level = sources[source].level(zoom) else { continue }
        let members = sources[source].members(level)
        for rank in ranks {
          guard case .cluster(_, let row) = numbers.owner(of: features[rank]).item else { continue }
          starts[rank] = Int32(truncatingIfNeeded: rows.count / ClusterMembers.limit)
          let known = members.members(of: row).map { UInt32(truncatingIfNeeded: $0) }
          rows.append(contentsOf: known)
          rows.append(
            contentsOf: repeatElement(.max, count: ClusterMembers.limit - known.count))
        }
      }
    }
  }

  /// Returns the members of the n-th requested feature; empty for one that is not a cluster.
  func members(_ rank: Int) -> [Int] {
    guard starts[rank] >= 0 else { return [] }
    let start = Int(starts[rank]) * ClusterMembers.limit
    return rows[start..<start + ClusterMembers.limit].filter { $0 != .max }.map { Int($0) }
  }
}
