import Platform
package import SystemPackage

/// The temporary files and folders of a run in a folder that other runs use, too.
///
/// The names contain the process id, so that ``StaleFiles/sweep(_:prefix:)`` finds leftovers of
/// killed runs.
package enum RunFile {
  /// The beginning of all names.
  package static let prefix = ".quadrille-"

  /// Returns a path that no other file has: `.quadrille-PURPOSE.tmp-PID-MARK`.
  package static func path(in folder: FilePath, for purpose: String) -> FilePath {
    let mark = String(UInt64.random(in: .min ... .max), radix: 36)
    return folder.appending(name(for: purpose, mark: mark))
  }

  /// Returns the name of a file or folder of this process.
  ///
  /// - Parameter mark: distinguishes the runs of one process.
  package static func name(for purpose: String, mark: String) -> String {
    "\(prefix)\(purpose).tmp-\(getpid())-\(mark)"
  }
}
