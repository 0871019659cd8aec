package import SystemPackage

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// The right to replace one archive, and the temporary file that will replace it.
///
/// The archive's name always leads to a whole archive, the old one or the new one: the new one is
/// built beside it under a name that no reader takes for an archive, made durable, then renamed.
/// Whoever holds this holds a lock; it ends with the object, and with it an uncommitted file.
///
/// For `output/hotels.mbtiles` the files are `.hotels.mbtiles.lock` and `.hotels.mbtiles.tmp-PID`.
package final class ArchivePublication {
  /// The archive.
  package let archive: FilePath

  /// Where to build; nothing is there at first.
  package let temporary: FilePath

  private let folder: FilePath
  private let lock: FileLock
  private var isCommitted = false

  /// Takes the lock and removes what dead builds of the same archive left.
  ///
  /// - Throws: ``ArchiveError`` with the code ``ArchiveError/Code/locked`` while another run holds
  ///   the archive, `cannotCreate` or `permission` if its folder does not take a file.
  package init(_ archive: FilePath) throws(ArchiveError) {
    guard let name = archive.lastComponent?.string else {
      throw ArchiveError(.cannotCreate, "'\(archive)' names no file.", path: archive)
    }
    guard name.utf8.allSatisfy({ (0x20..<0x7F).contains($0) }) else {
      throw ArchiveError(
        .cannotCreate, "the file name '\(name)' is not plain ASCII, which some readers need.",
        path: archive)
    }
    let parent = archive.removingLastComponent()
    folder = parent.isEmpty ? "." : parent
    self.archive = archive
    temporary = folder.appending(".\(name).tmp-\(getpid())")
    lock = try FileLock(path: folder.appending(".\(name).lock"), archive: archive)
    StaleFiles.remove(prefix: ".\(name).tmp-", in: folder)
  }

  deinit {
    if !isCommitted { unlink(temporary.string) }
  }

  /// Makes the temporary file durable and gives it the archive's name.
  ///
  /// When this throws, the old archive is still in place, unless only the folder's own record of
  /// the rename could not be made durable.
  package func commit() throws(ArchiveError) {
    try synchronize(temporary)
    guard rename(temporary.string, archive.string) == 0 else {
      throw ArchiveError(
        Errno(rawValue: errno), doing: "rename \(temporary) to", path: archive)
    }
    isCommitted = true
    try synchronize(folder)
  }

  /// Waits until a file, or a folder's list of names, is on the medium.
  private func synchronize(_ path: FilePath) throws(ArchiveError) {
    do {
      let file = try FileDescriptor.open(path, .readOnly, options: [.closeOnExec])
      defer { try? file.close() }
      #if canImport(Darwin)
        // On Darwin fsync leaves the data in the drive's cache.
        if fcntl(file.rawValue, F_FULLFSYNC) == 0 { return }
      #endif
      guard fsync(file.rawValue) == 0 else { throw Errno(rawValue: errno) }
    } catch {
      throw ArchiveError(error as? Errno ?? .ioError, doing: "make durable", path: path)
    }
  }
}
