/// A builder of a table: rows with ascending numbers.
///
/// Leaves are filled one after the other and written when full or ended; only the number and last
/// row of each are kept until the end.
struct TableTree {
  private let file: PageFile
  private let leaf: TreePage
  private var interior = InteriorPages(.tableInterior)

  /// The number of the last row; 0 before the first.
  private(set) var lastRow: UInt64 = 0

  init(_ file: PageFile) {
    self.file = file
    leaf = TreePage(.tableLeaf, file.pageSize)
  }

  /// Appends a row, with the next number by default.
  ///
  /// - Parameter row: its number, greater than the last one.
  mutating func append(_ payload: RecordPayload, row: UInt64? = nil) throws(ArchiveError) {
    let split = PayloadSplit(payload.count, in: .table, of: file.pageSize)
    let overflow = split.rest > 0 ? try file.appendOverflow(of: payload, split) : 0
    let row = row ?? lastRow + 1
    if !leaf.add(payload, split, overflow: overflow, row: row) {
      try endLeaf()
      guard leaf.add(payload, split, overflow: overflow, row: row) else { throw PageFile.noRoom }
    }
    lastRow = row
  }

  /// Writes the leaf, so that the next row begins another one; does nothing for an empty leaf.
  mutating func endLeaf() throws(ArchiveError) {
    if leaf.count > 0 { try writeLeaf() }
  }

  /// Adds a leaf that is in the file already, after the last one.
  mutating func addLeaf(_ page: UInt32, lastRow: UInt64) {
    self.lastRow = lastRow
    interior.add(page) { Varints.write(lastRow, to: $0) }
  }

  private mutating func writeLeaf() throws(ArchiveError) {
    let number = try file.append(leaf.finish())
    leaf.removeAll()
    interior.add(number) { Varints.write(lastRow, to: $0) }
  }

  /// Writes the last leaf and returns the pages above the leaves, which are to be written.
  mutating func end() throws(ArchiveError) -> InteriorPages {
    if leaf.count > 0 || lastRow == 0 { try interior.add(lastLeaf: leaf.finish(), to: file) }
    return interior
  }

  /// Writes the remaining pages and returns the number of the tree's root.
  mutating func finish() throws(ArchiveError) -> UInt32 { try end().finish(in: file) }
}
