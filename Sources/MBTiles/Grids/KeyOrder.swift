/// The keys in the order in which grids first name them, which is the order of an archive's
/// entries.
package struct KeyOrder {
  package private(set) var keys: ContiguousArray<[UInt8]> = []
  private var seen: Set<[UInt8]> = []

  package init() {}

  /// Adds the keys of a grid, which ascend.
  ///
  /// - Complexity: O(1) on average for each.
  package mutating func note(_ keys: some Sequence<[UInt8]>) {
    for key in keys where seen.insert(key).inserted { self.keys.append(key) }
  }
}
