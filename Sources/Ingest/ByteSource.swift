package import Features
import Platform
package import SystemPackage

/// The bytes of one file, pipe or array, in order, through one reused buffer.
///
/// A reader looks at ``buffer``, and when it needs more it calls ``fill(keeping:)`` with the number
/// of bytes at the buffer's end that it has not used up yet: they move to the front, followed by
/// the next bytes of the file. The buffer belongs to the source; pointers into it are valid until
/// the next fill.
///
/// A regular file that changes while it is read makes the last fill throw: the bytes read are a
/// mixture that never existed on disk.
package final class ByteSource {
  /// The default number of bytes per fill, chosen so that the buffer stays in the second-level
  /// cache; 64 KiB … 4 MiB measured alike.
  package static let defaultChunk = 256 << 10

  /// Zeros after the last valid byte, so that vector loads may run over the end.
  package static let padding = 64

  /// The file as the user named it, for messages.
  package let name: String

  /// The length of a regular file or an array; `nil` for a stream.
  package let byteCount: Int?

  /// The number of bytes handed out so far.
  package private(set) var bytesRead = 0

  /// The valid bytes; ``padding`` readable zeros follow them.
  package private(set) var buffer: UnsafeRawBufferPointer

  /// The maximum number of bytes per fill.
  let chunk: Int

  /// The same bytes at any position; `nil` for a stream.
  let store: ByteStore?

  private var storage: UnsafeMutableRawBufferPointer
  /// The pipe or device that is read; `nil` where there is a ``store``.
  private let stream: FileDescriptor?
  private let fingerprint: Fingerprint?
  private var isAtEnd = false

  private init(
    name: String, store: ByteStore?, stream: FileDescriptor? = nil, fingerprint: Fingerprint? = nil,
    byteCount: Int?, chunk: Int
  ) {
    self.name = name
    self.store = store
    self.stream = stream
    self.fingerprint = fingerprint
    self.byteCount = byteCount
    self.chunk = max(chunk, 1)
    storage = .allocate(byteCount: self.chunk + Self.padding, alignment: Self.padding)
    buffer = UnsafeRawBufferPointer(rebasing: storage[..<0])
    clearPadding(after: 0)
  }

  /// Creates a source of bytes in memory: inline data of a pipeline, and tests.
  ///
  /// - Parameter chunk: the maximum number of bytes per fill.
  package convenience init(bytes: [UInt8], name: String, chunk: Int = ByteSource.defaultChunk) {
    self.init(
      name: name, store: ByteStore(bytes: bytes, name: name), byteCount: bytes.count, chunk: chunk)
  }

  /// Creates a source of the bytes of a store from a position on; ``bytesRead`` counts from the
  /// first byte of the store.
  convenience init(_ store: ByteStore, from position: Int, chunk: Int) {
    self.init(name: store.name, store: store, byteCount: store.byteCount, chunk: chunk)
    bytesRead = position
  }

  /// Opens a file.
  ///
  /// - Throws: ``SourceError`` `missing`, `permission`, `io`, or `configuration` for a folder.
  package convenience init(
    path: FilePath, name: String, chunk: Int = ByteSource.defaultChunk
  ) throws(SourceError) {
    let descriptor: FileDescriptor
    do {
      descriptor = try .open(path, .readOnly, options: .closeOnExec)
    } catch {
      throw SourceError(opening: name, error)
    }
    try self.init(adopting: descriptor, name: name, chunk: chunk)
  }

  /// Creates a source of the bytes of an open regular file, which stays open for others.
  package convenience init(
    sharing file: FileDescriptor, name: String, chunk: Int = ByteSource.defaultChunk
  ) throws(SourceError) {
    let number = fcntl(file.rawValue, F_DUPFD_CLOEXEC, 0)
    guard number >= 0 else { throw SourceError(opening: name, Errno(rawValue: errno)) }
    try self.init(adopting: FileDescriptor(rawValue: number), name: name, chunk: chunk)
  }

  private convenience init(
    adopting descriptor: FileDescriptor, name: String, chunk: Int
  ) throws(SourceError) {
    let fingerprint: Fingerprint
    do {
      fingerprint = try Fingerprint(descriptor)
    } catch {
      try? descriptor.close()
      throw SourceError(opening: name, error)
    }
    let isStored = fingerprint.regularSize != nil
    self.init(
      name: name, store: isStored ? ByteStore(descriptor, fingerprint, name: name) : nil,
      stream: isStored ? nil : descriptor, fingerprint: fingerprint,
      byteCount: fingerprint.regularSize, chunk: chunk)
    guard !fingerprint.isFolder else {
      throw SourceError(
        code: .configuration, file: name,
        message: "is a folder, not a file; name the file to read")
    }
  }

  deinit {
    storage.deallocate()
    try? stream?.close()
  }

  /// Keeps the last `tail` bytes of the buffer, drops those before them and reads on.
  ///
  /// The buffer grows when the tail and a chunk do not fit; the caller bounds the tail.
  ///
  /// - Returns: the number of new bytes after the tail; 0 at the end.
  /// - Throws: ``SourceError`` when reading fails or the file has changed meanwhile.
  /// - Complexity: O(tail + new bytes).
  package func fill(keeping tail: Int) throws(SourceError) -> Int {
    try fill(keeping: tail, adding: chunk)
  }

  /// Fills the buffer with up to `limit` bytes instead of a chunk; see ``fill(keeping:)``.
  func fill(keeping tail: Int, adding limit: Int) throws(SourceError) -> Int {
    precondition(tail <= buffer.count)
    makeRoom(keeping: tail, adding: limit)
    var added = 0
    while added < limit, !isAtEnd {
      let room = storage[(tail + added)..<(tail + limit)]
      let count = try read(into: UnsafeMutableRawBufferPointer(rebasing: room))
      isAtEnd = count == 0
      added += count
      bytesRead += count
    }
    buffer = UnsafeRawBufferPointer(rebasing: storage[..<(tail + added)])
    clearPadding(after: tail + added)
    return added
  }

  private func makeRoom(keeping tail: Int, adding limit: Int) {
    let start = buffer.count - tail
    let needed = tail + limit + Self.padding
    if needed > storage.count {
      let larger = UnsafeMutableRawBufferPointer.allocate(
        byteCount: max(needed, 2 * storage.count), alignment: Self.padding)
      larger.copyMemory(from: UnsafeRawBufferPointer(rebasing: buffer[start...]))
      storage.deallocate()
      storage = larger
    } else if start > 0, tail > 0 {
      storage.copyMemory(from: UnsafeRawBufferPointer(rebasing: buffer[start...]))
    }
    buffer = UnsafeRawBufferPointer(rebasing: storage[..<tail])
  }

  private func clearPadding(after end: Int) {
    UnsafeMutableRawBufferPointer(rebasing: storage[end..<(end + Self.padding)])
      .initializeMemory(as: UInt8.self, repeating: 0)
  }

  private func read(into room: UnsafeMutableRawBufferPointer) throws(SourceError) -> Int {
    let count: Int
    if let store {
      count = try store.read(at: bytesRead, into: room)
    } else if let stream {
      do {
        count = try stream.read(into: room)
      } catch {
        throw SourceError(reading: name, error)
      }
    } else {
      return 0
    }
    if count == 0 { try checkUnchanged() }
    return count
  }

  private func checkUnchanged() throws(SourceError) {
    if let store { return try store.checkUnchanged(after: bytesRead) }
    if let stream { try fingerprint?.check(stream, name: name, after: bytesRead) }
  }
}

/// The bytes of a regular file or an array, which several threads may read at any position.
package final class ByteStore: Sendable {
  /// The file as the user named it, for messages.
  let name: String

  /// The number of bytes when the store was opened.
  let byteCount: Int

  private let contents: Contents

  private enum Contents {
    case bytes([UInt8])
    case file(FileDescriptor, Fingerprint)
    case parts(ByteStore, [Part])
  }

  /// A run of bytes of another store.
  private struct Part {
    /// The position of its first byte in this store.
    let position: Int
    let extent: RecordExtent
  }

  init(bytes: [UInt8], name: String) {
    self.name = name
    byteCount = bytes.count
    contents = .bytes(bytes)
  }

  /// Creates a store that holds some records of another store, one after the other.
  ///
  /// - Parameter extents: the records, none of which is empty.
  init(_ extents: [RecordExtent], of whole: ByteStore) {
    name = whole.name
    var parts: [Part] = []
    var count = 0
    for extent in extents {
      if let last = parts.last, last.extent.end == extent.begin {
        let joined = RecordExtent(begin: last.extent.begin, end: extent.end)
        parts[parts.count - 1] = Part(position: last.position, extent: joined)
      } else {
        parts.append(Part(position: count, extent: extent))
      }
      count += extent.count
    }
    byteCount = count
    contents = .parts(whole, parts)
  }

  /// Adopts the descriptor of a regular file.
  fileprivate init(_ descriptor: FileDescriptor, _ fingerprint: Fingerprint, name: String) {
    self.name = name
    byteCount = fingerprint.regularSize ?? 0
    contents = .file(descriptor, fingerprint)
  }

  deinit {
    if case .file(let descriptor, _) = contents { try? descriptor.close() }
  }

  /// Reads bytes from a position on.
  ///
  /// - Returns: the number of bytes read, at most those that there is room for; 0 at the end.
  func read(
    at position: Int, into room: UnsafeMutableRawBufferPointer
  ) throws(SourceError) -> Int {
    switch contents {
    case .bytes(let bytes):
      let rest = bytes.dropFirst(position).prefix(room.count)
      rest.withUnsafeBytes { room.copyMemory(from: $0) }
      return rest.count
    case .file(let descriptor, _):
      do {
        return try descriptor.read(fromAbsoluteOffset: Int64(position), into: room)
      } catch {
        throw SourceError(reading: name, error)
      }
    case .parts(let whole, let parts):
      guard position < byteCount else { return 0 }
      let part = Self.part(holding: position, of: parts)
      let begin = part.extent.begin + position - part.position
      let count = min(part.extent.end - begin, room.count)
      return try whole.read(
        at: begin, into: UnsafeMutableRawBufferPointer(rebasing: room[..<count]))
    }
  }

  /// Returns the part that holds a position, by bisection.
  private static func part(holding position: Int, of parts: [Part]) -> Part {
    var (low, high) = (0, parts.count)
    while low + 1 < high {
      let middle = (low + high) / 2
      if parts[middle].position <= position { low = middle } else { high = middle }
    }
    return parts[low]
  }

  /// Throws if the file is no longer what it was when it was opened.
  ///
  /// - Parameter end: the position at which reading ended.
  fileprivate func checkUnchanged(after end: Int) throws(SourceError) {
    switch contents {
    case .bytes: break
    case .file(let descriptor, let fingerprint):
      try fingerprint.check(descriptor, name: name, after: end)
    case .parts(let whole, _):
      // A file that ends too early has become shorter.
      try whole.checkUnchanged(after: end == byteCount ? whole.byteCount : end)
    }
  }
}

/// The attributes that distinguish one state of an open file from another.
private struct Fingerprint: Equatable {
  /// Size of a regular file in bytes; `nil` for pipes and devices, which have no fixed length.
  let regularSize: Int?
  let isFolder: Bool
  private let inode: UInt64
  private let seconds: Int
  private let nanoseconds: Int

  init(_ descriptor: FileDescriptor) throws {
    let stat = try descriptor.stat()
    regularSize = stat.type == .regular ? Int(stat.size) : nil
    isFolder = stat.type == .directory
    inode = UInt64(stat.inode.rawValue)
    seconds = Int(stat.st_mtim.tv_sec)
    nanoseconds = Int(stat.st_mtim.tv_nsec)
  }

  /// Throws if a regular file has changed since, or was not read to this end.
  func check(
    _ descriptor: FileDescriptor, name: String, after end: Int
  ) throws(SourceError) {
    guard let regularSize else { return }
    let isSame: Bool
    do {
      isSame = try Fingerprint(descriptor) == self
    } catch {
      throw SourceError(reading: name, error)
    }
    guard isSame, regularSize == end else {
      throw SourceError(
        code: .io, file: name,
        message: "changed while it was read (\(regularSize) bytes at the start, \(end) read); "
          + "run again when nothing writes to it")
    }
  }
}

extension SourceError {
  /// The error for a file in which records are no longer where they were.
  package static func moved(_ file: String) -> SourceError {
    SourceError(
      code: .io, file: file,
      message: "changed while it was read; run again when nothing writes to it")
  }

  fileprivate init(opening file: String, _ error: any Error) {
    switch error as? Errno {
    case .noSuchFileOrDirectory, .notDirectory:
      self.init(code: .missing, file: file, message: "there is no such file")
    case .permissionDenied, .notPermitted:
      self.init(
        code: .permission, file: file, message: "may not be read; give this user read permission")
    default:
      self.init(code: .io, file: file, message: "cannot be opened: \(error)")
    }
  }

  fileprivate init(reading file: String, _ error: any Error) {
    self.init(code: .io, file: file, message: "cannot be read on: \(error)")
  }
}
