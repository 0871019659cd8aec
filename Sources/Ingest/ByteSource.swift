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

  /// Zeros behind the last valid byte, so that vector loads may run over the end.
  package static let padding = 64

  /// The file as the user named it, for messages.
  package let name: String

  /// The length of a regular file or an array; `nil` for a stream.
  package let byteCount: Int?

  /// The number of bytes handed out so far.
  package private(set) var bytesRead = 0

  /// The valid bytes; ``padding`` readable zeros follow them.
  package private(set) var buffer: UnsafeRawBufferPointer

  private let chunk: Int
  private var storage: UnsafeMutableRawBufferPointer
  private var origin: Origin
  private var isAtEnd = false

  private enum Origin {
    case bytes([UInt8])
    case file(FileDescriptor, Fingerprint)
  }

  private init(name: String, origin: Origin, byteCount: Int?, chunk: Int) {
    self.name = name
    self.origin = origin
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
    self.init(name: name, origin: .bytes(bytes), byteCount: bytes.count, chunk: chunk)
  }

  /// Opens a file, or standard input where the path is `-`.
  ///
  /// - Throws: ``SourceError`` `missing`, `permission`, `io`, or `configuration` for a folder.
  package convenience init(
    path: FilePath, name: String, chunk: Int = ByteSource.defaultChunk
  ) throws(SourceError) {
    let descriptor: FileDescriptor
    let fingerprint: Fingerprint
    do {
      descriptor = path == "-" ? .standardInput : try .open(path, .readOnly, options: .closeOnExec)
      do {
        fingerprint = try Fingerprint(descriptor)
      } catch {
        try? descriptor.close()
        throw error
      }
    } catch {
      throw SourceError(opening: name, error)
    }
    self.init(
      name: name, origin: .file(descriptor, fingerprint), byteCount: fingerprint.regularSize,
      chunk: chunk)
    guard !fingerprint.isFolder else {
      throw SourceError(
        code: .configuration, file: name,
        message: "is a folder, not a file; name the file to read")
    }
  }

  deinit {
    storage.deallocate()
    if case .file(let descriptor, _) = origin, descriptor != .standardInput {
      try? descriptor.close()
    }
  }

  /// Keeps the last `tail` bytes of the buffer, drops those before them and reads on.
  ///
  /// The buffer grows when the tail and a chunk do not fit; the caller bounds the tail.
  ///
  /// - Returns: the number of new bytes behind the tail; 0 at the end.
  /// - Throws: ``SourceError`` when reading fails or the file has changed meanwhile.
  /// - Complexity: O(tail + new bytes).
  package func fill(keeping tail: Int) throws(SourceError) -> Int {
    precondition(tail <= buffer.count)
    makeRoom(keeping: tail)
    var added = 0
    while added < chunk, !isAtEnd {
      let room = storage[(tail + added)..<(tail + chunk)]
      let count = try read(into: UnsafeMutableRawBufferPointer(rebasing: room))
      isAtEnd = count == 0
      added += count
      bytesRead += count
    }
    buffer = UnsafeRawBufferPointer(rebasing: storage[..<(tail + added)])
    clearPadding(after: tail + added)
    return added
  }

  private func makeRoom(keeping tail: Int) {
    let start = buffer.count - tail
    let needed = tail + chunk + Self.padding
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
    switch origin {
    case .bytes(let bytes):
      let count = min(room.count, bytes.count - bytesRead)
      bytes.withUnsafeBytes {
        room.copyMemory(from: UnsafeRawBufferPointer(rebasing: $0[bytesRead..<(bytesRead + count)]))
      }
      return count
    case .file(let descriptor, let fingerprint):
      do {
        let count = try descriptor.read(into: room)
        if count == 0 { try checkUnchanged(descriptor, fingerprint) }
        return count
      } catch let error as SourceError {
        throw error
      } catch {
        throw SourceError(reading: name, error)
      }
    }
  }

  private func checkUnchanged(_ descriptor: FileDescriptor, _ before: Fingerprint) throws {
    guard let size = before.regularSize else { return }
    let after = try Fingerprint(descriptor)
    guard after == before, size == bytesRead else {
      throw SourceError(
        code: .io, file: name,
        message: "changed while it was read (\(size) bytes at the start, \(bytesRead) read); "
          + "run again when nothing writes to it")
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
}

extension SourceError {
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
