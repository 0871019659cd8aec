import Platform
import Synchronization
package import SystemPackage

/// The place of a run's large columns: memory up to an allotment, then scratch files.
///
/// Files are unlinked as soon as they exist, so no end of the process leaves one behind, and their
/// blocks are allocated before they are mapped: a full disk is an error here, not a signal later.
/// After such an error columns lie in memory, so that appending never fails; the run learns of it
/// through `whenFailed` and ends at its next check.
///
/// A scratch never changes the content of a column, only the place of its elements.
@usableFromInline
package final class Scratch: Sendable {
  /// The limits of a run, in bytes.
  package struct Limits: Hashable, Sendable {
    /// The bytes of columns that lie in memory at a time.
    package var columns: Int

    /// The bytes of memory in which parts of a large column are sorted or gathered at a time.
    package var work: Int

    /// The size in bytes up to which a column lies in memory even beyond ``columns``: a file takes
    /// whole pages and several system calls.
    package var smallest = 1 << 16

    package init(columns: Int, work: Int) {
      self.columns = columns
      self.work = work
    }
  }

  package let limits: Limits

  /// The folder of the files.
  package let folder: FilePath

  private let whenFailed: @Sendable (Errno) -> Void
  private let hasFailed = Atomic<Bool>(false)
  private let memory = Atomic<Int>(0)
  private let mapped = Atomic<Int>(0)
  private let most = Atomic<Int>(0)

  /// - Parameter whenFailed: called once, from any thread, when no file can be made.
  package init(
    folder: FilePath, limits: Limits, whenFailed: @escaping @Sendable (Errno) -> Void
  ) {
    self.folder = folder
    self.limits = limits
    self.whenFailed = whenFailed
  }

  /// The bytes of memory that are free for columns.
  package var freeBytes: Int { max(0, limits.columns - memory.load(ordering: .relaxed)) }

  /// The maximum number of bytes that files took at one time.
  package var peakBytes: Int { most.load(ordering: .relaxed) }

  /// The number of elements of this size that are sorted or gathered in memory at a time.
  @usableFromInline
  package func workCount(ofStride stride: Int) -> Int { max(1, limits.work / stride) }

  // MARK: For storages

  /// A storage without bytes.
  var empty: ColumnStorage { ColumnStorage(emptyIn: self) }

  /// Adds to the number of bytes of columns in memory; negative to subtract.
  func countMemory(_ bytes: Int) {
    memory.add(bytes, ordering: .relaxed)
  }

  /// Whether a block of memory stays in memory when its size changes.
  func staysInMemory(_ count: Int, insteadOf old: Int) -> Bool {
    count <= limits.smallest || hasFailed.load(ordering: .relaxed)
      || memory.load(ordering: .relaxed) - old + count <= limits.columns
  }

  /// Returns the address of a new scratch file; `nil` if the bytes must lie in memory.
  func map(byteCount: Int) -> UnsafeMutableRawPointer? {
    guard !staysInMemory(byteCount, insteadOf: 0) else { return nil }
    do {
      let address = try ScratchFile.map(byteCount: byteCount, in: folder)
      let now = mapped.add(byteCount, ordering: .relaxed).newValue
      var peak = most.load(ordering: .relaxed)
      while now > peak {
        let (isSet, found) = most.compareExchange(expected: peak, desired: now, ordering: .relaxed)
        if isSet { break }
        peak = found
      }
      return address
    } catch {
      if !hasFailed.exchange(true, ordering: .relaxed) { whenFailed(error) }
      return nil
    }
  }

  func unmap(_ address: UnsafeMutableRawPointer, byteCount: Int) {
    munmap(address, byteCount)
    mapped.subtract(byteCount, ordering: .relaxed)
  }
}

/// Files without a name that are mapped for reading and writing.
enum ScratchFile {
  /// Maps a new file.
  ///
  /// - Throws: the error of the system, such as for a full disk.
  static func map(
    byteCount: Int, in folder: FilePath
  ) throws(Errno) -> UnsafeMutableRawPointer {
    let file = try open(in: folder)
    // The mapping keeps the unlinked file alive; the system frees both together.
    defer { close(file) }
    try allocate(byteCount, of: file)
    let address = mmap(nil, byteCount, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0)
    guard let address, address != MAP_FAILED else { throw Errno(rawValue: errno) }
    return address
  }

  private static func open(in folder: FilePath) throws(Errno) -> Int32 {
    let mark = String(UInt64.random(in: .min ... .max), radix: 36)
    let path = folder.appending(".quadrille-scratch.tmp-\(getpid())-\(mark)").string
    let file = Platform.open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard file >= 0 else { throw Errno(rawValue: errno) }
    unlink(path)
    return file
  }

  /// Allocates the disk blocks of a file, so that no later write can fail for lack of space.
  private static func allocate(_ byteCount: Int, of file: Int32) throws(Errno) {
    #if canImport(Darwin)
      var store = fstore_t(
        fst_flags: UInt32(F_ALLOCATEALL), fst_posmode: F_PEOFPOSMODE, fst_offset: 0,
        fst_length: off_t(byteCount), fst_bytesalloc: 0)
      guard fcntl(file, F_PREALLOCATE, &store) >= 0, ftruncate(file, off_t(byteCount)) == 0 else {
        throw Errno(rawValue: errno)
      }
    #else
      var status: Int32
      repeat { status = posix_fallocate(file, 0, off_t(byteCount)) } while status == EINTR
      guard status == 0 else { throw Errno(rawValue: status) }
    #endif
  }
}
