import Foundation

/// The real data and corpora beside the checkout: `../shared/data` of the package, or the folder
/// `data` of `$QUADRILLE_SHARED`.
enum JSONSharedData {
  /// The folder, `nil` where it is absent and the tests on it are skipped.
  static let folder: URL? = {
    if let root = ProcessInfo.processInfo.environment["QUADRILLE_SHARED"] {
      return existing(URL(fileURLWithPath: root).appendingPathComponent("data"))
    }
    var package = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    while !FileManager.default.fileExists(
      atPath: package.appendingPathComponent("Package.swift").path)
    {
      guard package.path != "/" else { return nil }
      package.deleteLastPathComponent()
    }
    return existing(package.deletingLastPathComponent().appendingPathComponent("shared/data"))
  }()

  static var isPresent: Bool { folder != nil }

  private static func existing(_ url: URL) -> URL? {
    FileManager.default.fileExists(atPath: url.path) ? url : nil
  }

  /// The bytes of a file of the folder.
  static func bytes(_ path: String) throws -> [UInt8] {
    guard let folder else { throw CocoaError(.fileNoSuchFile) }
    return Array(try Data(contentsOf: folder.appendingPathComponent(path)))
  }

  /// The names of the files in a folder that end so, sorted.
  static func names(in path: String, ending: String) throws -> [String] {
    guard let folder else { return [] }
    return try FileManager.default.contentsOfDirectory(
      atPath: folder.appendingPathComponent(path).path
    ).filter { $0.hasSuffix(ending) }.sorted()
  }
}
