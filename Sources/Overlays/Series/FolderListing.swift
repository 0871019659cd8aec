import Platform

/// The names in a folder, in the order of their bytes.
struct FolderListing {
  enum Kind {
    case file, folder, other
  }

  /// Without `.` and `..`.
  let names: [String]

  /// - Throws: ``SeriesError`` where the folder cannot be read, or holds more names than `limit`.
  /// - Complexity: O(n log n).
  init(_ path: String, limit: Int) throws(SeriesError) {
    guard let stream = opendir(path) else {
      throw SeriesError(
        .unreadable,
        "the folder '\(path)' cannot be read: \(Self.reason(errno)); check it and its permissions.")
    }
    defer { closedir(stream) }
    var names: [String] = []
    while true {
      errno = 0
      guard let entry = readdir(stream) else { break }
      let name = withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
        String(validating: bytes.prefix { $0 != 0 }, as: UTF8.self)
      }
      guard let name else {
        throw SeriesError(
          .unreadable, "a name in the folder '\(path)' is not UTF-8; rename the file.")
      }
      if name == "." || name == ".." { continue }
      guard names.count < limit else {
        throw SeriesError(
          .tooLarge, "the folder '\(path)' leads beyond the limit of names; narrow the glob.")
      }
      names.append(name)
    }
    guard errno == 0 else {
      throw SeriesError(
        .unreadable, "the folder '\(path)' cannot be read whole: \(Self.reason(errno)).")
    }
    self.names = names.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
  }

  /// What a path leads to, behind links or not; `nil` where there is nothing.
  static func kind(of path: String, followingLinks: Bool) -> Kind? {
    var status = stat()
    let result = followingLinks ? stat(path, &status) : lstat(path, &status)
    guard result == 0 else { return nil }
    switch status.st_mode & S_IFMT {
    case S_IFREG: return .file
    case S_IFDIR: return .folder
    default: return .other
    }
  }

  private static func reason(_ code: Int32) -> String {
    strerror(code).map { String(cString: $0) } ?? "error \(code)"
  }
}
