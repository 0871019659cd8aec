import Platform
import SystemPackage

/// What the system says of an input file at one moment: files that are equal in all of it hold the
/// same bytes, unless they were written to within one step of the file system's clock.
struct InputStatus: Hashable, Sendable {
  let device: UInt64
  let inode: UInt64

  /// Bytes.
  let size: Int

  /// When the content was last written, nanoseconds since 1970; a program may set it to any value.
  let modified: Int64

  /// When anything about the file last changed, nanoseconds since 1970; no program can set it.
  let changed: Int64

  /// Of a path, symbolic links followed.
  ///
  /// - Throws: `Errno` where there is no file, or where it cannot be asked for.
  init(path: String) throws(Errno) {
    self.init(try Stat(FilePath(path)))
  }

  /// Of an open file.
  init(_ file: FileDescriptor) throws(Errno) {
    self.init(try file.stat())
  }

  init(device: UInt64, inode: UInt64, size: Int, modified: Int64, changed: Int64) {
    self.device = device
    self.inode = inode
    self.size = size
    self.modified = modified
    self.changed = changed
  }

  private init(_ status: Stat) {
    device = UInt64(truncatingIfNeeded: status.deviceID.rawValue)
    inode = UInt64(truncatingIfNeeded: status.inode.rawValue)
    size = Int(status.size)
    modified = Self.nanoseconds(status.st_mtim.tv_sec, status.st_mtim.tv_nsec)
    changed = Self.nanoseconds(status.st_ctim.tv_sec, status.st_ctim.tv_nsec)
  }

  /// Wraps around beyond the years 1678 to 2262: only equality and nearness to today matter.
  private static func nanoseconds(_ seconds: Int, _ rest: Int) -> Int64 {
    Int64(seconds) &* 1_000_000_000 &+ Int64(rest)
  }

  /// Whether the content must be the same, but for what hides within a step of the clock: only
  /// names and rights may have changed.
  func isContent(of other: InputStatus) -> Bool {
    device == other.device && inode == other.inode && size == other.size
      && modified == other.modified
  }

  /// The step of the clock of a file system that counts in seconds, nanoseconds: FAT takes two.
  static let coarseStep: Int64 = 2_000_000_000

  /// The same where times have digits below the millisecond: they follow the kernel's tick, 10 ms
  /// at most.
  static let fineStep: Int64 = 25_000_000

  /// How long after a write another one may leave the times as they are, nanoseconds.
  var step: Int64 {
    changed % 1_000_000 == 0 ? Self.coarseStep : Self.fineStep
  }

  /// Whether a later write could leave the times as they are: the file was written to within a step
  /// of the moment at which it was looked at, or, by a clock that was set, after it.
  ///
  /// - Parameters:
  ///   - moment: nanoseconds since 1970.
  ///   - step: a longer one than ``step``, for file systems of which nothing is known.
  func isFresh(at moment: Int64, step: Int64? = nil) -> Bool {
    max(modified, changed) > moment &- (step ?? self.step)
  }
}
