/// The pages above the leaves of a tree: the numbers of one level's pages, and the separators
/// between them.
///
/// Kept in memory until all leaves are written: 12 bytes and one separator per leaf.
struct InteriorPages {
  private let kind: TreePage.Kind
  private var children: ContiguousArray<UInt32> = []

  /// The separator after each child, one after the other, and the end of each; the last one's is
  /// unused.
  private var separators: [UInt8] = []
  private var ends: ContiguousArray<Int> = []

  init(_ kind: TreePage.Kind) {
    self.kind = kind
  }

  /// Adds a page and the separator after it.
  mutating func add(_ child: UInt32, separator: some Collection<UInt8>) {
    children.append(child)
    separators.append(contentsOf: separator)
    ends.append(separators.count)
  }

  /// Adds a page and a separator of at most nine bytes, which `write` fills in.
  mutating func add(_ child: UInt32, _ write: (UnsafeMutableRawBufferPointer) -> Int) {
    withUnsafeTemporaryAllocation(byteCount: 9, alignment: 1) { buffer in
      let count = write(buffer)
      add(child, separator: buffer[..<count])
    }
  }

  private func separator(_ child: Int) -> ArraySlice<UInt8> {
    separators[(child == 0 ? 0 : ends[child - 1])..<ends[child]]
  }

  /// Writes all levels and returns the number of the root, which is the child if there is only one.
  ///
  /// - Complexity: O(children).
  func finish(in file: PageFile) throws(ArchiveError) -> UInt32 {
    var level = self
    while level.children.count > 1 { level = try level.parents(in: file) }
    return level.children[0]
  }

  /// Writes the pages of the level above.
  private func parents(in file: PageFile) throws(ArchiveError) -> InteriorPages {
    var parents = InteriorPages(kind)
    let page = TreePage(kind, file.pageSize)
    var child = 0
    while child < children.count {
      page.removeAll()
      while child < children.count - 1 {
        let separator = separator(child)
        guard let cell = page.add(separator.count + 4) else { break }
        cell.storeBytes(of: children[child].bigEndian, as: UInt32.self)
        UnsafeMutableRawBufferPointer(rebasing: cell[4...]).copyBytes(from: separator)
        child += 1
      }
      if child == children.count - 2 {
        // A page needs two children: the full one passes its last to the next, which would have
        // only one.
        _ = page.removeLast()
        child -= 1
      }
      let number = try file.append(page.finish(rightmost: children[child]))
      parents.add(number, separator: separator(child))
      child += 1
    }
    return parents
  }
}
