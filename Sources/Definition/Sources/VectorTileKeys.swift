import Ingest
import Runs
import Tiling

// The keys of sources of vector tiles, and their decoding.
extension VectorTileSource {
  /// The values of `type` in a pipeline.
  static let spellings = [type, "\(type).\(version)"]

  static let data = KeySpecification(
    "data", .string, isRequired: true,
    "An MBTiles or PMTiles file, a folder of tiles {z}/{x}/{y}.pbf or .mvt, or a TileJSON, relative to "
      + "this file; or the http(s) url of an MBTiles or PMTiles file.")

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
      KeySpecification(
        "tiles", .list(of: .string, count: 1...100), "Addresses of tiles, which are not fetched."),
      KeySpecification("attribution", .anything, "Who must be named beside the map."),
      KeySpecification("volatile", .anything, "For map viewers; ignored here."),
    ] + sourceKeys)
}

extension SourceDecoder {
  /// Decodes a source of vector tiles.
  func vectorTiles(_ keyed: KeyedNode) throws(PipelineError) -> RecordDefinition {
    guard let location = keyed.node.member("data") ?? keyed.node.member("url") else {
      throw keyed.fault(
        "tiles",
        "the source names no file. Vector tiles are read from an MBTiles or PMTiles file, a folder or a "
          + "TileJSON: write 'data: FILE'.")
    }
    if let text = location.node.text, DataLocation.isAddress(text), text.contains("{") {
      throw location.node.place.fault(
        "'\(location.key)' is a template of addresses, whose tiles are not fetched. Name an MBTiles or "
          + "PMTiles file with all tiles.")
    }
    let onError = keyed.object("onError", SourceKeys.onError)
    // Features of several tiles have one id, so ids are not compared.
    return RecordDefinition(
      format: try VectorTileSource(keyed), maxErrors: try onError.value("max"),
      onDuplicateID: .first)
  }
}
