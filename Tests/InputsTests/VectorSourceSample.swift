import Definition
import Foundation
import PMTiles
import Pipeline
import Raster
import Reports
import Runs
import SQLite
import SystemPackage
import TestSupport
import Tiling
import VectorTileSamples
import VectorTiles

@testable import Baking

/// A pipeline over vector tiles that are cut from shapes, and the same over GeoJSON.
struct VectorSourceSample {
  /// The containers of the tiles, by the `data` of the source.
  enum Container: String, CaseIterable {
    case archive = "tiles.mbtiles"
    case pmtiles = "tiles.pmtiles"
    case folder = "tiles"
    case tileJSON = "tiles.json"
    case template = "flat/{z}-{x}-{y}.mvt"

    /// Those that list their tiles, so that commands take them without a pipeline.
    static let listed = allCases.filter { $0 != .template }
  }

  /// The zoom whose tiles the units of shapes belong to.
  static let zoom = 2

  let folder: TemporaryFolder
  let container: Container

  /// The shapes by layer; positions are multiples of 4, so that tiles of all zooms have them.
  var shapes: [(layer: String, shapes: [CutSample.Shape])]

  /// The zooms with tiles.
  var zooms = 0...2

  /// The tiles that are left out.
  var absent: Set<TileCoord> = []

  init(
    _ container: Container = .archive,
    _ shapes: [(layer: String, shapes: [CutSample.Shape])] = VectorSourceSample.town
  ) throws {
    folder = try TemporaryFolder()
    self.container = container
    self.shapes = shapes
  }

  // MARK: Shapes

  private static func box(_ west: Double, _ north: Double, _ east: Double, _ south: Double)
    -> [GridPoint]
  {
    [
      GridPoint(west, north), GridPoint(east, north), GridPoint(east, south),
      GridPoint(west, south),
    ]
  }

  /// Areas, lines and points that reach over the borders of tiles; edges lie on the grid, and none is
  /// as long as half the world, beyond which GeoJSON goes the other way round.
  static let town: [(layer: String, shapes: [CutSample.Shape])] = [
    (
      "parks",
      [
        CutSample.Shape(
          type: .polygon,
          parts: [box(1200, 1200, 9200, 7200), box(6000, 3000, 7000, 6000).reversed()],
          id: 1, properties: [("kind", .string("wood"))]),
        CutSample.Shape(
          type: .polygon, parts: [box(10_400, 9000, 14_000, 15_000)], id: 2,
          properties: [("kind", .string("lawn"))]),
      ]
    ),
    (
      "roads",
      [
        CutSample.Shape(
          type: .line,
          parts: [
            [
              GridPoint(800, 10_000), GridPoint(8000, 10_000), GridPoint(15_000, 10_000),
              GridPoint(15_000, 2000),
            ]
          ],
          id: 3, properties: [("name", .string("Ring"))])
      ]
    ),
    (
      "places",
      [(2000, 12_000, "A"), (8192, 8192, "B"), (12_000, 4000, "C")].map { x, y, name in
        CutSample.Shape(
          type: .point, parts: [[GridPoint(x, y)]], properties: [("name", .string(name))])
      }
    ),
  ]

  // MARK: Tiles

  /// The tiles of all zooms with all layers.
  var tiles: [(tile: TileCoord, bytes: [UInt8])] {
    var tiles: [TileCoord: [UInt8]] = [:]
    for zoom in zooms {
      let factor = pow(2, Double(zoom - Self.zoom))
      for (layer, shapes) in shapes {
        let scaled = shapes.map { shape in
          var shape = shape
          shape.parts = shape.parts.map { part in
            part.map { GridPoint($0.x * factor, $0.y * factor) }
          }
          return shape
        }
        // Layers of one tile stand one after the other.
        for (tile, bytes) in CutSample(zoom: zoom, layer: layer).tiles(scaled) {
          tiles[tile, default: []] += bytes
        }
      }
    }
    return tiles.filter { !absent.contains($0.key) }.sorted {
      ($0.key.z, TileKey($0.key)) < ($1.key.z, TileKey($1.key))
    }
    .map { ($0.key, $0.value) }
  }

  private var metadata: String {
    let list = shapes.map { #"{"id": "\#($0.layer)", "fields": {}}"# }.joined(separator: ", ")
    return #"""
      {"tilejson": "3.0.0", "tiles": ["tiles/{z}/{x}/{y}.pbf"], "minzoom": \#(zooms.lowerBound),
       "maxzoom": \#(zooms.upperBound), "vector_layers": [\#(list)]}
      """#
  }

  /// Writes the tiles.
  ///
  /// - Parameter edit: changes the bytes of a tile.
  func write(edit: (TileCoord, inout [UInt8]) -> Void = { _, _ in }) throws {
    let tiles = tiles.map { tile, bytes in
      var bytes = bytes
      edit(tile, &bytes)
      return (tile: tile, bytes: bytes)
    }
    switch container {
    case .archive: try writeArchive(tiles)
    case .pmtiles: try writePMTiles(tiles)
    case .folder, .tileJSON:
      try folder.write(metadata, to: container == .folder ? "tiles/tiles.json" : "tiles.json")
      for (tile, bytes) in tiles {
        let name = "tiles/\(tile.z)/\(tile.x)/\(tile.y).pbf"
        try write(bytes, to: name)
      }
    case .template:
      for (tile, bytes) in tiles {
        try write(bytes, to: "flat/\(tile.z)-\(tile.x)-\(tile.y).mvt")
      }
    }
  }

  private func write(_ bytes: [UInt8], to name: String) throws {
    try folder.write("", to: name)
    try Data(bytes).write(to: folder.url.appendingPathComponent(name))
  }

  private func writeArchive(_ tiles: [(tile: TileCoord, bytes: [UInt8])]) throws {
    let path = folder.path(container.rawValue)
    try? FileManager.default.removeItem(atPath: path)
    let database = try Database(path: path, mode: .create)
    try database.execute(
      """
      CREATE TABLE metadata (name TEXT, value TEXT);
      CREATE TABLE tiles (zoom_level INTEGER, tile_column INTEGER, tile_row INTEGER, tile_data BLOB);
      INSERT INTO metadata VALUES ('name', 'Town'), ('format', 'pbf'),
        ('minzoom', '\(zooms.lowerBound)'), ('maxzoom', '\(zooms.upperBound)'),
        ('json', '\(metadata)');
      """)
    let row = try database.prepare("INSERT INTO tiles VALUES (?1, ?2, ?3, ?4)")
    for (tile, bytes) in tiles {
      try row.bind(Int64(tile.z), at: 1)
      try row.bind(Int64(tile.x), at: 2)
      try row.bind(Int64(tile.tmsRow), at: 3)
      let packed = bytes.withUnsafeBytes { Gzip.compress($0) } ?? []
      try packed.withUnsafeBytes { bytes in
        try row.bindBlob(borrowing: bytes, at: 4)
        try row.run()
      }
    }
  }

  private func writePMTiles(_ tiles: [(tile: TileCoord, bytes: [UInt8])]) throws {
    let path = folder.path(container.rawValue)
    try? FileManager.default.removeItem(atPath: path)
    let writer = try PMTilesWriter(path: FilePath(path))
    let ordered = tiles.sorted { HilbertTile($0.tile).rawValue < HilbertTile($1.tile).rawValue }
    for (tile, bytes) in ordered { try bytes.withUnsafeBytes { try writer.append(tile, $0) } }
    var header = PMTilesHeader()
    header.tileType = .vector
    header.minZoom = UInt8(zooms.lowerBound)
    header.maxZoom = UInt8(zooms.upperBound)
    _ = try writer.finish(header, metadata: Array(metadata.utf8))
  }

  // MARK: Pipelines

  /// The key that tells the last zoom of tiles without metadata.
  var zoomKeys: String {
    container == .template ? ", maxzoom: \(zooms.upperBound)" : ""
  }

  /// Returns the pipeline over the tiles.
  ///
  /// - Parameters:
  ///   - layers: a list in YAML's flow form; `nil` for those by default.
  ///   - source: further keys of the source.
  func pipeline(
    _ layers: String?, source: String = "", tiles: String = "{maxzoom: 3}", more: String = ""
  ) throws -> PipelineDefinition {
    try definition(
      """
      version: 1
      name: town
      sources: {town: {type: vector, data: '\(container.rawValue)'\(source)\(zoomKeys)}}
      \(layers.map { "layers: \($0)" } ?? "")
      tiles: \(tiles)
      output: {path: town.mbtiles}
      \(more)
      """, named: "town.yml")
  }

  /// Returns a pipeline over GeoJSON with a source for each layer, named by it.
  func directPipeline(
    _ layers: String?, tiles: String = "{maxzoom: 3}"
  ) throws -> PipelineDefinition {
    var sources: [String] = []
    for (layer, shapes) in shapes {
      let features = shapes.map { shape in
        let properties = shape.properties.map { name, value -> String in
          guard case .string(let text) = value else { return "" }
          return #""\#(name)": "\#(text)""#
        }.joined(separator: ", ")
        let geometry = Self.geometry(shape)
        return #"{"type": "Feature", "geometry": \#(geometry), "properties": {\#(properties)}}"#
      }
      try folder.write(
        #"{"type": "FeatureCollection", "features": [\#(features.joined(separator: ",\n"))]}"#,
        to: "\(layer).geojson")
      sources.append("\(layer): {type: geojson, data: \(layer).geojson}")
    }
    return try definition(
      """
      version: 1
      name: town
      sources: {\(sources.joined(separator: ", "))}
      \(layers.map { "layers: \($0)" } ?? "")
      tiles: \(tiles)
      output: {path: direct.mbtiles}
      """, named: "direct.yml")
  }

  private func definition(_ text: String, named name: String) throws -> PipelineDefinition {
    try PipelineDefinition(contentsOf: try folder.write(text, to: name), environment: { _ in nil })
  }

  /// Returns the geometry as GeoJSON; a unit of the grid is 2¹⁸ of the world's 2³².
  private static func geometry(_ shape: CutSample.Shape) -> String {
    func text(_ point: GridPoint) -> String {
      let place = LngLat(WorldPoint(x: UInt32(point.x) << 18, y: UInt32(point.y) << 18))
      return "[\(place.longitude), \(place.latitude)]"
    }
    func list(_ part: [GridPoint]) -> String {
      "[\(part.map(text).joined(separator: ", "))]"
    }
    switch shape.type {
    case .point: return #"{"type": "Point", "coordinates": \#(text(shape.parts[0][0]))}"#
    case .line: return #"{"type": "LineString", "coordinates": \#(list(shape.parts[0]))}"#
    default:
      let rings = shape.parts.map { list($0 + $0.prefix(1)) }.joined(separator: ", ")
      return #"{"type": "Polygon", "coordinates": [\#(rings)]}"#
    }
  }

  // MARK: Runs

  /// Renders the whole world, or a part of it around the middle of the map.
  static func picture(
    _ definition: PipelineDefinition, zoom: Double, side: Int
  ) throws -> Pixmap {
    try PipelineRunner.picture(
      of: MapView(
        center: LngLat(longitude: 0, latitude: 0), zoom: zoom, width: side, height: side),
      definition, options: BuildOptions(), cancellation: Cancellation(), progress: { _ in })
  }

  static func build(
    _ definition: PipelineDefinition, _ options: BuildOptions = BuildOptions()
  ) throws -> BuildReport {
    try PipelineRunner.build(
      definition, options: options, cancellation: Cancellation(), progress: { _ in })[0]
  }
}
