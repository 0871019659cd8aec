import Ingest
import Runs
import Tilesets
import Tiling

// The keys of sources of vector tiles, and their decoding.
extension VectorTileSource {
  /// The values of `type` in a pipeline.
  static let spellings = [type, "\(type).\(version)"]

  static let data = KeySpecification(
    "data", .string,
    "An MBTiles or PMTiles file, a folder of tiles {z}/{x}/{y}.pbf or .mvt, or a TileJSON, relative to "
      + "this file; or the http(s) url of one of these files; or a template as in tiles.")

  static let tiles = KeySpecification(
    "tiles", .list(of: .string, count: 1...64),
    "Templates of paths or http(s) urls such as tiles/{z}-{x}-{y}.mvt, any of which has a tile; for "
      + "sources without data.")

  /// The keys that pipelines and styles have.
  static let sourceKeys = [
    KeySpecification(
      "scheme", .choice(["xyz", "tms"]),
      "Whether rows of a folder are counted from the north (xyz) or from the south; its metadata tell "
        + "by default."),
    KeySpecification(
      "minzoom", .integer(0...TileCoord.maxZoom),
      "The first zoom with tiles, below which nothing is drawn; that of the metadata by default."),
    KeySpecification(
      "maxzoom", .integer(0...TileCoord.maxZoom),
      "The last zoom with tiles, from which deeper zooms are drawn; that of the metadata by default."
    ),
    KeySpecification(
      "bounds", PipelineKeys.bounds,
      "West, south, east, north in degrees: tiles outside of this box are not read."),
    KeySpecification(
      "promoteId", .oneOf([.string, .map(of: .string)]),
      "The property that is the feature's id, or properties by layer; the tiles' ids by default."),
    KeySpecification(
      "onError", .object(SourceKeys.onError),
      "What happens when tiles or features are rejected."),
  ]

  /// The vector source of the style specification.
  static let styleKeys = ObjectSpecification(
    "a vector source",
    [
      KeySpecification("type", .choice([type]), isRequired: true, "The format."),
      KeySpecification("data", .string, data.summary),
      KeySpecification("url", .string, "The same as data."),
      tiles,
      KeySpecification("attribution", .anything, "Who must be named beside the map."),
      KeySpecification(
        "encoding", .choice(["mvt"]), "Mapbox Vector Tiles; MapLibre Tiles are not read."),
      KeySpecification("volatile", .anything, "For map viewers; ignored here."),
    ] + sourceKeys)
}

extension SourceDecoder {
  /// Decodes a source of vector tiles.
  func vectorTiles(_ keyed: KeyedNode) throws(PipelineError) -> RecordDefinition {
    var tiles = try VectorTileSource(keyed)
    tiles.templates = try templates(keyed)
    let onError = keyed.object("onError", SourceKeys.onError)
    // Features of several tiles have one id, so ids are not compared.
    var records = RecordDefinition(
      format: tiles, maxErrors: try onError.value("max"), onDuplicateID: .first)
    records.sparesGeometries = onError.node["max"] == nil
    return records
  }

  /// Decodes the templates of a source of tiles; none where it names a container.
  func templates(_ keyed: KeyedNode) throws(PipelineError) -> [TileTemplate] {
    let location = keyed.node.member("data") ?? keyed.node.member("url")
    guard let member = location ?? keyed.node.member("tiles") else {
      throw keyed.fault(
        "tiles",
        "the source names no tiles. Write 'data:' with an MBTiles or PMTiles file, a folder, a "
          + "TileJSON or a template such as tiles/{z}-{x}-{y}.mvt.")
    }
    guard location == nil || TileTemplate.isMeant(by: member.node.text ?? "") else { return [] }
    return try (member.node.items ?? [member.node]).map { node throws(PipelineError) in
      let text =
        switch try paths.location(node.text ?? "", key: member) {
        case .file(let path): path
        case .url(let url): url
        default: ""
        }
      guard let template = TileTemplate(text) else {
        throw node.place.fault(
          "'\(node.text ?? "")' does not name each tile. A template has {z}, {x} and {y}; there are "
            + "\(TileTemplate.places).")
      }
      return template
    }
  }
}
