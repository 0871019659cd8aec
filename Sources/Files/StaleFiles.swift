import Foundation
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
      let mark = name.firstRange(of: mark)
    else { return }
    let folder = DurableFile.folder(of: scratch)
    let prefix = String(name[..<mark.upperBound])
    for other in FolderListing.names(in: folder) {
      guard let process = process(of: other, prefix: prefix), isDead(process) else { continue }
      unlink(folder.appending(other).string)
    }
  }

  /// Removes the files, and the folders of this user, that dead processes left in a folder which many
  /// runs share, `PREFIX….tmp-PID`.
  ///
  /// - Parameter prefix: the beginning of their names; that of ``RunFile`` if it is not given.
  /// - Complexity: O(names in the folder).
  package static func sweep(_ folder: FilePath, prefix: String = RunFile.prefix) {
    for name in FolderListing.names(in: folder) where name.hasPrefix(prefix) {
      guard let mark = name.firstRange(of: mark),
        let process = process(of: name, prefix: name[..<mark.upperBound]), isDead(process)
      else { continue }
      let path = folder.appending(name).string
      if unlink(path) == 0 { continue }
      var status = stat()
      // Another user could put a link into a folder while it is removed.
      guard lstat(path, &status) == 0, status.st_uid == geteuid() else { continue }
      try? FileManager.default.removeItem(atPath: path)
    }
  }

  /// The text before the number of the process in a name.
  private static let mark = ".tmp-"

  private static func isStale(_ name: String, prefix: String, isLocked: Bool) -> Bool {
    guard let process = process(of: name, prefix: prefix) else { return false }
    return isLocked || process == getpid() || isDead(process)
  }

  /// Returns the process in a name that consists of the prefix, its number, and optionally `-` and
  /// more; `nil` for other names.
  private static func process(of name: String, prefix: some StringProtocol) -> pid_t? {
    guard name.hasPrefix(prefix) else { return nil }
    let rest = name.dropFirst(prefix.count)
    let digits = rest.prefix { $0.isASCII && $0.isNumber }
    guard let process = pid_t(digits), process > 0 else { return nil }
    let tail = rest.dropFirst(digits.count)
    return tail.isEmpty || tail.hasPrefix("-") ? process : nil
  }

  private static func isDead(_ process: pid_t) -> Bool {
    kill(process, 0) != 0 && errno == ESRCH
  }
}
