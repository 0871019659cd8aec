/// A builder of an index: entries in ascending order, each with the number of its row as the last
/// value.
///
/// When a leaf is full, its last entry moves up between it and the next one.
struct IndexTree {
  private let file: PageFile
  private let leaf: TreePage
  private var interior = InteriorPages(.indexInterior)

  /// Whether the leaf ends with its last entry, once another one follows.
  private var isEnded = false

  init(_ file: PageFile) {
    self.file = file
    leaf = TreePage(.indexLeaf, file.pageSize)
  }

  /// Appends an entry.
  ///
  /// - Parameter endsRun: whether a run of leaves ends with the entry, which then moves up: the
  ///   pages after it do not depend on those before. An entry alone in its leaf stays there.
  mutating func append(_ payload: RecordPayload, endsRun: Bool) throws(ArchiveError) {
    if isEnded { try endLeaf() }
    let split = PayloadSplit(payload.count, in: .index, of: file.pageSize)
    let overflow = split.rest > 0 ? try file.appendOverflow(of: payload, split) : 0
    if !leaf.add(payload, split, overflow: overflow) {
      try endLeaf()
      guard leaf.add(payload, split, overflow: overflow) else { throw PageFile.noRoom }
    }
    isEnded = endsRun && leaf.count > 1
  }

  /// Moves the leaf's last entry up and writes the others.
  private mutating func endLeaf() throws(ArchiveError) {
    let last = leaf.removeLast()
    interior.add(try file.append(leaf.finish()), separator: last)
    leaf.removeAll()
    isEnded = false
  }

  /// Writes the remaining pages and returns the number of the tree's root.
  mutating func finish() throws(ArchiveError) -> UInt32 {
    interior.add(try file.append(leaf.finish()), separator: [])
    return try interior.finish(in: file)
  }
}
