import Features
import Fetching
import Files
import Foundation
import GDAL
import Ingest
package import SystemPackage
package import Unpacking

extension PipelineDefinition {
  /// Finds the sources whose data is packed, so that it is unpacked when it is first read.
  ///
  /// Only the first bytes of each file are read, and the list of members of a zip file.
  package mutating func findPacked(_ surroundings: PackedInput.Surroundings) {
    for index in sources.indices where sources[index].packed == nil {
      sources[index].packed = sources[index].packedInput(surroundings)
      sources[index].findPackedParts(surroundings)
    }
  }
}

extension SourceDefinition {
  /// The endings of the names of images and GeoPackages.
  private static let imageEndings =
    [".png", ".jpg", ".jpeg", ".webp", GeoPackageSource.endings[0]] + rasterEndings

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
    case .fetched, .url, .patterns, .parts, .inline, .standardInput, .connection, .none: return nil
    }
    return packedInput(origin, name: name, member: member, surroundings)
  }

  /// Returns the packed content of a file; `nil` for one that is not packed.
  private func packedInput(
    _ origin: PackedInput.Origin, name: String, member: String?,
    _ surroundings: PackedInput.Surroundings
  ) -> PackedInput? {
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

  fileprivate mutating func findPackedParts(_ surroundings: PackedInput.Surroundings) {
    guard case .parts(var parts) = data else { return }
    // A part is unpacked between two batches, where nothing can end the run.
    var surroundings = surroundings
    surroundings.checkpoint = {}
    for index in parts.indices where parts[index].packed == nil {
      parts[index].packed = packedInput(
        .file(FilePath(parts[index].path)), name: parts[index].path, member: parts[index].member,
        surroundings)
    }
    data = .parts(parts)
  }

  /// Returns one of several files as a reader takes it; a packed one is unpacked each time, one of
  /// GDAL's formats is converted once.
  ///
  /// - Throws: as ``PackedInput/unpackedAnew()`` and ``VectorConversion/content()``.
  package func input(of part: DataPart) throws -> SourceInput {
    if let converted = part.converted {
      return .file(try converted.content().path, name: converted.name)
    }
    guard let packed = part.packed else {
      guard let member = part.member else { return .file(FilePath(part.path), name: part.name) }
      throw SourceError(
        code: .configuration, file: part.path,
        message: "cannot be read: the file is no zip file, and has no '\(member)' in it")
    }
    let unpacked = try packed.unpackedAnew()
    if let path = unpacked.path { return .file(path, name: packed.name) }
    return .unpacked(unpacked, name: packed.name)
  }

  /// Returns the unpacked data as a reader takes it.
  ///
  /// - Throws: as ``PackedInput/unpacked()``.
  package func unpackedInput(_ packed: PackedInput) throws -> SourceInput {
    let unpacked = try packed.unpacked()
    if let path = unpacked.path { return .file(path, name: packed.name) }
    return .unpacked(unpacked, name: packed.name)
  }

  /// Returns the file on this machine with the data, unpacked if it was packed; `nil` if the source
  /// has none, or several.
  ///
  /// - Throws: as ``PackedInput/unpacked()``.
  package func unpackedPath() throws -> FilePath? {
    if let packed { try packed.unpacked().path } else { localPath }
  }

  /// The source's file on this machine, packed or not; `nil` if it has none, or several.
  package var localPath: FilePath? {
    switch data {
    case .file(let path): FilePath(path)
    case .fetched(let files): files.count == 1 ? files.first?.path : nil
    case .url, .patterns, .parts, .inline, .standardInput, .connection, .none: nil
    }
  }
}
