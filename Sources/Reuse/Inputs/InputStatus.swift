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
