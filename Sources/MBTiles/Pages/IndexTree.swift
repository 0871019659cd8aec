/// A builder of an index: entries in ascending order, each with the number of its row as the last
/// value.
///
/// When a leaf is full, its last entry moves up between it and the next one.
struct IndexTree {
  private let file: PageFile
  private let leaf = TreePage(.indexLeaf)
  private var interior = InteriorPages(.indexInterior)

  init(_ file: PageFile) {
    self.file = file
  }

  /// Appends an entry.
  mutating func append(_ payload: RecordPayload) throws(ArchiveError) {
    let split = PayloadSplit(payload.count, most: PayloadSplit.index)
    let overflow = split.rest > 0 ? try file.appendOverflow(of: payload, split) : 0
    if !leaf.add(payload, split, overflow: overflow) {
      let last = leaf.removeLast()
      interior.add(try file.append(leaf.finish()), separator: last)
      leaf.removeAll()
      guard leaf.add(payload, split, overflow: overflow) else { throw PageFile.noRoom }
    }
  }

  /// Writes the remaining pages and returns the number of the tree's root.
  mutating func finish() throws(ArchiveError) -> UInt32 {
    interior.add(try file.append(leaf.finish()), separator: [])
    return try interior.finish(in: file)
  }
}
