import Columns
import SQLite
package import SystemPackage

/// The pages of an archive that this program wrote, from which segments are copied into another.
package final class StoredPages: Sendable {
  /// A leaf of a table.
  struct Leaf: BitwiseCopyable, Sendable {
    let page: UInt32
    /// The number of its last row, or of another one up to the next leaf's first.
    let lastRow: UInt64
  }

  let file: FileDescriptor
  private let path: FilePath
  let pageSize: PageSize

  /// The leaves of the tables of tiles and of images, in order; of the latter none in the layout
  /// `flat`.
  let tiles: [Leaf]
  let images: [Leaf]

  /// Opens an archive.
  ///
  /// - Throws: ``ArchiveError``, also where the pages are not those of this program.
  /// - Complexity: O(interior pages).
  package init(
    _ path: FilePath, layout: ArchiveLayout, pageSize: PageSize
  ) throws(ArchiveError) {
    self.path = path
    self.pageSize = pageSize
    let file: FileDescriptor
    do {
      file = try FileDescriptor.open(path, .readOnly, options: [.closeOnExec])
    } catch {
      throw ArchiveError(.file(.unreadable(error as? Errno ?? .ioError)), path: path)
    }
    self.file = file
    do throws(ArchiveError) {
      let roots = try Self.roots(path)
      guard let root = roots[layout == .dedup ? "map" : "tiles"] else {
        throw ArchiveError(.content(.notSQLite), path: path)
      }
      let scan = LeafScan(file: file, path: path, pageSize: pageSize)
      tiles = try scan.leaves(below: root)
      images =
        try roots["images"].map { (root) throws(ArchiveError) in try scan.leaves(below: root) }
        ?? []
    } catch {
      try? file.close()
      throw error
    }
  }

  deinit { try? file.close() }

  /// Whether each segment of a list ends with a leaf of its own, as they were written.
  package func hold(_ segments: SegmentList) -> Bool {
    (0..<segments.count).allSatisfy { segment in
      leaves(of: \.tiles, on: segments.pages(segment)).last?.lastRow == segments.lastTiles[segment]
    }
  }

  /// Returns those pages of a segment that hold the numbers of other pages, with these numbers as they
  /// are where the segment lies elsewhere.
  ///
  /// - Parameter shift: what is added to each number.
  /// - Returns: ranges of pages that follow one another, by their numbers here, with their bytes.
  /// - Complexity: O(bytes of the segment).
  func shifted(
    _ pages: Range<UInt32>, by shift: Int64
  ) throws(ArchiveError) -> [(first: UInt32, bytes: [UInt8])] {
    var isLeaf = [Bool](repeating: false, count: pages.count)
    for leaf in leaves(of: \.tiles, on: pages) { isLeaf[Int(leaf.page - pages.lowerBound)] = true }
    for leaf in leaves(of: \.images, on: pages) { isLeaf[Int(leaf.page - pages.lowerBound)] = true }
    let scan = LeafScan(file: file, path: path, pageSize: pageSize)
    let all = UnsafeMutableRawBufferPointer.allocate(
      byteCount: pages.count * pageSize.bytes, alignment: 4096)
    defer { all.deallocate() }
    try scan.read(pages.lowerBound, into: all)
    var changed: [Range<Int>] = []
    for index in 0..<pages.count {
      let place = index * pageSize.bytes..<(index + 1) * pageSize.bytes
      let page = UnsafeMutableRawBufferPointer(rebasing: all[place])
      let isChanged =
        isLeaf[index]
        ? try scan.shiftCells(page, by: shift) : LeafScan.shiftNumber(in: page, at: 0, by: shift)
      guard isChanged else { continue }
      if let last = changed.last, last.upperBound == place.lowerBound {
        changed[changed.count - 1] = last.lowerBound..<place.upperBound
      } else {
        changed.append(place)
      }
    }
    return changed.map { place in
      (pages.lowerBound + UInt32(place.lowerBound / pageSize.bytes), Array(all[place]))
    }
  }

  /// Returns the roots of the tables, by their names.
  private static func roots(_ path: FilePath) throws(ArchiveError) -> [String: UInt32] {
    do throws(SQLiteError) {
      let database = try Database(path: path.string, mode: .immutable, trust: .foreign)
      let tables = try database.prepare(
        "SELECT name, rootpage FROM sqlite_schema WHERE type = 'table'")
      var roots: [String: UInt32] = [:]
      while try tables.step() {
        roots[tables.text(0) ?? ""] = UInt32(clamping: tables.integer(1))
      }
      return roots
    } catch {
      throw ArchiveError(error, doing: "read", path: path)
    }
  }

  /// Returns the leaves of a table on some pages.
  func leaves(of table: KeyPath<StoredPages, [Leaf]>, on pages: Range<UInt32>) -> ArraySlice<Leaf> {
    let all = self[keyPath: table]
    let first = Self.firstIndex(in: all, page: pages.lowerBound)
    return all[first..<Self.firstIndex(in: all, page: pages.upperBound)]
  }

  /// Returns the index of the first leaf on a page or after it: leaves are written in order.
  private static func firstIndex(in leaves: [Leaf], page: UInt32) -> Int {
    var (low, high) = (0, leaves.count)
    while low < high {
      let middle = (low + high) / 2
      if leaves[middle].page < page { low = middle + 1 } else { high = middle }
    }
    return low
  }
}

/// A walk over the interior pages of a table.
private struct LeafScan {
  let file: FileDescriptor
  let path: FilePath
  let pageSize: PageSize

  /// The levels of a tree that a file can have.
  private static let depthLimit = 20

  /// Returns the leaves below a page, in order.
  func leaves(below root: UInt32) throws(ArchiveError) -> [StoredPages.Leaf] {
    var leaves: [StoredPages.Leaf] = []
    try visit(root, lastRow: nil, height: try height(of: root), &leaves)
    return leaves.last?.lastRow == 0 ? [] : leaves
  }

  /// Returns the number of levels above the leaves, which are all equally deep.
  private func height(of root: UInt32) throws(ArchiveError) -> Int {
    var page = root
    for height in 0..<Self.depthLimit {
      let bytes = try read(page)
      if bytes[0] == TreePage.Kind.tableLeaf.rawValue { return height }
      guard bytes[0] == TreePage.Kind.tableInterior.rawValue else { throw damaged }
      page = Self.word(bytes, at: 8)
    }
    throw damaged
  }

  /// Adds the leaves below a page; only the last one is read, whose last row no other page tells.
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

  private var damaged: ArchiveError { ArchiveError(.content(.notSQLite), path: path) }

  /// Adds to the numbers of overflow pages in a leaf's cells; returns whether there are any.
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

  /// Adds to the number of a page; returns whether there is one.
  static func shiftNumber(
    in page: UnsafeMutableRawBufferPointer, at place: Int, by shift: Int64
  ) -> Bool {
    let number = UInt32(bigEndian: page.loadUnaligned(fromByteOffset: place, as: UInt32.self))
    guard number != 0 else { return false }
    let shifted = UInt32(truncatingIfNeeded: Int64(number) + shift)
    page.storeBytes(of: shifted.bigEndian, toByteOffset: place, as: UInt32.self)
    return true
  }

  private func read(_ page: UInt32) throws(ArchiveError) -> [UInt8] {
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
