import Platform
package import SystemPackage

/// A temporary file mapped into memory, whose bytes may be changed until they are shared.
///
/// Its pages can be written back, so it may be larger than memory.
package final class MappedScratch: Sendable {
  private let address: UInt
  private let length: Int

  /// Maps a file that nobody else writes; its name may be removed afterwards.
  ///
  /// - Parameter change: receives all bytes, before anybody else sees them.
  /// - Throws: `Errno`; `invalidArgument` if it has not the expected length, or none. What `change`
  ///   throws.
  package init(
    _ path: FilePath, bytes length: Int, change: (UnsafeMutableRawBufferPointer) throws -> Void
  ) throws {
    let file = try FileDescriptor.open(path, .readWrite, options: [.closeOnExec])
    defer { try? file.close() }
    guard length > 0, try file.seek(offset: 0, from: .end) == Int64(length) else {
      throw Errno.invalidArgument
    }
    let address = mmap(nil, length, PROT_READ | PROT_WRITE, MAP_SHARED, file.rawValue, 0)
    guard let address, UInt(bitPattern: address) != UInt.max else { throw Errno(rawValue: errno) }
    do {
      try change(UnsafeMutableRawBufferPointer(start: address, count: length))
    } catch {
      munmap(address, length)
      throw error
    }
    mprotect(address, length, PROT_READ)
    self.address = UInt(bitPattern: address)
    self.length = length
  }

  deinit { munmap(UnsafeMutableRawPointer(bitPattern: address), length) }

  /// All bytes, valid for the lifetime of the object.
  package var bytes: UnsafeRawBufferPointer {
    UnsafeRawBufferPointer(start: UnsafeRawPointer(bitPattern: address), count: length)
  }
}
