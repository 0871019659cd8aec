import Pictures
import Features
import Ingest
import JSON
import MBTiles
import Runs
import Tiling

/// The description of a tileset as JSON.
enum TilesetJSON {
  /// Returns a TileJSON 3.0.0 for a folder of files.
  ///
  /// - Parameter url: the url of the folder; `nil` for a template relative to its own place.
  static func tileJSON(
    _ tileset: TilesetDescription, scheme: TileScheme, url: String? = nil
  ) -> ReportJSON {
    var json = TileJSON(
      name: tileset.name, texts: texts(tileset), scheme: scheme,
      template: "\(url.map { "\($0)/" } ?? ""){z}/{x}/{y}.\(tileset.format.fileExtension)",
      zooms: tileset.zooms,
      bounds: tileset.bounds, center: (tileset.center, tileset.centerZoom))
    if tileset.scale != 1 { json.more.append(.init("scale", .integer(tileset.scale))) }
    json.more += layers(tileset)
    return json.json
  }

  /// Returns the metadata of a PMTiles file: the values that its header does not contain.
  ///
  /// - Parameter rows: the metadata of the archive whose tiles the file has, all of them.
  static func pmtiles(_ tileset: TilesetDescription, rows: [MetadataEntry]? = nil) -> ReportJSON {
    var members: [ReportJSON.Member] = [.init("name", .string(tileset.name))]
    members += texts(tileset).map { .init($0.key, .string($0.text)) }
    members.append(.init("type", .string(tileset.type)))
    if tileset.scale != 1 { members.append(.init("scale", .string("\(tileset.scale)"))) }
    let known = Set(members.map(\.key))
    members += tileset.others.filter { !known.contains($0.name) }.map {
      .init($0.name, .string($0.value))
    }
    if let rows { members.append(.init(PMTilesMetadata.rowsKey, PMTilesMetadata.json(rows))) }
    let taken = Set(members.map(\.key))
    return .object(members + layers(tileset).filter { !taken.contains($0.key) })
  }

  private static func texts(_ tileset: TilesetDescription) -> [(key: String, text: String)] {
    [
      ("description", tileset.description), ("attribution", tileset.attribution),
      ("version", tileset.version),
    ].filter { !$0.text.isEmpty }
  }

  /// Returns the members of the row `json`, which names the layers of vector tiles.
  private static func layers(_ tileset: TilesetDescription) -> [ReportJSON.Member] {
    guard tileset.format == .vector, let text = tileset.json,
      case .object(let members)? = try? JSONValueParser.parse(Array(text.utf8))
    else { return [] }
    return members.map { .init($0.key, ReportJSON($0.value)) }
  }
}
