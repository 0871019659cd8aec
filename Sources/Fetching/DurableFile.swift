import Crypto
import Platform
import SystemPackage

/// Writes, names and reads files so that a crash leaves the old or the new one.
enum DurableFile {
  /// Files of the cache belong to their user alone: bodies may be private.
  static let permissions: FilePermissions = [.ownerReadWrite]

  /// Makes a folder, and those on the way.
  static func createFolder(_ path: FilePath) throws(FetchError) {
    if mkdir(path.string, 0o700) == 0 || errno == EEXIST { return }
    let cause = Errno(rawValue: errno)
    let parent = path.removingLastComponent()
    guard cause == .noSuchFileOrDirectory, !parent.isEmpty, parent != path else {
      throw failure("make the folder", path, cause)
    }
    try createFolder(parent)
    guard mkdir(path.string, 0o700) == 0 || errno == EEXIST else {
      throw failure("make the folder", path, Errno(rawValue: errno))
    }
  }

  /// Writes a small text through a temporary file that takes the name at the end.
  static func write(_ text: String, to path: FilePath) throws(FetchError) {
    let name = path.lastComponent?.string ?? "file"
    // Two threads of one process may write the same file.
    let mark = UInt64.random(in: .min ... .max)
    let temporary = path.removingLastComponent()
      .appending(".\(name).tmp-\(getpid())-\(String(mark, radix: 36))")
    do {
      let file = try FileDescriptor.open(
        temporary, .writeOnly, options: [.create, .exclusiveCreate, .closeOnExec],
        permissions: permissions)
      try file.closeAfter { _ = try file.writeAll(Array(text.utf8)) }
    } catch {
      unlink(temporary.string)
      throw failure("write", path, error as? Errno)
    }
    try publish(temporary, as: path)
  }

  /// Makes a closed file durable and gives it its final name.
  static func publish(_ temporary: FilePath, as path: FilePath) throws(FetchError) {
    do {
      try synchronize(temporary)
      guard rename(temporary.string, path.string) == 0 else { throw Errno(rawValue: errno) }
      try synchronize(path.removingLastComponent())
    } catch {
      unlink(temporary.string)
      throw failure("write", path, error as? Errno)
    }
  }

  private static func synchronize(_ path: FilePath) throws {
    let file = try FileDescriptor.open(path.isEmpty ? "." : path, .readOnly, options: .closeOnExec)
    defer { try? file.close() }
    #if canImport(Darwin)
      // On Darwin fsync leaves the data in the drive's cache.
      if fcntl(file.rawValue, F_FULLFSYNC) == 0 { return }
    #endif
    while fsync(file.rawValue) != 0 {
      // Network file systems break it off for any signal.
      guard errno == EINTR else { throw Errno(rawValue: errno) }
    }
  }

  /// The bytes of a small file; `nil` if it is not there or larger than the limit.
  static func read(_ path: FilePath, limit: Int) -> [UInt8]? {
    guard let file = try? FileDescriptor.open(path, .readOnly, options: .closeOnExec) else {
      return nil
    }
    defer { try? file.close() }
    var bytes = [UInt8](repeating: 0, count: limit + 1)
    var count = 0
    while count <= limit {
      let read = try? bytes.withUnsafeMutableBytes { buffer in
        try file.read(into: UnsafeMutableRawBufferPointer(rebasing: buffer[count...]))
      }
      guard let read else { return nil }
      if read == 0 { return Array(bytes[..<count]) }
      count += read
    }
    return nil
  }

  /// SHA-256 in hexadecimal digits, and the number of bytes, of a whole file; `nil` if it is not
  /// there or cannot be read.
  ///
  /// - Complexity: O(bytes), in pieces of a mebibyte.
  static func digest(of path: FilePath) -> (sha256: String, bytes: Int64)? {
    guard let file = try? FileDescriptor.open(path, .readOnly, options: .closeOnExec) else {
      return nil
    }
    defer { try? file.close() }
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 20, alignment: 16)
    defer { buffer.deallocate() }
    var hasher = SHA256()
    var bytes: Int64 = 0
    while true {
      guard let count = try? file.read(into: buffer) else { return nil }
      if count == 0 { break }
      hasher.update(bufferPointer: UnsafeRawBufferPointer(rebasing: buffer[..<count]))
      bytes += Int64(count)
    }
    return (Hexadecimal.text(hasher.finalize()), bytes)
  }

  /// An error of the system as the failure of the cache.
  static func failure(_ action: String, _ path: FilePath, _ cause: Errno?) -> FetchError {
    FetchError(
      .cache, uri: path.string,
      "cannot \(action)\(cause.map { ": \($0)" } ?? ""). Check the cache folder and the disk.")
  }
}

/// Bytes as lower-case hexadecimal digits.
enum Hexadecimal {
  static func text(_ bytes: some Sequence<UInt8>) -> String {
    let digits = Array("0123456789abcdef".utf8)
    return String(
      decoding: bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
  }

  /// Whether a text is the digest of SHA-256: 64 small digits.
  static func isDigest(_ text: String) -> Bool {
    text.utf8.count == 64
      && text.utf8.allSatisfy { (0x30...0x39).contains($0) || (0x61...0x66).contains($0) }
  }
}
