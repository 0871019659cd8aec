import Features
import Overlays
import Runs
package import SystemPackage
package import Tilesets
package import Tiling

/// The tiles of a raster source, pictures in a container, as a pipeline names them.
package struct RasterTileset: TiledSource {
  /// The type of its sources, and the version of its reader.
  package static let type = "raster"
  static let version = 1

  /// The endings of the names of containers that are one file.
  package static let endings = [".mbtiles", ".pmtiles", ".gpkg"]
  package static let containers =
    "an MBTiles or PMTiles file, a folder, a GeoPackage or a TileJSON"

  /// The order of rows of a folder or TileJSON; `nil` to take it from the metadata.
  package var rows: TileScheme?

  /// The first and the last zoom with tiles; `nil` to take them from the metadata.
  package var minZoom: Int?
  package var maxZoom: Int?

  /// The box outside of which tiles are not read; `nil` for none.
  package var bounds: GeoBounds?

  /// The side of a tile in style pixels; `nil` for the pixels of its pictures.
  package var tileSize: Int?

  /// The table of tiles of a GeoPackage; `nil` for the only one.
  package var table: String?

  /// The number of damaged tiles that are tolerated.
  package var maxErrors = 0

  /// The names of the tiles, paths or addresses; empty where a container has them.
  package var templates: [TileTemplate] = []

  /// The attribution that the tileset demands; `nil` until it is opened.
  package var attribution: String?

  /// The folder to which `local://` in a TileJSON leads; `nil` without one.
  package var localFolder: FilePath?

  /// The tiles that were fetched from a server; `nil` for other tiles, and for a view, which
  /// fetches the tiles that it draws.
  package var found: FoundTiles?

  init(_ keyed: KeyedNode) throws(PipelineError) {
    try decodeExtent(keyed)
    tileSize = keyed.integer("tileSize")
    table = keyed.text("table")
    maxErrors = try keyed.object("onError", SourceKeys.onError).value("max")
  }
}

// The keys of sources of raster tiles, and their decoding.
extension RasterTileset {
  /// The values of `type` in a pipeline.
  static let spellings = [type, "\(type).\(version)"]

  static let data = KeySpecification(
    "data", .string,
    "An MBTiles or PMTiles file, a folder of tiles {z}/{x}/{y}.png, .jpg or .webp, a TileJSON, or a "
      + "GeoPackage with tiles, relative to this file; or the http(s) url of such a file; or a template "
      + "as in tiles.")

  static let tiles = KeySpecification(
    "tiles", .list(of: .string, count: 1...64),
    "Templates of paths or http(s) urls such as tiles/{z}-{x}-{y}.png, any of which has a tile; for "
      + "sources without data.")

  /// The keys of pipelines and styles.
  private static let sharedKeys =
    VectorTileSource.sourceKeys.filter { $0.name != "promoteId" && $0.name != "onError" } + [
      KeySpecification(
        "onError", .object(SourceKeys.onError), "What happens when tiles cannot be read.")
    ]

  /// The permitted sides of a tile in pixels; a tile of the map of 512 px covers at most 16 × 16 of
  /// them.
  private static let tileSizes = ValueSpecification.integer(32...4096)

  /// The keys of pipelines.
  static let sourceKeys =
    sharedKeys + [
      KeySpecification(
        "tileSize", tileSizes,
        "The side at which a tile is shown, in px; by default it is as large as its picture. A smaller "
          + "one takes deeper zooms, as for pictures with twice the pixels."),
      KeySpecification(
        "table", .string, "The table of tiles of a GeoPackage; needed where there are several."),
    ]

  /// The raster source of the style specification.
  static let styleKeys = ObjectSpecification(
    "a raster source",
    [
      KeySpecification("type", .choice([type]), isRequired: true, "The format."),
      KeySpecification("data", .string, data.summary),
      KeySpecification("url", .string, "The same as data."),
      tiles,
      KeySpecification(
        "tileSize", tileSizes, default: .number(512), "The side at which a tile is shown, in px."),
      KeySpecification("attribution", .anything, "Who must be named beside the map."),
      KeySpecification("volatile", .anything, "For map viewers; ignored here."),
    ] + sharedKeys)
}

extension SourceDecoder {
  /// Decodes a source of raster tiles.
  func rasterTiles(_ keyed: KeyedNode) throws(PipelineError) -> ImageDefinition {
    var image = ImageDefinition(table: nil)
    var tileset = try RasterTileset(keyed)
    tileset.templates = try templates(keyed)
    if isStyle {
      let side: Int = try keyed.value("tileSize")
      tileset.tileSize = side
    }
    image.tileset = tileset
    image.resampling = keyed.choice("resampling", as: ResamplingKernel.self)
    image.nodata = try nodata(keyed)
    return image
  }
}
