import Foundation

/// The checkout that these tests lie in.
enum Repository {
  static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent()

  /// The text of a file, by its path from the root.
  static func text(_ path: String) throws -> String {
    try String(contentsOf: root.appendingPathComponent(path), encoding: .utf8)
  }

  /// The paths of the files in a folder and below it whose names end with a suffix, sorted.
  static func files(in folder: String, suffix: String) throws -> [String] {
    try FileManager.default.subpathsOfDirectory(
      atPath: root.appendingPathComponent(folder).path(percentEncoded: false)
    )
    .filter { $0.hasSuffix(suffix) && !$0.split(separator: "/").contains(".build") }
    .map { "\(folder)/\($0)" }.sorted()
  }

  /// The Markdown documents that people read.
  static func documents() throws -> [String] {
    let top = try FileManager.default.contentsOfDirectory(atPath: root.path(percentEncoded: false))
      .filter { $0.hasSuffix(".md") }
    return try (top + files(in: "docs", suffix: ".md")).sorted()
      + ["Benchmarks/README.md", "Fuzzing/README.md", "pipelines/README.md"]
  }
}
