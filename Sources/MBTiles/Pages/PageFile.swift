import SystemPackage

/// A SQLite file under construction, written page by page from front to back.
///
/// Pages are numbered from 1 in the order in which they are appended; the first is written last,
/// once its content is known. Nothing is read back, and nothing is synced. System calls run on a
/// separate thread; an error there is thrown by a later call. Source of the format:
/// https://www.sqlite.org/fileformat2.html.
final class PageFile {
  /// Page size in bytes.
  static let pageSize = 4096

  /// The number of the page that stays empty: SQLite locks the bytes from 2³⁰ on, and the page that
  /// contains them must not be used.
  static let lockPage = UInt32((1 << 30) / pageSize + 1)

  private let path: FilePath
  private let file: FileDescriptor
  private let writer: BlockWriter

  /// The block of the next bytes, and the number of bytes pending in it.
  private var block: BlockWriter.Block
  private var waiting = 0

  /// A page for the part of a payload that does not fit into a cell.
  private let overflow: UnsafeMutableRawBufferPointer

  /// The offset of the block in the file.
  private var offset = Int64(PageFile.pageSize)
  private var isOpen = true

  /// The number of pages so far, including the first.
  private(set) var pageCount: UInt32 = 1

  /// Creates the file, which must not exist.
  init(path: FilePath) throws(ArchiveError) {
    self.path = path
    do {
      file = try FileDescriptor.open(
        path, .readWrite, options: [.create, .exclusiveCreate, .closeOnExec],
        permissions: [.ownerReadWrite, .groupRead, .otherRead])
    } catch Errno.fileExists {
      throw ArchiveError(.file(.exists), path: path)
    } catch {
      throw ArchiveError(error as? Errno ?? .ioError, doing: "create", path: path)
    }
    writer = BlockWriter(file, path: path)
    block = writer.block()
    overflow = .allocate(byteCount: Self.pageSize, alignment: 4096)
  }

  deinit {
    writer.wait()
    if isOpen { try? file.close() }
    overflow.deallocate()
  }

  /// Appends a page and returns its number.
  func append(_ page: UnsafeRawBufferPointer) throws(ArchiveError) -> UInt32 {
    if pageCount + 1 == Self.lockPage { try add(nil) }
    try add(page)
    return pageCount
  }

  /// The error for a cell that does not fit into an empty page; payloads are split so that this
  /// cannot happen.
  static var noRoom: ArchiveError {
    ArchiveError(.misuse(of: "archive writer", given: "a cell that fits no page"))
  }

  /// Returns the number of the page after another.
  private static func number(after page: UInt32) -> UInt32 {
    page + 1 == lockPage ? page + 2 : page + 1
  }

  /// Appends the part of a payload that is not in its cell and returns the number of the first of
  /// its pages.
  func appendOverflow(
    of payload: RecordPayload, _ split: PayloadSplit
  ) throws(ArchiveError) -> UInt32 {
    let first = Self.number(after: pageCount)
    var written = split.local
    while written < payload.count {
      let count = min(payload.count - written, Self.pageSize - 4)
      let isLast = written + count == payload.count
      let next = isLast ? 0 : Self.number(after: Self.number(after: pageCount))
      overflow.storeBytes(of: next.bigEndian, as: UInt32.self)
      payload.copy(
        from: written, to: UnsafeMutableRawBufferPointer(rebasing: overflow[4..<(4 + count)]))
      UnsafeMutableRawBufferPointer(rebasing: overflow[(4 + count)...])
        .initializeMemory(as: UInt8.self, repeating: 0)
      _ = try append(UnsafeRawBufferPointer(overflow))
      written += count
    }
    return first
  }

  private func add(_ page: UnsafeRawBufferPointer?) throws(ArchiveError) {
    guard pageCount < .max - 1 else { throw ArchiveError(.value(.tooManyPages), path: path) }
    if waiting == block.bytes.count { try flush() }
    let place = UnsafeMutableRawBufferPointer(
      rebasing: block.bytes[waiting..<(waiting + Self.pageSize)])
    if let page {
      place.copyMemory(from: page)
    } else {
      place.initializeMemory(as: UInt8.self, repeating: 0)
    }
    waiting += Self.pageSize
    pageCount += 1
  }

  private func flush() throws(ArchiveError) {
    guard waiting > 0 else { return }
    try writer.submit(block, count: waiting, at: offset)
    block = writer.block()
    offset += Int64(waiting)
    waiting = 0
  }

  /// Writes the pending bytes and the first page, and closes the file. Call it once.
  func finish(firstPage: UnsafeRawBufferPointer) throws(ArchiveError) {
    try flush()
    try writer.finish()
    do {
      _ = try file.writeAll(toAbsoluteOffset: 0, firstPage)
      isOpen = false
      try file.close()
    } catch {
      throw ArchiveError(error as? Errno ?? .ioError, doing: "write", path: path)
    }
  }
}
