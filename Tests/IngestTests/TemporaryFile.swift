import Foundation
import Platform
import SystemPackage
import TestSupport

/// Runs the body with a file of these bytes, then removes the file.
func withFile(_ bytes: [UInt8], _ body: (FilePath) throws -> Void) throws {
  let folder = try TemporaryFolder()
  let path = folder.path("file")
  try Data(bytes).write(to: URL(fileURLWithPath: path))
  try withExtendedLifetime(folder) { try body(FilePath(path)) }
}
