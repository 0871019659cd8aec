package import Columns
package import Tiling

/// The first members of each cluster of one zoom, in the order of the input.
package struct ClusterMembers: Sendable {
  /// The maximum number of members that are known of a cluster.
  package static let limit = 5

  /// The members: ``limit`` entries for each item, `.max` where there are fewer.
  private var members: Column<UInt32>

  /// Creates the members of clusters that ``GridClusterer`` made with these options.
  ///
  /// - Parameter positions: the positions of all points, in the order of the input.
  /// - Complexity: O(points + items) on average.
  package init(
    _ level: ClusterLevel, of positions: Column<WorldPoint>, _ options: GridOptions
  ) {
    members = Column(
      repeating: .max, count: level.count * Self.limit, in: level.positions.scratch)
    let grid = options.cells(at: level.zoom)
    // A cluster's id holds the low bits of its cell's key, see ``CellItemWriter``.
    let mask = UInt64.max >> 5
    let tree = LinearQuadTree<QuadTreeCell>(count: positions.count, in: positions.scratch) {
      grid.key(of: positions[$0]) & mask
    }
    // Cells that differ in the high bits only share a key, which takes cells below 8 px; the last
    // one counts.
    var owners = Column<Int>(repeating: -1, count: tree.nodes.count, in: positions.scratch)
    for item in 0..<level.count where level.isCluster(item) {
      if let place = tree.place(of: level.ids[item] >> 5) { owners[place] = item }
    }
    for (cell, owner) in zip(tree.nodes, owners) {
      guard owner >= 0 else { continue }
      for (offset, member) in tree.members[cell.range].prefix(Self.limit).enumerated() {
        members[owner * Self.limit + offset] = member
      }
    }
  }

  /// Creates the members from ``ClusterLevel/firstMembers``, one for each item: for
  /// ``RadiusClusterer`` the lowest index.
  package init(_ level: ClusterLevel) {
    members = Column(
      repeating: .max, count: level.count * Self.limit, in: level.positions.scratch)
    for item in 0..<level.count { members[item * Self.limit] = level.firstMembers[item] }
  }

  /// Returns the first members of an item, ascending.
  package func members(of item: Int) -> [Int] {
    members[(item * Self.limit)..<((item + 1) * Self.limit)].filter { $0 != .max }.map { Int($0) }
  }
}
