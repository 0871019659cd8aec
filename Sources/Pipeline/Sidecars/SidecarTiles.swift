import JSON
import MBTiles
import SystemPackage
import Tiling

/// What the sidecars say of an archive's tiles, as the archive says it.
struct SidecarTiles {
  /// The file's name without its suffix: what the folder of its tiles is called.
  let name: String
  var title: String
  let description: String
  let attribution: String
  let version: String
  var bounds: GeoBounds
  let center: (longitude: Double, latitude: Double, zoom: Int)
  var minZoom: Int
  var maxZoom: Int

  /// The width of a tile in CSS px, whatever its density.
  let tileSize: Int
  let scale: Int
  let hasTaps: Bool

  /// - Parameters:
  ///   - name: what the files are called.
  ///   - tileSize: as the pipeline has it.
  /// - Throws: ``PipelineError`` where the archive's metadata is not that of a build.
  init(_ archive: ArchiveReader, name: String, tileSize: Int, scale: Int) throws(PipelineError) {
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
    // What cannot be asked is not there.
    hasTaps = (try? archive.hasGrids()) == true
  }

  /// `NAME/{z}/{x}/{y}.png`: where `quadrille export` puts tiles, beside the sidecars.
  private func template(_ folder: String? = nil, suffix: String = "png") -> String {
    "\(folder ?? name)/{z}/{x}/{y}.\(suffix)"
  }

  /// TileJSON of raster tiles; `tileSize` and `scale` are hints beyond it.
  ///
  /// - Parameter folder: where the tiles are, if not in ``name``.
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
        .init("format", .string("png")), .init("tileSize", .integer(tileSize)),
        .init("scale", .integer(scale)), .init(SidecarSet.inputsKey, .string(inputs)),
      ]
    ).json
  }

  /// A MapLibre style that shows the tiles.
  ///
  /// - Parameter folders: the tiles of each source by the source's name; the first one is seen.
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
      // The style's zoom counts worlds of 512 px.
      "zoom": .integer(max(0, center.zoom - (tileSize == 256 ? 1 : 0))),
      "sources": .object(sources), "layers": .array(layers),
    ])
  }
}
