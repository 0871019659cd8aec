import Fetching
import Files
import Foundation
import Ingest
import SystemPackage
package import Unpacking

extension PipelineDefinition {
  /// Finds the sources whose data is packed, so that it is unpacked when it is first read.
  ///
  /// Only the first bytes of each file are read, and the list of members of a zip file.
  package mutating func findPacked(_ surroundings: PackedInput.Surroundings) {
    for index in sources.indices where sources[index].packed == nil {
      sources[index].packed = sources[index].packedInput(surroundings)
    }
  }
}

extension SourceDefinition {
  /// The endings of the names of images and GeoPackages.
  private static let imageEndings = [".png", ".jpg", ".jpeg", GeoPackageSource.endings[0]]

  /// The formats of zip files that are no packed data, whose reader tells how to convert them.
  private static let zippedFormats: Set<FileSignature> = [
    .spreadsheet, .zippedShapefile, .zippedKML,
  ]

  fileprivate func packedInput(_ surroundings: PackedInput.Surroundings) -> PackedInput? {
    let origin: PackedInput.Origin
    let name: String
    switch data {
    case .file(let path): (origin, name) = (.file(FilePath(path)), shownName ?? path)
    case .fetched(let files) where files.count == 1:
      (origin, name) = (.file(files[0].path), files[0].uri)
    case .standardInput(let input?):
      (origin, name) = (.open(input.file, owner: input), SpooledInput.name)
    case .fetched, .url, .inline, .standardInput, .connection, .none: return nil
    }
    var wanted = PackedInput.Wanted()
    wanted.member = member
    if let records, !(records.format is OGRSource) {
      let format = Swift.type(of: records.format)
      (wanted.endings, wanted.hasName) = (format.endings, format.opensFiles)
    } else if image != nil {
      (wanted.endings, wanted.hasName) = (Self.imageEndings, true)
    } else {
      return nil
    }
    guard let packed = PackedInput(origin, name: name, wanted: wanted, surroundings) else {
      return nil
    }
    if packed.isWithoutChoice, case .file(let path) = origin,
      let signature = FileSignature(SourceInput.file(path, name: name).head()),
      Self.zippedFormats.contains(signature)
    {
      return nil
    }
    return packed
  }

  /// Returns the unpacked data as a reader takes it.
  ///
  /// - Throws: as ``PackedInput/unpacked()``.
  package func unpackedInput(_ packed: PackedInput) throws -> SourceInput {
    let unpacked = try packed.unpacked()
    if let path = unpacked.path { return .file(path, name: packed.name) }
    return .unpacked(unpacked, name: packed.name)
  }
}
