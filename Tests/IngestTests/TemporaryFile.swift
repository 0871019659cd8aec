import Platform
import SystemPackage

/// Runs the body with a file of these bytes, then removes the file.
func withFile(_ bytes: [UInt8], _ body: (FilePath) throws -> Void) throws {
  var template = Array("/tmp/quadrille-test-XXXXXX".utf8CString)
  let descriptor = FileDescriptor(rawValue: mkstemp(&template))
  let path = FilePath(platformString: template)
  defer { unlink(template) }
  try descriptor.closeAfter { _ = try descriptor.writeAll(bytes) }
  try body(path)
}
