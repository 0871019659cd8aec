import Ingest
import Platform
import SystemPackage
import TestSupport

extension SharedData {
  /// Opens a file of the folder, given by its path in it.
  static func open(_ name: String) throws -> ByteSource {
    try ByteSource(path: FilePath(path(name)), name: name)
  }
}
