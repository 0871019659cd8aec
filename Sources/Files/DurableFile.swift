import CRename
import Platform
package import SystemPackage

/// Files whose names lead to a whole file at every moment: they are written beside their place
/// under another name, made durable, and renamed.
///
/// Everything here throws the system's own error; who called knows what it was about.
package enum DurableFile {
  /// Where to write what will be called `path`: `.NAME.tmp-PID` in the same folder.
  ///
  /// - Parameter mark: tells apart what one process writes at the same time.
  package static func temporary(for path: FilePath, mark: String = "") -> FilePath {
    let name = path.lastComponent?.string ?? "file"
    return folder(of: path).appending(".\(name).tmp-\(getpid())\(mark)")
  }

  /// The folder that holds a file.
  package static func folder(of path: FilePath) -> FilePath {
    let parent = path.removingLastComponent()
    return parent.isEmpty ? "." : parent
  }

  /// The permissions of a file that everybody may read.
  package static let publicPermissions: FilePermissions = [
    .ownerReadWrite, .groupRead, .otherRead,
  ]

  /// Writes a small file: afterwards it is the new one, and after an error the old one.
  ///
  /// - Parameters:
  ///   - permissions: of the new file.
  ///   - isShared: whether several threads of this process may write the same file at a time.
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

  /// Makes a closed file durable and gives it its name; after an error it is gone.
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

  /// The bytes of a small file; `nil` if it is not there or larger than the limit.
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

  /// Makes a folder for this user alone, and those on the way.
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

  /// Waits until a file's content is on the medium.
  package static func synchronize(_ path: FilePath) throws(Errno) {
    do {
      let file = try FileDescriptor.open(path, .readOnly, options: [.closeOnExec])
      try file.closeAfter {
        #if canImport(Darwin)
          // On Darwin fsync leaves the data in the drive's cache.
          if fcntl(file.rawValue, F_FULLFSYNC) == 0 { return }
        #endif
        while fsync(file.rawValue) != 0 {
          // Network file systems break it off for any signal.
          guard errno == EINTR else { throw Errno(rawValue: errno) }
        }
      }
    } catch {
      throw error as? Errno ?? .ioError
    }
  }

  /// Waits until the names in a file's folder are on the medium, where the file system can say so.
  package static func synchronizeFolder(of path: FilePath) throws(Errno) {
    do throws(Errno) {
      try synchronize(folder(of: path))
    } catch .invalidArgument, .notSupported {
      // Some network file systems know no fsync of folders; their renames are as durable as can be.
    }
  }

  /// Gives a file another name in the place of what has that name; afterwards it has the first no
  /// more, also where both names were its own.
  package static func rename(_ from: FilePath, to path: FilePath) throws(Errno) {
    guard Platform.rename(from.string, path.string) == 0 else { throw Errno(rawValue: errno) }
    // Renaming one name of a file to another name of it does nothing, so the first may be left.
    guard from.lexicallyNormalized() != path.lexicallyNormalized(), let left = FileStatus(from),
      FileStatus(path)?.isSameFile(as: left) == true
    else { return }
    unlink(from.string)
  }

  /// Gives two files or folders each other's names, in one step.
  ///
  /// - Returns: `false`, with everything as it was, where the system or the file system cannot do that.
  package static func exchange(_ one: FilePath, with other: FilePath) throws(Errno) -> Bool {
    if crename_exchange(one.string, other.string) == 0 { return true }
    let cause = Errno(rawValue: errno)
    guard lacksExchange.contains(cause) else { throw cause }
    return false
  }

  /// The errors of the call where the system (Linux before 3.15) or the file system has no such step.
  private static let lacksExchange: [Errno] = [
    .noFunction, .invalidArgument, .notSupported, Errno(rawValue: EOPNOTSUPP),
  ]

  /// Makes `other` a second name of a file, in the place of what has that name; a durable copy where
  /// the file system has no such names.
  package static func duplicate(_ path: FilePath, as other: FilePath) throws(Errno) {
    let temporary = temporary(for: other, mark: "-link")
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

  /// What `link` says where it cannot be had, though a copy can: another device, a file system
  /// without links, a file of somebody else's, too many links.
  private static let needsCopy: [Errno] = [
    .improperLink, .notPermitted, .notSupported, .noFunction, .tooManyLinks, .permissionDenied,
    Errno(rawValue: EOPNOTSUPP),
  ]

  /// Copies a file with its time of change, durably.
  ///
  /// - Complexity: O(bytes), a mebibyte at a time.
  package static func copy(_ source: FilePath, to target: FilePath) throws(Errno) {
    let input: FileDescriptor
    do {
      input = try FileDescriptor.open(source, .readOnly, options: [.closeOnExec])
    } catch {
      throw error as? Errno ?? .ioError
    }
    defer { try? input.close() }
    try create(target) { (file) throws(Errno) in
      var buffer = [UInt8](repeating: 0, count: 1 << 20)
      while true {
        let count: Int
        do {
          count = try buffer.withUnsafeMutableBytes { try input.read(into: $0) }
        } catch {
          throw error as? Errno ?? .ioError
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

  /// Opens an empty file, and closes it after its content was written.
  ///
  /// - Parameter isNew: whether there must be none of that name.
  private static func create(
    _ path: FilePath, _ permissions: FilePermissions = publicPermissions, isNew: Bool = false,
    _ body: (FileDescriptor) throws(Errno) -> Void
  ) throws(Errno) {
    do {
      let file = try FileDescriptor.open(
        path, .writeOnly, options: [.create, isNew ? .exclusiveCreate : .truncate, .closeOnExec],
        permissions: permissions)
      try file.closeAfter { try body(file) }
    } catch {
      throw error as? Errno ?? .ioError
    }
  }

  private static func write(_ bytes: ArraySlice<UInt8>, to file: FileDescriptor) throws(Errno) {
    do {
      _ = try file.writeAll(bytes)
    } catch {
      throw error as? Errno ?? .ioError
    }
  }
}
