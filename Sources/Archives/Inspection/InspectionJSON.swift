import Definition
import Features
import Ingest
import JSON
import MBTiles
import OrderedCollections
import PMTiles
package import Runs
import SystemPackage

/// The output of `inspect --json`: numbers as they are, in bytes and degrees, and documents of JSON as
/// such.
package struct InspectionJSON {
  private let path: String

  package init(_ path: String) {
    self.path = path
  }

  /// Returns the object of an archive, a PMTiles file, a delta, a folder of tiles or a TileJSON; of a
  /// list of packs and of a manifest of frames the document.
  ///
  /// - Throws: ``PipelineError`` in the cases in which the text cannot be written.
  package func pretty(_ cancellation: Cancellation = Cancellation()) throws(PipelineError) -> String
  {
    // Reading them first says what is wrong with a file of another kind.
    if SeriesInspection.isManifest(path) {
      _ = try SeriesInspection(path)
      return try document()
    }
    if PackInspection.isList(path) {
      _ = try PackInspection(path)
      return try document()
    }
    var members = [ReportJSON.Member("file", .string(path))]
    if DeltaInspection.isDelta(path) {
      members += try DeltaInspection(path).members
    } else {
      let tileset = TilesetInspection(path)
      if TilesetInspection.isLoose(path) {
        members += try tileset.members(cancellation)
      } else {
        members +=
          PMTilesInspection.isPMTiles(path)
          ? try PMTilesInspection(path).members()
          : try ArchiveInspection(path).members(cancellation)
        if let vector = try tileset.vectorJSON(cancellation) {
          members.append(.init("vector", vector))
        }
      }
    }
    return ReportJSON.object(members).pretty
  }

  /// Returns the file, which is JSON itself.
  private func document() throws(PipelineError) -> String {
    try PipelineError.wrapping {
      let bytes = try DocumentFile.bytes(of: path, limit: 64 << 20)
      return ReportJSON(try JSONValueParser.parse(bytes, name: path)).pretty
    }
  }
}

extension [ReportJSON.Member] {
  /// Returns members in the order of their keys and values.
  static func of(_ members: KeyValuePairs<String, ReportJSON>) -> [ReportJSON.Member] {
    members.map { .init($0.key, $0.value) }
  }
}

extension ReportJSON {
  /// Returns an object of the rows of metadata; a text that is an object or array of JSON is one here.
  /// Of rows with one name the first counts, as in a reader that asks for it.
  static func metadata(_ entries: [MetadataEntry]) -> ReportJSON {
    var members: OrderedDictionary<String, ReportJSON> = [:]
    for entry in entries where members[entry.name] == nil {
      let isDocument = entry.value.hasPrefix("{") || entry.value.hasPrefix("[")
      let value = isDocument ? try? JSONValueParser.parse(Array(entry.value.utf8)) : nil
      members[entry.name] = value.map { ReportJSON($0) } ?? .string(entry.value)
    }
    return .object(members.map { Member($0.key, $0.value) })
  }
}
