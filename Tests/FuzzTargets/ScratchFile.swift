import Platform
import SystemPackage

/// A file of a temporary folder for readers that want a path; it goes with the object.
final class ScratchFile {
  let path: FilePath

  /// Makes an empty file in `TMPDIR`, else in /tmp.
  init() throws {
    let folder = getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp"
    var template = Array("\(folder)/quadrille-fuzz-XXXXXX".utf8CString)
    let descriptor = mkstemp(&template)
    guard descriptor >= 0 else { throw Errno(rawValue: errno) }
    close(descriptor)
    path = FilePath(platformString: template)
  }

  deinit {
    for ending in ["", "-wal", "-shm", "-journal"] { unlink(path.string + ending) }
  }

  /// Puts bytes in the place of the content.
  func write(_ bytes: [UInt8]) throws {
    let file = try FileDescriptor.open(path, .writeOnly, options: .truncate)
    try file.closeAfter { _ = try file.writeAll(bytes) }
  }

  /// The content.
  func bytes() throws -> [UInt8] { try Self.content(of: path.string) }

  /// Returns the content of any file.
  static func content(of path: String) throws -> [UInt8] {
    let file = try FileDescriptor.open(FilePath(path), .readOnly)
    return try file.closeAfter {
      var bytes = [UInt8](repeating: 0, count: Int(try file.seek(offset: 0, from: .end)))
      _ = try bytes.withUnsafeMutableBytes { try file.read(fromAbsoluteOffset: 0, into: $0) }
      return bytes
    }
  }
}
