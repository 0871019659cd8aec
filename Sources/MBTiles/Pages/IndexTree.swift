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

  /// Whether the last leaf is there.
  private var hasLastLeaf = false

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

  /// Ends the run, so that leaves that are in the file already can follow; returns `false`, with
  /// nothing done, where the last entry does not end one.
  mutating func endRun() throws(ArchiveError) -> Bool {
    if isEnded { try endLeaf() }
    return leaf.count == 0
  }

  /// Whether no leaf has been written.
  var isEmpty: Bool { interior.isEmpty }

  /// Adds a leaf that is in the file already, after a run, and the cell of the entry after it.
  ///
  /// - Parameter separator: empty for the last leaf.
  mutating func addLeaf(_ page: UInt32, separator: some Collection<UInt8>) {
    interior.add(page, separator: separator)
    hasLastLeaf = separator.isEmpty
  }

  /// Moves the leaf's last entry up and writes the others.
  private mutating func endLeaf() throws(ArchiveError) {
    let last = leaf.removeLast()
    interior.add(try file.append(leaf.finish()), separator: last)
    leaf.removeAll()
    isEnded = false
  }

  /// Writes the last leaf and returns the pages above the leaves, which are to be written.
  mutating func end() throws(ArchiveError) -> InteriorPages {
    if !hasLastLeaf { try interior.add(lastLeaf: leaf.finish(), to: file) }
    return interior
  }

  /// Writes the remaining pages and returns the number of the tree's root.
  mutating func finish() throws(ArchiveError) -> UInt32 { try end().finish(in: file) }
}
