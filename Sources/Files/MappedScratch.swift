import Platform
import Synchronization
package import SystemPackage

/// A temporary file mapped into memory, for reading.
///
/// It may be larger than memory: readers report how much they have read, and the pages are given
/// back to the system, whose file cache keeps as many as it has room for.
package final class MappedScratch: Sendable {
  private let address: UInt
  private let length: Int

  /// The bytes that were read since the pages were last given back.
  private let recent = Atomic(0)

  /// The bytes that may be read before the pages are given back.
  private static let residentLimit = 128 << 20

  /// The bytes that the system maps around each page that is read.
  private static let reach = 64 << 10

  /// Maps a file that nobody writes any more; its name may be removed afterwards.
  ///
  /// - Throws: `Errno`; `invalidArgument` if it has not the expected length, or none.
  package init(_ path: FilePath, bytes length: Int) throws {
    let file = try FileDescriptor.open(path, .readOnly, options: [.closeOnExec])
    defer { try? file.close() }
    guard length > 0, try file.seek(offset: 0, from: .end) == Int64(length) else {
      throw Errno.invalidArgument
    }
    let address = mmap(nil, length, PROT_READ, MAP_SHARED, file.rawValue, 0)
    guard let address, UInt(bitPattern: address) != UInt.max else { throw Errno(rawValue: errno) }
    self.address = UInt(bitPattern: address)
    self.length = length
  }

  deinit { munmap(UnsafeMutableRawPointer(bitPattern: address), length) }

  /// All bytes, valid for the lifetime of the object.
  package var bytes: UnsafeRawBufferPointer {
    UnsafeRawBufferPointer(start: UnsafeRawPointer(bitPattern: address), count: length)
  }

  /// Reports that bytes were read; from time to time all pages are given back.
  ///
  /// Other threads may be reading: a page that was given back comes again from the file.
  package func didRead(_ count: Int) {
    let all = recent.add(max(count, Self.reach), ordering: .relaxed).newValue
    guard all > Self.residentLimit else { return }
    recent.store(0, ordering: .relaxed)
    madvise(UnsafeMutableRawPointer(bitPattern: address), length, MADV_DONTNEED)
  }
}
