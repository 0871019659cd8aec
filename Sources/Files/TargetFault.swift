import Platform
package import SystemPackage

/// The reason why no file can be put in a place, known before anything is made for it.
package enum TargetFault: Hashable, Sendable {
  case folder
  /// A pipe, a socket or a device: opening it may block for ever, and replacing it would break
  /// whatever uses it.
  case special
  /// The name, with those of temporary files beside it, is too long for the file system.
  case longName
  /// The path is longer than a program takes.
  case longPath(limit: Int)

  /// The bytes by which the names of temporary files and companions exceed the name of the file
  /// itself: `.NAME.report.json.tmp-4194304-link`.
  private static let reserve = 40

  /// Determines the fault of a file's path; `nil` if a file may be made there, or replaced.
  ///
  /// - Parameter limit: the bytes that the program which opens the file takes for a whole path, with
  ///   what it appends; `nil` for the system's limit.
  package init?(_ path: FilePath, limit: Int? = nil) {
    switch FileStatus(path)?.kind {
    case .folder: self = .folder
    case .other: self = .special
    case .file, nil:
      let name = path.lastComponent?.string ?? ""
      let longest = DurableFile.folder(of: path).appending(
        "." + name + String(repeating: "x", count: Self.reserve))
      var status = stat()
      if lstat(longest.string, &status) != 0, errno == ENAMETOOLONG {
        self = .longName
      } else if let limit, Self.wholeLength(path) + Self.reserve > limit {
        self = .longPath(limit: limit)
      } else {
        return nil
      }
    }
  }

  /// Returns the bytes of the path from the root, with links resolved.
  private static func wholeLength(_ path: FilePath) -> Int {
    let folder = DurableFile.folder(of: path).string
    guard let whole = realpath(folder, nil) else { return path.string.utf8.count }
    defer { free(whole) }
    return strlen(whole) + 1 + (path.lastComponent?.string.utf8.count ?? 0)
  }

  /// The fault with its remedy, a sentence that begins with the path.
  ///
  /// - Parameter option: the option that names the file.
  package func sentence(_ path: FilePath, option: String = "--output") -> String {
    switch self {
    case .folder: "\(path) is a folder. Choose another name with \(option)."
    case .special:
      "\(path) is a pipe, a socket or a device, and no file is put in its place. Name a regular file"
        + " with \(option)."
    case .longName:
      "the name \(path.lastComponent?.string ?? "") is too long for files that are made beside it."
        + " Choose a shorter one with \(option)."
    case .longPath(let limit):
      "the path \(path) is too long: with the folders above it, it may have"
        + " \(limit - Self.reserve) bytes. Choose a shorter one with \(option)."
    }
  }
}
