package import Fetching
package import Files
package import Ingest
package import SystemPackage
package import Unpacking

/// Data that is packed, and unpacked when it is first read.
package struct PackedData: DataOrigin {
  package let packed: PackedInput

  /// The packed data.
  private let base: any DataOrigin

  /// Whether the unpacked data is kept for the next reader, not unpacked each time.
  private let isKept: Bool

  package init(_ packed: PackedInput, of base: any DataOrigin, isKept: Bool = true) {
    self.packed = packed
    self.base = base
    self.isKept = isKept
  }

  package var name: String { packed.name }
  package var files: [InputFile] { base.files }

  package var digestParts: [DigestPart]? {
    base.digestParts.map { $0 + (packed.member.map { [.text("member \($0)")] } ?? []) }
  }

  package var storedBytes: Int? { base.storedBytes }
  package var readBytes: Int? { nil }
  package var fetched: [FetchedFile] { base.fetched }
  package var storedFile: FilePath? { base.storedFile }
  package var held: [HeldFile] { base.held }

  package func path() throws -> FilePath? { try packed.unpacked().path }

  package func content() throws -> DataContent {
    let unpacked = isKept ? try packed.unpacked() : try packed.unpackedAnew()
    return .whole(unpacked.input(packed.name))
  }
}

extension UnpackedFile {
  /// Returns the file as a reader takes it.
  package func input(_ name: String) -> SourceInput {
    if let path { return .file(path, name: name) }
    return .open(file, owner: self, name: name)
  }
}
