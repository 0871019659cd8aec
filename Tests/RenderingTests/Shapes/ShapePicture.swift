import Features
import Ingest
import Raster
import SpatialIndex
import Tiling

@testable import Painting
@testable import Scenes

/// The records of a GeoJSON text.
func ingested(geoJSON text: String) throws -> IngestedSource {
  var reader = GeoJSONReader(source: ByteSource(bytes: Array(text.utf8), name: "test"))
  return try IngestStage.read(&reader, file: "test")
}

/// The tiles of one zoom of a style over one GeoJSON source named `s`.
struct ShapePicture {
  private let build: SampleBuild
  let scenes: ZoomScenes

  init(
    layers: [String], geoJSON: String, zoom: Int, tileSize: Int = 256, scale: Int = 1,
    bounds: GeoBounds = .world
  ) throws {
    let source = try ingested(geoJSON: geoJSON)
    var build = try SampleBuild(
      layers.map { try layer($0) }, zoom: zoom, tileSize: tileSize, scale: scale,
      bounds: WorldBox(bounds))
    let shapes = ShapeSource(id: "s", shapes: source.shapes, world: WorldShapes(source.shapes))
    scenes = try build.builder.scenes(
      of: [SymbolSource(id: "s", points: source.points, level: nil)], shapes: [shapes], zoom: zoom)
    self.build = build
  }

  /// A painter of the tiles.
  func painter() throws -> TilePainter { try build.painter() }

  /// All tiles side by side; what no tile shows is transparent.
  func stitched() throws -> Pixmap {
    let side = scenes.grid.tilePixels
    let whole = Pixmap(width: scenes.grid.worldPixels, height: scenes.grid.worldPixels)
    let painter = try painter()
    for index in 0..<scenes.count {
      let tile = scenes.tile(index)
      whole.replace(
        with: try painter.pixels(index, of: scenes), x: tile.x * side, y: tile.y * side)
    }
    return whole
  }
}
