import Foundation
import SystemPackage

/// The identity of a file, or of the place where one would be created: two paths are the same place
/// if they lead to one file, through any links, `..` and hard links.
package struct FilePlace: Sendable {
  /// The path from the root, without `.` and `..`.
  private let path: FilePath

  /// The file that exists there; `nil` for none.
  private let status: FileStatus?

  /// The closest folder on the path that exists, and the steps from there.
  private let root: FileStatus?
  private let steps: [String]

  package init(_ path: String) {
    let whole = FilePath(FileManager.default.currentDirectoryPath).pushing(FilePath(path))
      .lexicallyNormalized()
    self.path = whole
    status = FileStatus(whole)
    var (folder, steps) = (whole, [String]())
    var root: FileStatus?
    while root == nil, let last = folder.lastComponent {
      steps.append(last.string)
      folder.removeLastComponent()
      root = FileStatus(folder)
    }
    self.root = root
    self.steps = steps.reversed()
  }

  /// Whether both lead to one file, or would if it existed.
  package func isSame(as other: FilePlace) -> Bool {
    if path == other.path { return true }
    if let status, let another = other.status { return status.isSameFile(as: another) }
    guard let root, let another = other.root else { return false }
    return steps == other.steps && root.isSameFile(as: another)
  }

  /// Whether two paths lead to one file, or would if it existed.
  package static func areSame(_ path: String, _ other: String) -> Bool {
    FilePlace(path).isSame(as: FilePlace(other))
  }

  /// Returns the folder and the name of a file as the path gives them; if the last step is a link,
  /// also the folder and the name of its target.
  package static func names(of path: String) -> [(folder: String, name: String)] {
    var paths = [FilePath(path)]
    if FileStatus(paths[0], followsLinks: false)?.kind == .other, let real = realpath(path, nil) {
      paths.append(FilePath(String(cString: real)))
      free(real)
    }
    return paths.compactMap { path in
      path.lastComponent.map { (DurableFile.folder(of: path).string, $0.string) }
    }
  }
}
