/// The state of files at one moment, compared with a later one to detect changes; files may come
/// and go.
package struct WatchedFiles: Hashable, Sendable {
  private let stamps: [String: FileStamp]

  /// Looks at files.
  ///
  /// - Complexity: O(files).
  package init(_ paths: some Sequence<String>) {
    var stamps: [String: FileStamp] = [:]
    for path in paths { stamps[path] = FileStamp(path) }
    self.stamps = stamps
  }
}
