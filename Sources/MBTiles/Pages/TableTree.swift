/// A builder of a table: rows in order, numbered from 1.
///
/// Leaves are filled one after the other and written when full; only the number and last row of
/// each are kept until the end.
struct TableTree {
  private let file: PageFile
  private let leaf = TreePage(.tableLeaf)
  private var interior = InteriorPages(.tableInterior)

  /// The number of rows so far.
  private(set) var rows: UInt64 = 0

  init(_ file: PageFile) {
    self.file = file
  }

  /// Appends a row.
  mutating func append(_ payload: RecordPayload) throws(ArchiveError) {
    let split = PayloadSplit(payload.count, most: PayloadSplit.tableLeaf)
    let overflow = split.rest > 0 ? try file.appendOverflow(of: payload, split) : 0
    let row = rows + 1
    if !leaf.add(payload, split, overflow: overflow, row: row) {
      try close()
      guard leaf.add(payload, split, overflow: overflow, row: row) else { throw PageFile.noRoom }
    }
    rows = row
  }

  /// Writes the leaf, which ends with the last row so far.
  private mutating func close() throws(ArchiveError) {
    let number = try file.append(leaf.finish())
    leaf.removeAll()
    interior.add(number) { Varints.write(rows, to: $0) }
  }

  /// Writes the remaining pages and returns the number of the tree's root.
  mutating func finish() throws(ArchiveError) -> UInt32 {
    if leaf.count > 0 || rows == 0 { try close() }
    return try interior.finish(in: file)
  }
}
