package import Features
import Files
package import SystemPackage

/// The data of a source as a reader takes it: a local file, bytes of the pipeline file, or a
/// temporary file without a name, which has the bytes of standard input or of a packed file.
package enum SourceInput: Sendable {
  /// - Parameter name: the name of the file in messages; differs from its path where it was
  ///   fetched.
  case file(FilePath, name: String)
  case bytes([UInt8], name: String)
  /// - Parameter owner: the object that closes the file.
  case open(FileDescriptor, owner: any AnyObject & Sendable, name: String)

  /// The name of the data in messages.
  package var name: String {
    switch self {
    case .file(_, let name), .bytes(_, let name), .open(_, _, let name): name
    }
  }

  /// Opens the data as one stream.
  ///
  /// - Parameter chunk: the maximum number of bytes per fill.
  package func stream(
    chunk: Int = ByteSource.defaultChunk
  ) throws(SourceError) -> ByteSource {
    switch self {
    case .file(let path, let name): try ByteSource(path: path, name: name, chunk: chunk)
    case .bytes(let bytes, let name): ByteSource(bytes: bytes, name: name, chunk: chunk)
    case .open(let file, _, let name): try ByteSource(sharing: file, name: name, chunk: chunk)
    }
  }

  /// Whether the data is a regular file or in memory; a pipe delivers its bytes once.
  package var canBeReadAgain: Bool {
    guard case .file(let path, _) = self else { return true }
    return FileStatus(path)?.kind == .file
  }

  /// Returns the first bytes of the data, at most `count`; empty for anything but a regular file or
  /// memory.
  package func head(_ count: Int = 4096) -> [UInt8] {
    switch self {
    case .bytes(let bytes, _): return Array(bytes.prefix(count))
    case .open(let file, _, _): return FileHead.bytes(of: file, count, at: FilePath(name))
    case .file(let path, _): return FileHead.bytes(of: path, count)
    }
  }
}
