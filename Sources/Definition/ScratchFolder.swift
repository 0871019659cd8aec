import Platform
package import SystemPackage

extension BuildOptions {
  /// Returns the folder of a run's temporary files: the one that `--tmpdir` or the environment
  /// names, otherwise the folder of the archive.
  package func scratchFolder(beside archive: String) -> FilePath {
    if let temporaryFolder { return FilePath(temporaryFolder) }
    if let folder = getenv("TMPDIR").map({ String(cString: $0) }), !folder.isEmpty {
      return FilePath(folder)
    }
    let folder = FilePath(archive).removingLastComponent()
    return folder.isEmpty ? "." : folder
  }
}
