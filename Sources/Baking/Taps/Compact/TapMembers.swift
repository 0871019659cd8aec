import Clustering

/// The first members of the clusters that taps show, of all zooms at once.
struct TapMembers: Sendable {
  /// Where the members of each cluster begin, by the rank of its number among those asked for.
  private var starts: ContiguousArray<Int32> = []
  private var rows: ContiguousArray<UInt32> = []

  /// Makes the table for features, given by their numbers, in the order in which they are asked for.
  ///
  /// - Complexity: O(points) for each zoom with clusters; 24 bytes a cluster.
  init(of features: ContiguousArray<UInt32>, _ numbers: TapNumbers, _ sources: [TapSource]) {
    starts = ContiguousArray(repeating: -1, count: features.count)
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

  /// The members of the n-th feature asked for; none of one that is no cluster.
  func members(_ rank: Int) -> [Int] {
    guard starts[rank] >= 0 else { return [] }
    let start = Int(starts[rank]) * ClusterMembers.limit
    return rows[start..<start + ClusterMembers.limit].filter { $0 != .max }.map { Int($0) }
  }
}
