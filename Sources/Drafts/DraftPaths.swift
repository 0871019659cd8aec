import Definition
import SystemPackage

/// The spelling of paths in a pipeline file, which are relative to its folder.
package struct DraftPaths: Sendable {
  /// The absolute folder of the pipeline file, without `.` and `..`.
  private let folder: FilePath

  /// The absolute current folder.
  private let current: FilePath

  /// - Parameters:
  ///   - pipeline: the path of the pipeline file.
  ///   - current: the absolute path of the current folder.
  package init(pipeline: String, current: String) {
    self.current = FilePath(current)
    folder = Self.absolute(pipeline, in: self.current).removingLastComponent()
  }

  private static func absolute(_ path: String, in folder: FilePath) -> FilePath {
    folder.pushing(FilePath(path)).lexicallyNormalized()
  }

  /// Returns a path relative to the pipeline's folder; absolute where the two have only the root in
  /// common. Urls stay as they are.
  package func spelled(_ path: String) -> String {
    if DataLocation.isAddress(path) || path == DataLocation.standardInputKey { return path }
    let target = Self.absolute(path, in: current)
    let steps = Array(target.components)
    let base = Array(folder.components)
    let shared = zip(steps, base).prefix { $0 == $1 }.count
    guard shared > 0 || base.isEmpty else { return target.string }
    let up = repeatElement("..", count: base.count - shared)
    let parts = up + steps[shared...].map(\.string)
    return parts.isEmpty ? "." : parts.joined(separator: "/")
  }
}
