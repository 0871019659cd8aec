import Archives
import JSON
import MBTiles
import Pictures
import Publication
import Runs
import Tiling

/// The properties of an archive's tiles for the sidecars, as the archive gives them.
struct SidecarTiles {
  /// The file's name without its suffix, which is the name of the folder of its tiles.
  let name: String
  var title: String
  let description: String
  let attribution: String
  let version: String
  var bounds: GeoBounds
  let center: (longitude: Double, latitude: Double, zoom: Int)
  var minZoom: Int
  var maxZoom: Int

  /// The width of a tile in CSS pixels, whatever its density.
  let tileSize: Int
  let scale: Int
  let hasTaps: Bool
  let format: TileFormat

  /// - Parameters:
  ///   - name: the name of the files.
  ///   - tileSize: the size in the pipeline.
  /// - Throws: ``PipelineError`` where the archive's metadata was not written by a build.
  init(_ archive: any StoredTiles, name: String, tileSize: Int, scale: Int) throws(PipelineError) {
    let metadata = archive.metadata
    let center = (metadata["center"] ?? "").split(separator: ",").compactMap { Double($0) }
    guard let bounds = metadata["bounds"].flatMap({ GeoBounds($0) }), center.count == 3,
      let first = metadata["minzoom"].flatMap({ Int($0) }),
      let last = metadata["maxzoom"].flatMap({ Int($0) }), let zoom = Int(exactly: center[2]),
      first <= last
    else {
      throw PipelineError(.bug, "\(archive.path) lacks bounds, centre or zooms.")
    }
    self.name = name
    title = metadata["name"] ?? name
    description = metadata["description"] ?? ""
    attribution = metadata["attribution"] ?? ""
    version = metadata["version"] ?? "1.0.0"
    self.bounds = bounds
    self.center = (center[0], center[1], zoom)
    (minZoom, maxZoom) = (first, last)
    self.tileSize = tileSize
    self.scale = scale
    format = metadata["format"].flatMap { TileFormat(metadata: $0) } ?? .png
    // If the query fails, there are no grids.
    hasTaps = (try? archive.taps?.hasGrids()) == true
  }

  /// Returns the template `NAME/{z}/{x}/{y}.png`: the folder of `quadrille export`, beside the
  /// sidecars.
  private func template(_ folder: String? = nil, suffix: String? = nil) -> String {
    "\(folder ?? name)/{z}/{x}/{y}.\(suffix ?? format.fileExtension)"
  }

  /// Returns the TileJSON of raster tiles; `tileSize` and `scale` are hints beyond the standard.
  ///
  /// - Parameter folder: the folder of the tiles, if not ``name``.
  func tileJSON(folder: String? = nil, inputs: String) -> ReportJSON {
    TileJSON(
      name: title,
      texts: [
        ("description", description), ("version", version), ("attribution", attribution),
      ], template: template(folder),
      gridTemplate: hasTaps ? template(folder, suffix: "grid.json") : nil,
      zooms: minZoom...maxZoom, bounds: bounds,
      center: (
        LngLat(longitude: center.longitude, latitude: center.latitude), center.zoom
      ),
      more: [
        .init("format", .string(format.rawValue)), .init("tileSize", .integer(tileSize)),
        .init("scale", .integer(scale)), .init(SidecarSet.inputsKey, .string(inputs)),
      ]
    ).json
  }

  /// Returns a MapLibre style that shows the tiles.
  ///
  /// - Parameter folders: the tiles of each source by the source's name; the first one is visible.
  func styleDocument(folders: [(source: String, folder: String)]? = nil) -> ReportJSON {
    let folders = folders ?? [(name, name)]
    let sources = folders.map { source, folder in
      ReportJSON.Member(
        source,
        .members([
          "type": .string("raster"), "tiles": .array([.string(template(folder))]),
          "tileSize": .integer(tileSize), "scheme": .string("xyz"), "minzoom": .integer(minZoom),
          "maxzoom": .integer(maxZoom), "bounds": TileJSON.box(bounds),
          "attribution": .string(attribution),
        ]))
    }
    let layers = folders.enumerated().map { index, source -> ReportJSON in
      var layer: [ReportJSON.Member] = [
        .init("id", .string(source.source)), .init("type", .string("raster")),
        .init("source", .string(source.source)),
      ]
      if folders.count > 1 {
        // Frames must not fade into one another.
        layer.append(.init("paint", .members(["raster-fade-duration": .integer(0)])))
        if index > 0 { layer.append(.init("layout", .members(["visibility": .string("none")]))) }
      }
      return .object(layer)
    }
    return .members([
      "version": .integer(8), "name": .string(title),
      "center": .array([.number(center.longitude), .number(center.latitude)]),
      // The style's zoom is based on worlds of 512 pixels.
      "zoom": .integer(max(0, center.zoom - (tileSize == 256 ? 1 : 0))),
      "sources": .object(sources), "layers": .array(layers),
    ])
  }
}
