package import Tiling

/// The first members of the clusters of one zoom, by the order of the input.
package struct ClusterMembers: Sendable {
  /// The maximum number of members that are known of a cluster.
  package static let limit = 5

  /// The members: ``limit`` entries for each item, `.max` where there are fewer.
  private var members: ContiguousArray<UInt32>

  /// Finds the members of clusters that ``GridClusterer`` made with these options.
  ///
  /// - Parameter positions: the positions of all points, in the order of the input.
  /// - Complexity: O(points + items) on average.
  package init(
    _ level: ClusterLevel, of positions: ContiguousArray<WorldPoint>, _ options: GridOptions
  ) {
    members = ContiguousArray(repeating: .max, count: level.count * Self.limit)
    let grid = options.cells(at: level.zoom)
    // A cluster's id contains its cell, see ``CellItemWriter``.
    var items: [UInt64: Int] = [:]
    for item in 0..<level.count where level.isCluster(item) { items[level.ids[item] >> 5] = item }
    let mask = UInt64.max >> 5
    for (index, position) in positions.enumerated() {
      guard let item = items[grid.key(of: position) & mask] else { continue }
      let range = (item * Self.limit)..<((item + 1) * Self.limit)
      guard let place = range.first(where: { members[$0] == .max }) else { continue }
      members[place] = UInt32(truncatingIfNeeded: index)
    }
  }

  /// Creates the members from those that a level itself knows, one for each cluster: for
  /// ``RadiusClusterer`` the first.
  package init(_ level: ClusterLevel) {
    members = ContiguousArray(repeating: .max, count: level.count * Self.limit)
    for item in 0..<level.count { members[item * Self.limit] = level.firstMembers[item] }
  }

  /// Returns the first members of an item, ascending.
  package func members(of item: Int) -> [Int] {
    members[(item * Self.limit)..<((item + 1) * Self.limit)].filter { $0 != .max }.map { Int($0) }
  }
}
