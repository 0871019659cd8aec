/// Builds a table: rows in order, numbered from 1.
///
/// Leaves are filled one after the other and written when they are full; of each only its number and
/// its last row are kept until the end.
struct TableTree {
  private let file: PageFile
  private let leaf = TreePage(.tableLeaf)
  private var interior = InteriorPages(.tableInterior)

  /// Rows so far.
  private(set) var rows: UInt64 = 0

  init(_ file: PageFile) {
    self.file = file
  }

  /// Appends a row.
  mutating func append(_ payload: RecordPayload) throws(ArchiveError) {
    let split = PayloadSplit(payload.count, most: PayloadSplit.tableLeaf)
    let overflow = split.rest > 0 ? try file.appendOverflow(of: payload, split) : 0
    let row = rows + 1
    let size =
      Varints.length(of: UInt64(payload.count)) + Varints.length(of: row) + split.cellSize
    var place = leaf.add(size)
    if place == nil {
      try close()
      place = leaf.add(size)
    }
    rows = row
    guard let place else { throw PageFile.noRoom }
    var end = Varints.write(UInt64(payload.count), to: place)
    end += Varints.write(row, to: UnsafeMutableRawBufferPointer(rebasing: place[end...]))
    place.write(payload, split, overflow, at: end)
  }

  /// Writes the leaf, whose last row is the last one so far.
  private mutating func close() throws(ArchiveError) {
    let number = try file.append(leaf.finish())
    leaf.removeAll()
    interior.add(number) { Varints.write(rows, to: $0) }
  }

  /// Writes what is left and returns the number of the tree's root.
  mutating func finish() throws(ArchiveError) -> UInt32 {
    if leaf.count > 0 || rows == 0 { try close() }
    return try interior.finish(in: file)
  }
}

extension UnsafeMutableRawBufferPointer {
  /// Writes what a cell holds of a payload, and where the rest begins.
  func write(_ payload: RecordPayload, _ split: PayloadSplit, _ overflow: UInt32, at start: Int) {
    payload.copy(
      from: 0, to: UnsafeMutableRawBufferPointer(rebasing: self[start..<(start + split.local)]))
    guard split.rest > 0 else { return }
    storeBytes(of: overflow.bigEndian, toByteOffset: start + split.local, as: UInt32.self)
  }
}
