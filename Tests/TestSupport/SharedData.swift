package import Foundation

/// The root of the package, found by walking up from this file.
package let packageRoot: URL = {
  var folder = URL(fileURLWithPath: #filePath)
  while folder.path != "/" {
    folder.deleteLastPathComponent()
    let manifest = folder.appendingPathComponent("Package.swift").path
    if FileManager.default.fileExists(atPath: manifest) { break }
  }
  return folder
}()

/// The real data beside the repository; tests that need it are skipped without it.
package enum SharedData {
  /// `QUADRILLE_SHARED`/data, else `../shared/data` as seen from the package's root.
  package static let folder: URL? = {
    let environment = ProcessInfo.processInfo.environment["QUADRILLE_SHARED"]
    let shared =
      environment.map { URL(fileURLWithPath: $0) }
      ?? packageRoot.deletingLastPathComponent().appendingPathComponent("shared")
    let data = shared.appendingPathComponent("data")
    return FileManager.default.fileExists(atPath: data.path) ? data : nil
  }()

  package static var isThere: Bool { folder != nil }

  /// The path of a file of the folder.
  package static func path(_ name: String) -> String {
    (folder ?? URL(fileURLWithPath: "/")).appendingPathComponent(name).path
  }

  /// The bytes of a file of the folder.
  package static func bytes(_ name: String) throws -> [UInt8] {
    [UInt8](try Data(contentsOf: URL(fileURLWithPath: path(name))))
  }

  /// The names of the files in a folder of the folder that end so, sorted; none where it is absent.
  package static func names(in name: String, ending: String) throws -> [String] {
    guard isThere else { return [] }
    return try FileManager.default.contentsOfDirectory(atPath: path(name))
      .filter { $0.hasSuffix(ending) }.sorted()
  }
}

/// Whether the long tests run too (`make test-slow`).
package let runsSlowTests = ProcessInfo.processInfo.environment["QUADRILLE_SLOW"] == "1"

/// Whether golden files are recorded anew (`make bless`).
package let blessesGoldens = ProcessInfo.processInfo.environment["QUADRILLE_BLESS"] == "1"
