import Hashing
package import SystemPackage

/// The bytes of a stream that can be read only once, kept in an unnamed temporary file as long as
/// this object lives, so that they can be read again.
package final class SpooledFile: Sendable {
  /// The open file; readers give positions, so it has none of its own.
  package let descriptor: FileDescriptor

  /// The SHA-256 of the bytes, 64 hexadecimal digits.
  package let sha256: String

  /// The number of bytes.
  package let count: Int

  /// Writes and hashes the bytes.
  ///
  /// - Parameters:
  ///   - folder: the folder of the file.
  ///   - purpose: a word of the file's name until it is open.
  ///   - write: hands the bytes over, piece by piece.
  /// - Throws: `Errno` if the file cannot be made, and the errors of `write`.
  package init(
    in folder: FilePath, for purpose: String, writing write: (inout Sink) throws -> Void
  ) throws {
    descriptor = try UnnamedFile.open(in: folder, for: purpose)
    var sink = Sink(descriptor)
    do {
      try write(&sink)
    } catch {
      try? descriptor.close()
      throw error
    }
    sha256 = Hexadecimal.text(sink.hasher.finalize())
    count = sink.count
  }

  deinit { try? descriptor.close() }

  /// The end of the file, where bytes are added.
  package struct Sink {
    private let descriptor: FileDescriptor
    fileprivate var hasher = SHA256()

    /// The number of bytes so far.
    package private(set) var count = 0

    fileprivate init(_ descriptor: FileDescriptor) { self.descriptor = descriptor }

    /// Adds bytes.
    package mutating func append(_ bytes: UnsafeRawBufferPointer) throws(Errno) {
      hasher.update(bufferPointer: bytes)
      try Errno.thrown { _ = try descriptor.writeAll(bytes) }
      count += bytes.count
    }

    /// Adds bytes.
    package mutating func append(_ bytes: [UInt8]) throws {
      try bytes.withUnsafeBytes { try append($0) }
    }
  }
}
