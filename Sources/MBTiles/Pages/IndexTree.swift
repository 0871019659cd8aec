/// Builds an index: entries in ascending order, each with the number of its row as the last value.
///
/// Where a leaf is full its last entry moves up between it and the next one.
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
    let size = Varints.length(of: UInt64(payload.count)) + split.cellSize
    var place = leaf.add(size)
    if place == nil {
      let last = leaf.removeLast()
      interior.add(try file.append(leaf.finish()), separator: last)
      leaf.removeAll()
      place = leaf.add(size)
    }
    guard let place else { throw PageFile.noRoom }
    let end = Varints.write(UInt64(payload.count), to: place)
    place.write(payload, split, overflow, at: end)
  }

  /// Writes what is left and returns the number of the tree's root.
  mutating func finish() throws(ArchiveError) -> UInt32 {
    interior.add(try file.append(leaf.finish()), separator: [])
    return try interior.finish(in: file)
  }
}
