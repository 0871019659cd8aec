import Platform
package import SystemPackage

/// The temporary files that killed runs left behind, and their removal.
package enum StaleFiles {
  /// Unlinks the temporary files of `path` (see ``DurableFile/temporary(for:mark:)``) that no
  /// process is writing any more.
  ///
  /// Failing to remove one is not an error, since it is harmless.
  ///
  /// - Parameter isLocked: whether only the holder of a lock writes such files and the caller holds
  ///   it, so that all of them are stale. Otherwise a file is stale if its process has ended, or if
  ///   it has the id of this process, which has only just started.
  package static func remove(besides path: FilePath, isLocked: Bool) {
    for other in paths(besides: path, isLocked: isLocked) { unlink(other.string) }
  }

  /// Returns the temporary files and folders of `path` that no process is writing any more, sorted
  /// by name.
  ///
  /// - Parameter isLocked: as for ``remove(besides:isLocked:)``.
  package static func paths(besides path: FilePath, isLocked: Bool = true) -> [FilePath] {
    let folder = DurableFile.folder(of: path)
    guard let name = path.lastComponent?.string else { return [] }
    return FolderListing.names(in: folder)
      .filter { isStale($0, prefix: ".\(name).tmp-", isLocked: isLocked) }
      .sorted().map { folder.appending($0) }
  }

  /// Unlinks files that killed runs left in a folder for scratch files, by the name of one to be
  /// created there: `.NAME.tmp-PID-images`. Those of this process and of other running ones stay.
  package static func remove(like scratch: FilePath) {
    guard let name = scratch.lastComponent?.string, name.hasPrefix("."),
      let mark = name.firstRange(of: ".tmp-")
    else { return }
    let folder = DurableFile.folder(of: scratch)
    let prefix = String(name[..<mark.upperBound])
    for other in FolderListing.names(in: folder)
    where !other.hasPrefix("\(prefix)\(getpid())")
      && isStale(other, prefix: prefix, isLocked: false)
    {
      unlink(folder.appending(other).string)
    }
  }

  /// Whether a name consists of the prefix, a process id, and optionally `-` and more.
  private static func isStale(_ name: String, prefix: String, isLocked: Bool) -> Bool {
    guard name.hasPrefix(prefix) else { return false }
    let rest = name.dropFirst(prefix.count)
    let digits = rest.prefix { $0.isASCII && $0.isNumber }
    guard let process = pid_t(digits), process > 0 else { return false }
    let tail = rest.dropFirst(digits.count)
    guard tail.isEmpty || tail.hasPrefix("-") else { return false }
    return isLocked || process == getpid() || (kill(process, 0) != 0 && errno == ESRCH)
  }
}
