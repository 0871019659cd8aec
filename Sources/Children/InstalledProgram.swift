import Platform
package import SystemPackage

/// The programs of the system, found by name.
package enum InstalledProgram {
  /// The folders that are searched, with `:` between them: `PATH`.
  package static var searchPath: String {
    getenv("PATH").map { String(cString: $0) } ?? "/usr/local/bin:/usr/bin:/bin"
  }

  /// Returns the file of a program in the first folder that has it; `nil` for none. Folders that are
  /// relative to the current one are left out.
  package static func path(of name: String) -> FilePath? {
    for folder in searchPath.split(separator: ":") where folder.hasPrefix("/") {
      let path = FilePath(String(folder)).appending(name)
      var status = stat()
      if stat(path.string, &status) == 0, status.st_mode & S_IFMT == S_IFREG,
        access(path.string, X_OK) == 0
      {
        return path
      }
    }
    return nil
  }
}
