import Ingest
import MBTiles
import Runs
import SpatialIndex
import SystemPackage
import Tiling

/// An area bounded by the polygons of a GeoJSON file; points and lines of the file do not count.
struct PolygonArea: TileArea {
  private var walk: RegionWalk
  let bounds: GeoBounds

  /// Reads a file.
  ///
  /// - Throws: ``PipelineError`` where it cannot be read, is not GeoJSON, or has no polygon.
  init(contentsOf path: String) throws(PipelineError) {
    var options = GeoJSONOptions()
    options.wanted = []
    let source = try PipelineError.wrapping {
      var reader = GeoJSONReader(
        source: try ByteSource(path: FilePath(path), name: path), options: options)
      return try IngestStage.read(&reader, file: path)
    }
    guard let area = PolygonArea(WorldShapes(source.shapes)) else {
      throw PipelineError(
        .badData, "there is no polygon. Name a GeoJSON file of polygons or use --bbox.",
        at: DocumentPlace(file: path))
    }
    self = area
  }

  /// Creates an area of shapes; `nil` without a polygon.
  init?(_ shapes: WorldShapes) {
    let regions = RegionShapes(shapes, isOneRegion: true)
    guard let box = regions.boxes.first ?? nil else { return nil }
    bounds = box.uncrossed
    walk = RegionWalk(regions)
  }

  mutating func meets(_ tile: TileCoord) -> Bool { !walk.regions(touching: tile).isEmpty }
}
