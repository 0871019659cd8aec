import Platform
package import SystemPackage

/// A regular file mapped into memory, read-only, until the last reference is released.
///
/// The file must not be shortened meanwhile: the class is for files that are renamed into place and
/// unlinked, never written to.
package final class MappedFile: Sendable {
  private let address: UInt
  private let length: Int

  /// Creates the mapping of a whole file.
  ///
  /// - Throws: `Errno`; `invalidArgument` if it is not a regular file or is empty.
  package init(_ path: FilePath) throws {
    // Opened without waiting: a pipe in the file's place would block forever.
    let file = try FileDescriptor.open(
      path, .readOnly, options: [.closeOnExec, .nonBlocking])
    defer { try? file.close() }
    var status = stat()
    guard fstat(file.rawValue, &status) == 0 else { throw Errno(rawValue: errno) }
    guard status.st_mode & S_IFMT == S_IFREG, let length = Int(exactly: status.st_size), length > 0
    else { throw Errno.invalidArgument }
    #if canImport(Glibc)
      // The whole file is read at once.
      let flags = MAP_PRIVATE | Int32(MAP_POPULATE)
    #else
      let flags = MAP_PRIVATE
    #endif
    let address = mmap(nil, length, PROT_READ, flags, file.rawValue, 0)
    guard let address, UInt(bitPattern: address) != UInt.max else {
      throw Errno(rawValue: errno)
    }
    self.address = UInt(bitPattern: address)
    self.length = length
  }

  deinit {
    munmap(UnsafeMutableRawPointer(bitPattern: address), length)
  }

  /// All bytes of the file, valid for the lifetime of the object.
  package var bytes: UnsafeRawBufferPointer {
    UnsafeRawBufferPointer(start: UnsafeRawPointer(bitPattern: address), count: length)
  }
}
