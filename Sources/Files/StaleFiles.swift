import Platform
package import SystemPackage

/// The temporary files that dead runs left.
package enum StaleFiles {
  /// Unlinks the temporary files of `path` (see ``DurableFile/temporary(for:mark:)``) that nobody
  /// writes any more.
  ///
  /// Failing to remove one is no error: it is in nobody's way.
  ///
  /// - Parameter isLocked: whether only the holder of a lock writes such files and the caller holds
  ///   it, so that all of them are stale. Otherwise those are whose process is gone, and those that
  ///   have the number of this one, which only now begins.
  package static func remove(besides path: FilePath, isLocked: Bool) {
    for other in paths(besides: path, isLocked: isLocked) { unlink(other.string) }
  }

  /// The temporary files and folders of `path` that nobody writes any more, in the order of their
  /// names.
  ///
  /// - Parameter isLocked: as for ``remove(besides:isLocked:)``.
  package static func paths(besides path: FilePath, isLocked: Bool = true) -> [FilePath] {
    let folder = DurableFile.folder(of: path)
    guard let name = path.lastComponent?.string else { return [] }
    return FolderListing.names(in: folder)
      .filter { isStale($0, prefix: ".\(name).tmp-", isLocked: isLocked) }
      .sorted().map { folder.appending($0) }
  }

  /// Unlinks what dead runs left in a folder for scratch files, by the name of one that is to be made
  /// there: `.NAME.tmp-PID-images`. Those of this process and of others that run stay.
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

  /// Whether a name is the prefix, the number of a process, and nothing or `-` and more.
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
