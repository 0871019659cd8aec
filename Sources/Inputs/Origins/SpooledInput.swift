package import Files
import Ingest
import Unpacking

/// The bytes of standard input, or records that the program was given in memory.
package struct SpooledInput: DataOrigin {
  private let file: SpooledFile

  package let name: String

  /// - Parameter name: the name of the data in messages and in the archive.
  package init(_ file: SpooledFile, name: String) {
    self.file = file
    self.name = name
  }

  package var files: [InputFile] { [InputFile(.data, name: name, sha256: file.sha256)] }
  package var digestParts: [DigestPart]? { [.text("file"), .text(file.sha256)] }
  package var storedBytes: Int? { file.count }
  package func content() -> DataContent {
    .whole(.open(file.descriptor, owner: file, name: name))
  }

  /// The file as the origin of packed data.
  var packing: PackedInput.Origin { .open(file.descriptor, owner: file) }
}
