import Features
import Ingest
import Platform
import SystemPackage

/// The real data beside the repository; tests that need it are skipped without it.
enum SharedData {
  /// The folder: `QUADRILLE_SHARED`/data, else `../shared/data` as seen from the package's root.
  static let folder: FilePath? = {
    if let named = getenv("QUADRILLE_SHARED") {
      return FilePath(String(cString: named)).appending("data")
    }
    var root = FilePath(#filePath)
    while root.removeLastComponent(), root.lastComponent != nil {
      if access(root.appending("Package.swift").string, F_OK) == 0 {
        let data = root.removingLastComponent().appending("shared/data")
        return access(data.string, F_OK) == 0 ? data : nil
      }
    }
    return nil
  }()

  static var isThere: Bool { folder != nil }

  /// Opens a file of the folder, given by its path in it.
  static func open(_ name: String) throws -> ByteSource {
    try ByteSource(path: path(name), name: name)
  }

  static func path(_ name: String) -> FilePath {
    (folder ?? "/").pushing(FilePath(name))
  }

  static func bytes(_ name: String) throws -> [UInt8] {
    let source = try open(name)
    var bytes: [UInt8] = []
    while try source.fill(keeping: 0) > 0 { bytes += source.buffer }
    return bytes
  }
}
