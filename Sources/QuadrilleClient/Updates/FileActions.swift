import Foundation

/// The changes of files that an update consists of. Each is announced before it happens, so that
/// tests can let any of them fail.
package struct FileActions: Sendable {
  /// A change of a file.
  package enum Step: Hashable, Sendable {
    case createFolder, write, truncate, sync, copy, link, rename, remove, syncFolder
    case statement, compact
  }

  /// Called before each change; an error that it throws is that of the change.
  var announce: @Sendable (Step) throws(ClientError) -> Void

  package init(
    announce: @escaping @Sendable (Step) throws(ClientError) -> Void = { _ in }
  ) {
    self.announce = announce
  }

  /// Returns the size of a file in bytes; `nil` if there is none.
  func size(_ path: String) -> Int? {
    var status = stat()
    guard stat(path, &status) == 0 else { return nil }
    return Int(status.st_size)
  }

  /// Whether a path is a symbolic link.
  func isLink(_ path: String) -> Bool {
    var status = stat()
    return lstat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFLNK
  }

  func createFolder(_ path: String) throws(ClientError) {
    try announce(.createFolder)
    guard mkdir(path, 0o755) == 0 || errno == EEXIST else { throw error(path) }
  }

  /// Opens a file to append to it; it is created if there is none.
  func openToAppend(_ path: String) throws(ClientError) -> Int32 {
    let descriptor = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o666)
    guard descriptor >= 0 else { throw error(path) }
    return descriptor
  }

  func write(_ data: Data, to descriptor: Int32, of path: String) throws(ClientError) {
    try announce(.write)
    var rest = data[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { systemWrite(descriptor, $0.baseAddress, $0.count) }
      guard count >= 0 || errno == EINTR else { throw error(path) }
      rest = rest.dropFirst(max(count, 0))
    }
  }

  /// Puts a file with some bytes in the place of another one: after a crash it is the old or the new
  /// one.
  func replace(_ path: String, by data: Data) throws(ClientError) {
    let next = path + ".new"
    if size(next) != nil { try remove(next) }
    if FileManager.default.contents(atPath: path) == data { return }
    let descriptor = try openToAppend(next)
    defer { close(descriptor) }
    try write(data, to: descriptor, of: next)
    try sync(next)
    try rename(next, to: path)
  }

  /// Makes an open file empty.
  func truncate(_ descriptor: Int32, of path: String) throws(ClientError) {
    try announce(.truncate)
    guard ftruncate(descriptor, 0) == 0 else { throw error(path) }
  }

  /// Waits until the bytes of a file are on the disk.
  func sync(_ path: String) throws(ClientError) {
    try announce(.sync)
    try syncDescriptor(path)
  }

  /// Waits until the names in a folder are on the disk.
  func syncFolder(_ path: String) throws(ClientError) {
    try announce(.syncFolder)
    try syncDescriptor(path)
  }

  private func syncDescriptor(_ path: String) throws(ClientError) {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw error(path) }
    defer { close(descriptor) }
    #if canImport(Darwin)
      // There, fsync leaves the bytes in the cache of the drive.
      if fcntl(descriptor, F_FULLFSYNC) == 0 { return }
    #endif
    guard fsync(descriptor) == 0 else { throw error(path) }
  }

  /// Copies a file by sharing its blocks; returns whether the file system can.
  func clone(_ path: String, to copy: String) throws(ClientError) -> Bool {
    try announce(.copy)
    #if canImport(Darwin)
      return clonefile(path, copy, 0) == 0
    #else
      // Source: ioctl_ficlonerange(2); the number is _IOW(0x94, 9, int).
      let (source, target) = (open(path, O_RDONLY | O_CLOEXEC), try openToAppend(copy))
      let isCloned = source >= 0 && ioctl(target, 0x4004_9409, source) == 0
      for descriptor in [source, target] where descriptor >= 0 { close(descriptor) }
      if !isCloned { try remove(copy) }
      return isCloned
    #endif
  }

  /// Copies a file.
  func copy(_ path: String, to copy: String) throws(ClientError) {
    try announce(.copy)
    do {
      try FileManager.default.copyItem(atPath: path, toPath: copy)
    } catch {
      throw ClientError.inputOutput(
        file: (copy as NSString).lastPathComponent, reason: error.localizedDescription)
    }
  }

  /// Gives a file a second name, or copies it: Android, FAT and others refuse links, each with an
  /// error of its own.
  func link(_ path: String, as name: String) throws(ClientError) {
    try announce(.link)
    if systemLink(path, name) == 0 { return }
    try copy(path, to: name)
    try sync(name)
  }

  func rename(_ path: String, to name: String) throws(ClientError) {
    try announce(.rename)
    guard systemRename(path, name) == 0 else { throw error(name) }
  }

  /// Removes a file or an empty folder, if it is there.
  func remove(_ path: String) throws(ClientError) {
    try announce(.remove)
    guard systemRemove(path) == 0 || errno == ENOENT else { throw error(path) }
  }

  private func error(_ path: String) -> ClientError {
    .lastSystemError(file: (path as NSString).lastPathComponent)
  }
}

// The methods above would hide the functions of the system of the same names.
private let systemWrite: @Sendable (Int32, UnsafeRawPointer?, Int) -> Int = { write($0, $1, $2) }
private let systemLink: @Sendable (String, String) -> Int32 = { link($0, $1) }
private let systemRename: @Sendable (String, String) -> Int32 = { rename($0, $1) }
private let systemRemove: @Sendable (String) -> Int32 = { remove($0) }
