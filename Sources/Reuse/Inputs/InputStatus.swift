import Files
import Platform
package import SystemPackage

/// What the system says of an input file at one moment: files that are equal in all of it hold the
/// same bytes, unless they were written to within one step of the file system's clock.
package struct InputStatus: Hashable, Sendable {
  let device: UInt64
  let inode: UInt64

  /// Bytes.
  let size: Int

  /// When the content was last written, nanoseconds since 1970; a program may set it to any value.
  package let modified: Int64

  /// When anything about the file last changed, nanoseconds since 1970; no program can set it.
  package let changed: Int64

  /// Of a path, symbolic links followed.
  ///
  /// - Throws: `Errno` where there is no file, or where it cannot be asked for.
  package init(path: String) throws(Errno) {
    self.init(try FileStatus(of: FilePath(path)))
  }

  /// Of an open file.
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
  package static let fineStep: Int64 = 25_000_000

  /// How long after a write another one may leave the times as they are, nanoseconds.
  package var step: Int64 {
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
