import SystemPackage

/// A reader of the pages of a file that this program wrote.
struct PageScan: Sendable {
  let file: FileDescriptor
  let path: FilePath
  let pageSize: PageSize

  /// The maximum number of levels of a tree.
  private static let depthLimit = 20

  /// Returns the leaves below a page, in order.
  func leaves(below root: UInt32) throws(ArchiveError) -> [StoredPages.Leaf] {
    var leaves: [StoredPages.Leaf] = []
    let height = try height(of: root, leaf: .tableLeaf, interior: .tableInterior)
    try visit(root, lastRow: nil, height: height, &leaves)
    return leaves.last?.lastRow == 0 ? [] : leaves
  }

  /// Returns the leaves of an index below a page, in order, and the entries between them.
  func index(below root: UInt32) throws(ArchiveError) -> StoredIndex {
    var index = StoredIndex()
    let height = try height(of: root, leaf: .indexLeaf, interior: .indexInterior)
    try visit(root, separator: [], height: height, &index)
    return index
  }

  /// Returns the number of levels above the leaves, which are all equally deep.
  private func height(
    of root: UInt32, leaf: TreePage.Kind, interior: TreePage.Kind
  ) throws(ArchiveError) -> Int {
    var page = root
    for height in 0..<Self.depthLimit {
      let bytes = try read(page)
      if bytes[0] == leaf.rawValue { return height }
      guard bytes[0] == interior.rawValue else { throw damaged }
      page = Self.word(bytes, at: 8)
    }
    throw damaged
  }

  /// Adds the leaves below a page. Only the last leaf is read: no interior page has its last row.
  private func visit(
    _ page: UInt32, lastRow: UInt64?, height: Int, _ leaves: inout [StoredPages.Leaf]
  ) throws(ArchiveError) {
    if height == 0, let lastRow {
      leaves.append(StoredPages.Leaf(page: page, lastRow: lastRow))
      return
    }
    let bytes = try read(page)
    let cells = Int(bytes[3]) << 8 | Int(bytes[4])
    if height == 0 {
      leaves.append(StoredPages.Leaf(page: page, lastRow: Self.lastRow(bytes, cells: cells)))
      return
    }
    guard bytes[0] == TreePage.Kind.tableInterior.rawValue, 12 + 2 * cells <= bytes.count else {
      throw damaged
    }
    for cell in 0..<cells {
      let place = Int(bytes[12 + 2 * cell]) << 8 | Int(bytes[13 + 2 * cell])
      guard place + 5 <= bytes.count else { throw damaged }
      let (row, _) = Self.varint(bytes, at: place + 4)
      try visit(Self.word(bytes, at: place), lastRow: row, height: height - 1, &leaves)
    }
    try visit(Self.word(bytes, at: 8), lastRow: lastRow, height: height - 1, &leaves)
  }

  /// Adds the leaves of an index below a page.
  private func visit(
    _ page: UInt32, separator: ArraySlice<UInt8>, height: Int, _ index: inout StoredIndex
  ) throws(ArchiveError) {
    guard height > 0 else {
      index.append(page, separator: separator)
      return
    }
    let bytes = try read(page)
    let cells = Int(bytes[3]) << 8 | Int(bytes[4])
    guard bytes[0] == TreePage.Kind.indexInterior.rawValue, 12 + 2 * cells <= bytes.count else {
      throw damaged
    }
    for cell in 0..<cells {
      let place = Int(bytes[12 + 2 * cell]) << 8 | Int(bytes[13 + 2 * cell])
      guard place + 5 <= bytes.count else { throw damaged }
      let end = try end(ofEntryAt: place + 4, in: bytes)
      try visit(
        Self.word(bytes, at: place), separator: bytes[(place + 4)..<end], height: height - 1, &index
      )
    }
    try visit(Self.word(bytes, at: 8), separator: separator, height: height - 1, &index)
  }

  /// Returns the end of an index entry's cell, without the number of a child.
  private func end<Bytes: RandomAccessCollection>(
    ofEntryAt place: Int, in bytes: Bytes
  ) throws(ArchiveError) -> Int where Bytes.Element == UInt8, Bytes.Index == Int {
    let (payload, size) = Self.varint(bytes, at: place)
    // Entries of tiles and images are far shorter than those that need further pages.
    guard payload < 256, place + size + Int(payload) <= bytes.count else { throw damaged }
    return place + size + Int(payload)
  }

  /// Returns the cells of an index's leaf, in order.
  func cells(
    ofIndexLeaf page: UnsafeRawBufferPointer
  ) throws(ArchiveError) -> [UnsafeRawBufferPointer] {
    let count = Int(page[3]) << 8 | Int(page[4])
    guard page[0] == TreePage.Kind.indexLeaf.rawValue, 8 + 2 * count <= page.count else {
      throw damaged
    }
    var cells: [UnsafeRawBufferPointer] = []
    cells.reserveCapacity(count)
    for cell in 0..<count {
      let place = Int(page[8 + 2 * cell]) << 8 | Int(page[9 + 2 * cell])
      guard place < page.count else { throw damaged }
      cells.append(
        UnsafeRawBufferPointer(rebasing: page[place..<(try end(ofEntryAt: place, in: page))]))
    }
    return cells
  }

  /// Returns the record in the cell of an index entry.
  func record(ofCell cell: UnsafeRawBufferPointer) throws(ArchiveError) -> UnsafeRawBufferPointer {
    let (payload, size) = Self.varint(cell, at: 0)
    guard size + Int(clamping: payload) == cell.count else { throw damaged }
    return UnsafeRawBufferPointer(rebasing: cell[size...])
  }

  var damaged: ArchiveError { ArchiveError(.content(.notSQLite), path: path) }

  /// Shifts the numbers of overflow pages in a leaf's cells; returns whether there are any.
  func shiftCells(
    _ page: UnsafeMutableRawBufferPointer, by shift: Int64
  ) throws(ArchiveError) -> Bool {
    func half(_ place: Int) -> Int { Int(page[place]) << 8 | Int(page[place + 1]) }
    let cells = half(3)
    guard page[0] == TreePage.Kind.tableLeaf.rawValue, 8 + 2 * cells <= page.count else {
      throw damaged
    }
    var isChanged = false
    for cell in 0..<cells {
      let place = half(8 + 2 * cell)
      let (payload, size) = Self.varint(page, at: place)
      guard payload < 1 << 32 else { throw damaged }
      let split = PayloadSplit(Int(payload), in: .table, of: pageSize)
      guard split.rest > 0 else { continue }
      let number = place + size + Self.varint(page, at: place + size).size + split.local
      guard number + 4 <= page.count else { throw damaged }
      _ = Self.shiftNumber(in: page, at: number, by: shift)
      isChanged = true
    }
    return isChanged
  }

  /// Shifts the page number at an offset; returns `false` if none is stored there.
  static func shiftNumber(
    in page: UnsafeMutableRawBufferPointer, at place: Int, by shift: Int64
  ) -> Bool {
    let number = UInt32(bigEndian: page.loadUnaligned(fromByteOffset: place, as: UInt32.self))
    guard number != 0 else { return false }
    let shifted = UInt32(truncatingIfNeeded: Int64(number) + shift)
    page.storeBytes(of: shifted.bigEndian, toByteOffset: place, as: UInt32.self)
    return true
  }

  func read(_ page: UInt32) throws(ArchiveError) -> [UInt8] {
    let buffer = UnsafeMutableRawBufferPointer.allocate(
      byteCount: pageSize.bytes, alignment: 4096)
    defer { buffer.deallocate() }
    try read(page, into: buffer)
    return Array(buffer)
  }

  /// Reads as many pages as a buffer holds.
  func read(_ first: UInt32, into buffer: UnsafeMutableRawBufferPointer) throws(ArchiveError) {
    guard first > 1 else { throw damaged }
    let start = Int64(first - 1) * Int64(pageSize.bytes)
    var done = 0
    do {
      while done < buffer.count {
        let read = try file.read(
          fromAbsoluteOffset: start + Int64(done),
          into: UnsafeMutableRawBufferPointer(rebasing: buffer[done...]))
        if read == 0 { break }
        done += read
      }
    } catch {
      throw ArchiveError(.file(.unreadable(error as? Errno ?? .ioError)), path: path)
    }
    guard done == buffer.count else { throw damaged }
  }

  /// Returns the number of a leaf's last row; 0 for an empty leaf.
  private static func lastRow(_ bytes: [UInt8], cells: Int) -> UInt64 {
    guard cells > 0 else { return 0 }
    let place = Int(bytes[8 + 2 * (cells - 1)]) << 8 | Int(bytes[9 + 2 * (cells - 1)])
    guard place + 18 <= bytes.count else { return 0 }
    let (_, size) = varint(bytes, at: place)
    return varint(bytes, at: place + size).value
  }

  private static func word(_ bytes: [UInt8], at place: Int) -> UInt32 {
    bytes[place..<(place + 4)].reduce(0) { $0 << 8 | UInt32($1) }
  }

  /// Returns a number in SQLite's variable-length encoding, and its size in bytes.
  @inline(__always)
  private static func varint<Bytes: RandomAccessCollection>(
    _ bytes: Bytes, at place: Int
  ) -> (value: UInt64, size: Int) where Bytes.Element == UInt8, Bytes.Index == Int {
    var value: UInt64 = 0
    for size in 1...9 {
      let byte = place + size - 1 < bytes.count ? bytes[place + size - 1] : 0
      if size == 9 { return (value << 8 | UInt64(byte), 9) }
      value = value << 7 | UInt64(byte & 0x7F)
      if byte & 0x80 == 0 { return (value, size) }
    }
    return (value, 9)
  }
}
