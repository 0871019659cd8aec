import CFiles
import Platform
package import SystemPackage

/// Functions that write files durably, so that a name always leads to a complete file: the content
/// is written under another name in the same folder, made durable, and renamed.
///
/// Errors are the system's own; the caller knows the context.
package enum DurableFile {
  /// Returns the path at which to write a file that will be called `path`: `.NAME.tmp-PID` in the
  /// same folder.
  ///
  /// - Parameter mark: distinguishes files that one process writes at the same time.
  package static func temporary(for path: FilePath, mark: String = "") -> FilePath {
    let name = path.lastComponent?.string ?? "file"
    return folder(of: path).appending(".\(name).tmp-\(getpid())\(mark)")
  }

  /// Returns the folder that contains a file.
  package static func folder(of path: FilePath) -> FilePath {
    let parent = path.removingLastComponent()
    return parent.isEmpty ? "." : parent
  }

  /// The permissions of a file as the user's umask leaves them.
  package static let publicPermissions: FilePermissions = [
    .ownerReadWrite, .groupReadWrite, .otherReadWrite,
  ]

  /// Writes a small file: on return the path leads to the new file, after an error to the old one.
  ///
  /// - Parameters:
  ///   - permissions: the permissions of the new file.
  ///   - isShared: whether several threads of this process may write the same file at once.
  package static func write(
    _ bytes: [UInt8], to path: FilePath, permissions: FilePermissions = publicPermissions,
    isShared: Bool = false
  ) throws(Errno) {
    let mark = isShared ? "-" + String(UInt64.random(in: .min ... .max), radix: 36) : ""
    let temporary = temporary(for: path, mark: mark)
    do throws(Errno) {
      try create(temporary, permissions, isNew: isShared) { (file) throws(Errno) in
        try write(bytes[...], to: file)
      }
    } catch {
      unlink(temporary.string)
      throw error
    }
    try publish(temporary, as: path)
  }

  /// Writes a file piece by piece: on return the path leads to the new file, after an error to the old
  /// one.
  ///
  /// - Parameter body: calls its parameter with each piece.
  package static func write(
    to path: FilePath, _ body: ((ArraySlice<UInt8>) throws(Errno) -> Void) throws(Errno) -> Void
  ) throws(Errno) {
    let temporary = temporary(for: path)
    do throws(Errno) {
      try create(temporary) { (file) throws(Errno) in
        try body { (bytes) throws(Errno) in try write(bytes, to: file) }
      }
    } catch {
      unlink(temporary.string)
      throw error
    }
    try publish(temporary, as: path)
  }

  /// Makes a closed file durable and gives it its name; removes it if that fails.
  package static func publish(_ temporary: FilePath, as path: FilePath) throws(Errno) {
    do throws(Errno) {
      try synchronize(temporary)
      try rename(temporary, to: path)
    } catch {
      unlink(temporary.string)
      throw error
    }
    try synchronizeFolder(of: path)
  }

  /// Returns the bytes of a small file; `nil` if it does not exist or exceeds the limit.
  package static func read(_ path: FilePath, limit: Int) -> [UInt8]? {
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

  /// Creates a folder that only this user can access, with the folders on its path.
  package static func createPrivateFolder(_ path: FilePath) throws(FileError) {
    if mkdir(path.string, 0o700) == 0 || errno == EEXIST { return }
    let cause = Errno(rawValue: errno)
    let parent = path.removingLastComponent()
    guard cause == .noSuchFileOrDirectory, !parent.isEmpty, parent != path else {
      throw FileError(cause, doing: "make the folder", path: path)
    }
    try createPrivateFolder(parent)
    guard mkdir(path.string, 0o700) == 0 || errno == EEXIST else {
      throw FileError(Errno(rawValue: errno), doing: "make the folder", path: path)
    }
  }

  /// Removes a file, which need not exist.
  package static func remove(_ path: FilePath) throws(Errno) {
    guard unlink(path.string) == 0 || errno == ENOENT else { throw Errno(rawValue: errno) }
  }

  /// Waits until a file's content is on the medium.
  package static func synchronize(_ path: FilePath) throws(Errno) {
    try Errno.thrown {
      let file = try FileDescriptor.open(path, .readOnly, options: [.closeOnExec])
      try file.closeAfter {
        #if canImport(Darwin)
          // On Darwin fsync leaves the data in the drive's cache.
          if fcntl(file.rawValue, F_FULLFSYNC) == 0 { return }
        #endif
        while fsync(file.rawValue) != 0 {
          // Network file systems interrupt the call for any signal.
          guard errno == EINTR else { throw Errno(rawValue: errno) }
        }
      }
    }
  }

  /// Waits until the names in a file's folder are on the medium, where the file system supports
  /// this.
  package static func synchronizeFolder(of path: FilePath) throws(Errno) {
    do throws(Errno) {
      try synchronize(folder(of: path))
    } catch .invalidArgument, .notSupported {
      // Some network file systems lack fsync for folders; their renames are as durable as they can
      // be.
    }
  }

  /// Renames a file, replacing a file of the new name; the old name is removed even if both were
  /// names of the same file.
  package static func rename(_ from: FilePath, to path: FilePath) throws(Errno) {
    guard Platform.rename(from.string, path.string) == 0 else { throw Errno(rawValue: errno) }
    // Renaming one name of a file to another name of it does nothing, so the first may remain.
    guard from.lexicallyNormalized() != path.lexicallyNormalized(), let left = FileStatus(from),
      FileStatus(path)?.isSameFile(as: left) == true
    else { return }
    unlink(from.string)
  }

  /// Swaps the names of two files or folders in one step.
  ///
  /// - Returns: `false`, with nothing changed, where the system or the file system cannot do that.
  package static func exchange(_ one: FilePath, with other: FilePath) throws(Errno) -> Bool {
    if cfiles_exchange(one.string, other.string) == 0 { return true }
    let cause = Errno(rawValue: errno)
    guard lacksExchange.contains(cause) else { throw cause }
    return false
  }

  /// The errors of the call where the system (Linux before 3.15) or the file system lacks this
  /// step.
  private static let lacksExchange: [Errno] = [
    .noFunction, .invalidArgument, .notSupported, Errno(rawValue: EOPNOTSUPP),
  ]

  /// Adds the name `other` to a file, replacing a file of that name; makes a durable copy where the
  /// file system does not support hard links.
  ///
  /// - Parameter temporary: the name in between; `nil` for a temporary file of `other`.
  package static func duplicate(
    _ path: FilePath, as other: FilePath, through temporary: FilePath? = nil
  ) throws(Errno) {
    let temporary = temporary ?? Self.temporary(for: other, mark: "-link")
    unlink(temporary.string)
    do throws(Errno) {
      if link(path.string, temporary.string) != 0 {
        let cause = Errno(rawValue: errno)
        guard needsCopy.contains(cause) else { throw cause }
        try copy(path, to: temporary)
      }
      try rename(temporary, to: other)
    } catch {
      unlink(temporary.string)
      throw error
    }
  }

  /// The errors of `link` after which a copy is still possible: another device, a file system
  /// without links, a file of another user, too many links.
  private static let needsCopy: [Errno] = [
    .improperLink, .notPermitted, .notSupported, .noFunction, .tooManyLinks, .permissionDenied,
    Errno(rawValue: EOPNOTSUPP),
  ]

  /// Copies a file durably, with its modification time.
  ///
  /// - Complexity: O(bytes), a mebibyte at a time.
  package static func copy(_ source: FilePath, to target: FilePath) throws(Errno) {
    let input = try Errno.thrown {
      try FileDescriptor.open(source, .readOnly, options: [.closeOnExec])
    }
    defer { try? input.close() }
    try create(target) { (file) throws(Errno) in
      var buffer = [UInt8](repeating: 0, count: 1 << 20)
      while true {
        let count = try Errno.thrown {
          try buffer.withUnsafeMutableBytes { try input.read(into: $0) }
        }
        if count == 0 { break }
        try write(buffer[..<count], to: file)
      }
      var status = stat()
      guard fstat(input.rawValue, &status) == 0 else { throw Errno(rawValue: errno) }
      #if canImport(Darwin)
        let times = [status.st_atimespec, status.st_mtimespec]
      #else
        let times = [status.st_atim, status.st_mtim]
      #endif
      guard futimens(file.rawValue, times) == 0 else { throw Errno(rawValue: errno) }
    }
    try synchronize(target)
  }

  /// Opens an empty file, and closes it after its content has been written.
  ///
  /// - Parameter isNew: whether the call fails if a file of that name exists.
  private static func create(
    _ path: FilePath, _ permissions: FilePermissions = publicPermissions, isNew: Bool = false,
    _ body: (FileDescriptor) throws(Errno) -> Void
  ) throws(Errno) {
    try Errno.thrown {
      let file = try FileDescriptor.open(
        path, .writeOnly, options: [.create, isNew ? .exclusiveCreate : .truncate, .closeOnExec],
        permissions: permissions)
      try file.closeAfter { try body(file) }
    }
  }

  private static func write(_ bytes: ArraySlice<UInt8>, to file: FileDescriptor) throws(Errno) {
    _ = try Errno.thrown { try file.writeAll(bytes) }
  }
}
