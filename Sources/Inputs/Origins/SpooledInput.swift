import Definition
import Ingest
package import SystemPackage

/// The bytes of standard input, kept in a temporary file without a name as long as this object
/// lives, so that they can be read as often as those of a file.
package final class SpooledInput: DataOrigin {
  /// The open file; readers give positions, so it has none of its own.
  package let file: FileDescriptor

  /// The SHA-256 of the bytes, 64 hexadecimal digits.
  package let sha256: String

  package let bytes: Int64

  /// Adopts an open file.
  package init(_ file: FileDescriptor, sha256: String, bytes: Int64) {
    self.file = file
    self.sha256 = sha256
    self.bytes = bytes
  }

  deinit { try? file.close() }

  package var name: String { DataLocation.standardInputName }
  package var files: [InputFile] { [InputFile(.data, name: name, sha256: sha256)] }
  package var digestParts: [DigestPart]? { [.text("file"), .text(sha256)] }
  package var storedBytes: Int? { Int(bytes) }
  package func content() -> DataContent { .whole(.open(file, owner: self, name: name)) }
}
