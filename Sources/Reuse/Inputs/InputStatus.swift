import Files
import Platform
package import SystemPackage

/// The system's status of an input file at one moment: files with equal status hold the same bytes,
/// unless they were written within one step of the file system's clock.
package struct InputStatus: Hashable, Sendable {
  let device: UInt64
  let inode: UInt64

  /// The size in bytes.
  let size: Int

  /// The time of the last write to the content, in nanoseconds since 1970; a program may set it to
  /// any value.
  package let modified: Int64

  /// The time of the last change to anything about the file, in nanoseconds since 1970; programs
  /// cannot set it.
  package let changed: Int64

  /// Reads the status of a path, following symbolic links.
  ///
  /// - Throws: `Errno` where the file does not exist or its status cannot be read.
  package init(path: String) throws(Errno) {
    self.init(try FileStatus(of: FilePath(path)))
  }

  /// Restores a status from its ``numbers``; `nil` if these are not as many.
  init?(numbers: some RandomAccessCollection<Int64>) {
    let numbers = Array(numbers)
    guard numbers.count == Self.numberCount else { return nil }
    self.init(
      device: UInt64(bitPattern: numbers[0]), inode: UInt64(bitPattern: numbers[1]),
      size: Int(numbers[2]), modified: numbers[3], changed: numbers[4])
  }

  /// The number of ``numbers``.
  static let numberCount = 5

  /// The status as numbers, for artifacts.
  var numbers: [Int64] {
    [
      Int64(bitPattern: device), Int64(bitPattern: inode), Int64(size), modified, changed,
    ]
  }

  /// Reads the status of an open file.
  init(_ file: FileDescriptor) throws(Errno) {
    self.init(try FileStatus(of: file))
  }

  init(device: UInt64, inode: UInt64, size: Int, modified: Int64, changed: Int64) {
    self.device = device
    self.inode = inode
    self.size = size
    self.modified = modified
    self.changed = changed
  }

  private init(_ status: FileStatus) {
    device = status.device
    inode = status.inode
    size = status.size
    modified = status.modified
    changed = status.changed
  }

  /// Reads the status of a path that was left alone for a step of the file system's clock, for which
  /// it waits, 25 ms at most: whoever writes from now on changes the times.
  ///
  /// - Returns: `nil` where there is no such file, or where it was written too recently.
  package static func settled(path: String) -> InputStatus? {
    try? InputStatus(path: path).waitUntilSettled()
    guard let status = try? InputStatus(path: path), !status.isFresh(at: InputDigests.wallClock())
    else { return nil }
    return status
  }

  /// Waits, 25 ms at most, until a later write would change the times.
  package func waitUntilSettled() {
    let wait = max(modified, changed) &+ step &- InputDigests.wallClock()
    if (0..<Self.fineStep).contains(wait) { usleep(UInt32(wait / 1000) + 1) }
  }

  /// Whether the content must be the same, except for writes within a step of the clock: only names
  /// and permissions may have changed.
  func isContent(of other: InputStatus) -> Bool {
    device == other.device && inode == other.inode && size == other.size
      && modified == other.modified
  }

  /// The step, in nanoseconds, of the clock of a file system that counts in seconds: two for FAT.
  static let coarseStep: Int64 = 2_000_000_000

  /// The step, in nanoseconds, where times have digits below the millisecond: such times follow the
  /// kernel's tick, 10 ms at most.
  package static let fineStep: Int64 = 25_000_000

  /// The time after a write, in nanoseconds, during which another write may leave the times
  /// unchanged.
  package var step: Int64 {
    changed % 1_000_000 == 0 ? Self.coarseStep : Self.fineStep
  }

  /// Whether a later write could leave the times unchanged: the file was written within a step of
  /// the moment at which its status was read, or, by a clock that was set, after it.
  ///
  /// - Parameters:
  ///   - moment: nanoseconds since 1970.
  ///   - step: a longer step than ``step``, for file systems whose clock is unknown.
  func isFresh(at moment: Int64, step: Int64? = nil) -> Bool {
    max(modified, changed) > moment &- (step ?? self.step)
  }
}
