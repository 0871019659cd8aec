import Files
import SystemPackage

/// A SQLite file under construction, written page by page from front to back.
///
/// Pages are numbered from 1 in the order in which they are appended; the first is written last,
/// once its content is known, and so are some after it, the head, which a reader gets with it.
/// Nothing is read back, and nothing is synced. System calls run on a separate thread; an error there
/// is thrown by a later call. Source of the format: https://www.sqlite.org/fileformat2.html.
final class PageFile {
  let pageSize: PageSize

  private let path: FilePath
  private let file: FileDescriptor
  private let writer: BlockWriter

  /// The block of the next bytes, and the number of bytes pending in it.
  private var block: BlockWriter.Block
  private var waiting = 0

  /// A page for the part of a payload that does not fit into a cell.
  private let overflow: UnsafeMutableRawBufferPointer

  /// The offset of the block in the file.
  private var offset: Int64
  private var isOpen = true

  /// The number of pages so far, including the first and the head.
  private(set) var pageCount: UInt32

  /// The pages of the head that are still empty, ascending.
  private(set) var head: [UInt32]

  /// Whether appended pages fill the head first.
  private var isFillingHead = false

  /// The bytes after which a copy begins: enough for the cost of a system call to vanish.
  private static let copySize = 8 << 20

  /// The bytes that are to be copied from another file next.
  private var copy: (source: StoredPages, start: Int64, offset: Int64, count: Int)?

  /// The number of overflow pages so far; each begins with the number of the next page of its
  /// chain.
  private(set) var overflowPages = 0

  /// Creates the file, which must not exist.
  ///
  /// - Parameters:
  ///   - headPages: the number of pages of the head, all of which must be filled in the end.
  ///   - isRecording: whether to keep checksums of what is written, for ``writtenBlocks``.
  init(
    path: FilePath, pageSize: PageSize = .small, headPages: UInt32 = 0, isRecording: Bool = false
  ) throws(ArchiveError) {
    self.path = path
    self.pageSize = pageSize
    pageCount = 1 + headPages
    head = Array(2..<(2 + headPages))
    offset = Int64(pageCount) * Int64(pageSize.bytes)
    do {
      file = try FileDescriptor.open(
        path, .readWrite, options: [.create, .exclusiveCreate, .closeOnExec],
        permissions: DurableFile.publicPermissions)
    } catch Errno.fileExists {
      throw ArchiveError(.file(.exists), path: path)
    } catch {
      throw ArchiveError(error as? Errno ?? .ioError, doing: "create", path: path)
    }
    writer = BlockWriter(file, path: path, isRecording: isRecording)
    block = writer.block()
    overflow = .allocate(byteCount: pageSize.bytes, alignment: 4096)
  }

  deinit {
    writer.wait()
    if isOpen { try? file.close() }
    overflow.deallocate()
  }

  /// Appends a page and returns its number.
  func append(_ page: UnsafeRawBufferPointer) throws(ArchiveError) -> UInt32 {
    if isFillingHead, let number = head.first {
      head.removeFirst()
      try overwrite(number, Array(page))
      return number
    }
    if pageCount + 1 == pageSize.lockPage { try add(nil) }
    try add(page)
    return pageCount
  }

  /// Appends the root of a tree, which goes into the head after some pages that are spared; to the end
  /// if there are no others.
  func append(root: UnsafeRawBufferPointer, sparing spare: Int) throws(ArchiveError) -> UInt32 {
    guard head.count > spare else { return try append(root) }
    let number = head.remove(at: spare)
    try overwrite(number, Array(root))
    return number
  }

  /// Fills the head with the pages that `body` appends, before any is appended to the file's end.
  func fillHead<Result>(_ body: () throws(ArchiveError) -> Result) throws(ArchiveError) -> Result {
    isFillingHead = true
    defer { isFillingHead = false }
    return try body()
  }

  /// The blocks that were written and not copied, if they are recorded.
  var writtenBlocks: [WrittenBlock] { writer.writtenBlocks }

  /// The number of the next page to be appended.
  var nextPage: UInt32 { number(after: pageCount) }

  /// Whether pages of another file may be copied here: if their numbers change, neither the old nor
  /// the new ones may include the lock page.
  func canCopy(_ pages: Range<UInt32>) -> Bool {
    nextPage == pages.lowerBound
      || !pages.contains(pageSize.lockPage)
        && !(nextPage..<(nextPage + UInt32(pages.count))).contains(pageSize.lockPage)
  }

  /// Overwrites pages that were copied, or those of the head.
  func overwrite(_ first: UInt32, _ bytes: [UInt8]) throws(ArchiveError) {
    try submitCopy()
    var start = 0
    while start < bytes.count {
      let block = writer.block()
      let count = min(bytes.count - start, block.bytes.count)
      bytes.withUnsafeBytes {
        block.bytes.copyMemory(from: UnsafeRawBufferPointer(rebasing: $0[start..<(start + count)]))
      }
      let offset = Int64(first - 1) * Int64(pageSize.bytes) + Int64(start)
      try writer.submit(block, count: count, at: offset)
      start += count
    }
  }

  /// Appends pages of another file, unchanged, and returns the number of the first.
  func append(_ pages: Range<UInt32>, of source: StoredPages) throws(ArchiveError) -> UInt32 {
    guard pageCount < .max - 1 - UInt32(pages.count) else {
      throw ArchiveError(.value(.tooManyPages), path: path)
    }
    if pageCount + 1 == pageSize.lockPage { try add(nil) }
    try flush()
    let first = pageCount + 1
    let start = Int64(pages.lowerBound - 1) * Int64(pageSize.bytes)
    let count = pages.count * pageSize.bytes
    if let last = copy, last.count < Self.copySize, last.start + Int64(last.count) == start,
      last.offset + Int64(last.count) == offset
    {
      copy = (source, last.start, last.offset, last.count + count)
    } else {
      try submitCopy()
      copy = (source, start, offset, count)
    }
    offset += Int64(count)
    pageCount += UInt32(pages.count)
    return first
  }

  private func submitCopy() throws(ArchiveError) {
    guard let copy else { return }
    self.copy = nil
    try writer.submitCopy(of: copy.source, at: copy.start, count: copy.count, to: copy.offset)
  }

  /// The error for a cell that does not fit into an empty page; payloads are split so that this
  /// cannot happen.
  static var noRoom: ArchiveError {
    ArchiveError(.misuse(of: "archive writer", given: "a cell that fits no page"))
  }

  /// Returns the number of the page after another.
  private func number(after page: UInt32) -> UInt32 {
    page + 1 == pageSize.lockPage ? page + 2 : page + 1
  }

  /// Returns the number of the page that will be appended after some others.
  private func upcoming(_ others: Int) -> UInt32 {
    let free = isFillingHead ? head.count : 0
    guard others >= free else { return head[others] }
    return (free...others).reduce(pageCount) { page, _ in number(after: page) }
  }

  /// Appends the part of a payload that is not in its cell and returns the number of the first of
  /// its pages.
  func appendOverflow(
    of payload: RecordPayload, _ split: PayloadSplit
  ) throws(ArchiveError) -> UInt32 {
    let first = upcoming(0)
    var written = split.local
    while written < payload.count {
      let count = min(payload.count - written, pageSize.overflowPayload)
      let isLast = written + count == payload.count
      let next = isLast ? 0 : upcoming(1)
      overflow.storeBytes(of: next.bigEndian, as: UInt32.self)
      payload.copy(
        from: written, to: UnsafeMutableRawBufferPointer(rebasing: overflow[4..<(4 + count)]))
      UnsafeMutableRawBufferPointer(rebasing: overflow[(4 + count)...])
        .initializeMemory(as: UInt8.self, repeating: 0)
      _ = try append(UnsafeRawBufferPointer(overflow))
      overflowPages += 1
      written += count
    }
    return first
  }

  private func add(_ page: UnsafeRawBufferPointer?) throws(ArchiveError) {
    guard pageCount < .max - 1 else { throw ArchiveError(.value(.tooManyPages), path: path) }
    if waiting == block.bytes.count { try flush() }
    let place = UnsafeMutableRawBufferPointer(
      rebasing: block.bytes[waiting..<(waiting + pageSize.bytes)])
    if let page {
      place.copyMemory(from: page)
    } else {
      place.initializeMemory(as: UInt8.self, repeating: 0)
    }
    waiting += pageSize.bytes
    pageCount += 1
  }

  private func flush() throws(ArchiveError) {
    guard waiting > 0 else { return }
    try writer.submit(block, count: waiting, at: offset)
    block = writer.block()
    offset += Int64(waiting)
    waiting = 0
  }

  /// Writes the pending bytes and a first page, so that the file can be read as it is.
  func show(_ schema: SchemaPage) throws(ArchiveError) {
    try schema.withBytes { (page) throws(ArchiveError) in try write(firstPage: page) }
  }

  private func write(firstPage: UnsafeRawBufferPointer) throws(ArchiveError) {
    try submitCopy()
    try flush()
    try writer.finish()
    do {
      _ = try file.writeAll(toAbsoluteOffset: 0, firstPage)
    } catch {
      throw ArchiveError(error as? Errno ?? .ioError, doing: "write", path: path)
    }
  }

  /// Writes the pending bytes and the first page, and closes the file. Call it once.
  func finish(firstPage: UnsafeRawBufferPointer) throws(ArchiveError) {
    try write(firstPage: firstPage)
    do {
      isOpen = false
      try file.close()
    } catch {
      throw ArchiveError(error as? Errno ?? .ioError, doing: "write", path: path)
    }
  }
}
