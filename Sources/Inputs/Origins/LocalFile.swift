import Features
package import Files
import Ingest
package import SystemPackage

/// A file of this machine.
package struct LocalFile: DataOrigin {
  /// The path, resolved against the pipeline file's folder.
  package let file: String

  package let name: String

  /// The file as it was when it was found: whatever takes its name meanwhile, this is read. `nil` where
  /// readers open it by its path.
  private let heldFile: HeldFile?

  /// The member that was asked for although the file is no zip file, which fails when it is read.
  private let member: String?

  /// - Parameters:
  ///   - name: the name in messages where the file is a copy; `nil` for its path.
  ///   - member: the member of a zip file; such a file is ``PackedData``.
  package init(
    _ file: String, name: String? = nil, member: String? = nil, held: HeldFile? = nil
  ) {
    self.file = file
    heldFile = held
    self.member = member
    let name = name ?? file
    self.name = member.map { "\(name)/\($0)" } ?? name
  }

  package var files: [InputFile] { [InputFile(.data, path: file)] }
  package var digestParts: [DigestPart]? { [.text("file"), .file(file)] }
  package var storedBytes: Int? { FileStatus(FilePath(file)).map { Int($0.size) } }
  package var canBeReadAgain: Bool { input.canBeReadAgain }
  package var storedFile: FilePath? { FilePath(file) }
  package var held: [HeldFile] { heldFile.map { [$0] } ?? [] }

  package func content() throws -> DataContent {
    guard let member else { return .whole(input) }
    throw SourceError(
      code: .configuration, file: name,
      message: "cannot be read: the file is no zip file, and has no '\(member)' in it")
  }

  private var input: SourceInput {
    if let heldFile { return .open(heldFile.descriptor, owner: heldFile, name: name) }
    return .file(FilePath(file), name: name)
  }
}
