/// A page of a tree under construction: cells from its end towards the front, their offsets from
/// its front towards the end.
///
/// Source: https://www.sqlite.org/fileformat2.html#b_tree_pages.
final class TreePage {
  /// The first byte of a page.
  enum Kind: UInt8 {
    case indexInterior = 2
    case tableInterior = 5
    case indexLeaf = 10
    case tableLeaf = 13

    /// Bytes before the offsets of the cells.
    var headerSize: Int {
      switch self {
      case .indexInterior, .tableInterior: 12
      case .indexLeaf, .tableLeaf: 8
      }
    }
  }

  private let kind: Kind

  /// The offset of the page's header: after the file's header on the first page.
  private let start: Int
  let bytes: UnsafeMutableRawBufferPointer

  /// The number of cells.
  private(set) var count = 0

  /// The offset of the last cell.
  private var content: Int

  /// The offset of the cell before the last.
  private var contentBefore: Int

  init(_ kind: Kind, _ size: PageSize, start: Int = 0) {
    self.kind = kind
    self.start = start
    bytes = .allocate(byteCount: size.bytes, alignment: size.bytes)
    content = size.bytes
    contentBefore = size.bytes
    bytes.initializeMemory(as: UInt8.self, repeating: 0)
  }

  deinit { bytes.deallocate() }

  /// Empties the page.
  func removeAll() {
    count = 0
    content = bytes.count
  }

  /// The end of the cells' offsets.
  private var placesEnd: Int { start + kind.headerSize + 2 * count }

  /// Adds a cell of a size and returns its memory; `nil` where there is not enough room.
  func add(_ size: Int) -> UnsafeMutableRawBufferPointer? {
    guard content - placesEnd >= size + 2 else { return nil }
    contentBefore = content
    content -= size
    bytes.storeBytes(of: UInt16(content).bigEndian, toByteOffset: placesEnd, as: UInt16.self)
    count += 1
    return UnsafeMutableRawBufferPointer(rebasing: bytes[content..<contentBefore])
  }

  /// Adds the cell of a leaf; returns `false`, with nothing added, where there is not enough room.
  ///
  /// - Parameters:
  ///   - overflow: the first page of the rest of the payload.
  ///   - row: its number in a table; `nil` in an index.
  func add(
    _ payload: RecordPayload, _ split: PayloadSplit, overflow: UInt32, row: UInt64? = nil
  ) -> Bool {
    let count = UInt64(payload.count)
    let head = Varints.length(of: count) + (row.map { Varints.length(of: $0) } ?? 0)
    guard let cell = add(head + split.cellSize) else { return false }
    let end = Varints.write(count, to: cell)
    if let row {
      _ = Varints.write(row, to: UnsafeMutableRawBufferPointer(rebasing: cell[end...]))
    }
    let rest = head + split.local
    payload.copy(from: 0, to: UnsafeMutableRawBufferPointer(rebasing: cell[head..<rest]))
    if split.rest > 0 {
      cell.storeBytes(of: overflow.bigEndian, toByteOffset: rest, as: UInt32.self)
    }
    return true
  }

  /// Removes the last cell and returns its bytes. Must not be called twice without ``add(_:)`` in
  /// between.
  func removeLast() -> [UInt8] {
    let cell = Array(bytes[content..<contentBefore])
    content = contentBefore
    count -= 1
    return cell
  }

  /// Completes the page and returns its bytes.
  ///
  /// - Parameter rightmost: the last child of an interior page.
  func finish(rightmost: UInt32? = nil) -> UnsafeRawBufferPointer {
    bytes[start] = kind.rawValue
    bytes.storeBytes(of: 0, toByteOffset: start + 1, as: UInt16.self)
    bytes.storeBytes(of: UInt16(count).bigEndian, toByteOffset: start + 3, as: UInt16.self)
    bytes.storeBytes(of: UInt16(content).bigEndian, toByteOffset: start + 5, as: UInt16.self)
    bytes[start + 7] = 0
    if let rightmost {
      bytes.storeBytes(of: rightmost.bigEndian, toByteOffset: start + 8, as: UInt32.self)
    }
    UnsafeMutableRawBufferPointer(rebasing: bytes[placesEnd..<content])
      .initializeMemory(as: UInt8.self, repeating: 0)
    return UnsafeRawBufferPointer(bytes)
  }
}
