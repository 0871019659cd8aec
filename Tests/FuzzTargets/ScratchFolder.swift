import Platform
import SystemPackage

/// A temporary folder for what makes files beside others; it goes with the object.
final class ScratchFolder: Sendable {
  private let path: FilePath

  /// Makes an empty folder in `TMPDIR`, else in /tmp.
  init() throws {
    let parent = getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp"
    var template = Array("\(parent)/quadrille-fuzz-XXXXXX".utf8CString)
    guard mkdtemp(&template) != nil else { throw Errno(rawValue: errno) }
    path = FilePath(platformString: template)
  }

  deinit {
    if let listing = opendir(path.string) {
      while let entry = readdir(listing) {
        let name = withUnsafeBytes(of: &entry.pointee.d_name) {
          String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
        }
        unlink(path.appending(name).string)
      }
      closedir(listing)
    }
    rmdir(path.string)
  }

  /// The path of a file.
  func path(_ name: String) -> FilePath { path.appending(name) }

  /// Puts bytes in the place of a file's content.
  func write(_ bytes: [UInt8], to name: String) throws {
    let file = try FileDescriptor.open(
      path(name), .writeOnly, options: [.create, .truncate],
      permissions: [.ownerReadWrite])
    try file.closeAfter { _ = try file.writeAll(bytes) }
  }

  /// The content of a file.
  func bytes(_ name: String) throws -> [UInt8] {
    let file = try FileDescriptor.open(path(name), .readOnly)
    return try file.closeAfter {
      var bytes = [UInt8](repeating: 0, count: Int(try file.seek(offset: 0, from: .end)))
      _ = try bytes.withUnsafeMutableBytes { try file.read(fromAbsoluteOffset: 0, into: $0) }
      return bytes
    }
  }
}
