import Definition
import Foundation
import PMTiles
import PNG
import Pipeline
import PipelineSamples
import Raster
import Reports
import Runs
import SQLite
import SystemPackage
import TestSupport
import TileCodecs
import Tiling

/// A pipeline over tiles that are cut from one picture of the world, 64 pixels each.
struct RasterTileSample {
  /// The containers of the tiles, by the `data` of the source.
  enum Container: String, CaseIterable {
    case archive = "tiles.mbtiles"
    case pmtiles = "tiles.pmtiles"
    case folder = "tiles"
    case southern = "south"
    case tileJSON = "tiles.json"
    case geoPackage = "tiles.gpkg"
    case template = "tiles/{z}-{x}-{y}.png"
  }

  static let side = 64

  let folder: TemporaryFolder
  let container: Container

  /// The pictures by tile.
  var pictures: [TileCoord: Pixmap] = [:]

  /// Bytes instead of the pictures of some tiles.
  var bytes: [TileCoord: [UInt8]] = [:]

  /// - Parameter zooms: the zooms with tiles.
  init(_ container: Container = .archive, zooms: ClosedRange<Int> = 0...2) throws {
    folder = try TemporaryFolder()
    self.container = container
    for zoom in zooms {
      for x in 0..<1 << zoom {
        for y in 0..<1 << zoom {
          let tile = TileCoord(z: zoom, x: x, y: y)
          pictures[tile] = Self.picture(tile)
        }
      }
    }
  }

  /// A picture whose colours tell its tile and the place in it.
  static func picture(_ tile: TileCoord, shade: Double = 0) -> Pixmap {
    let picture = Pixmap(width: side, height: side)
    let count = Double(1 << tile.z)
    for y in 0..<side {
      for x in 0..<side {
        picture[x, y] = PremultipliedColor(
          Color(
            red: (Double(tile.x) + Double(x) / Double(side)) / count,
            green: (Double(tile.y) + Double(y) / Double(side)) / count,
            blue: Double(tile.z) / 4 + shade, alpha: (x / 8 + y / 8) % 5 == 0 ? 0.5 : 1))
      }
    }
    return picture
  }

  // MARK: Files

  var files: [(tile: TileCoord, bytes: [UInt8])] {
    pictures.sorted { ($0.key.z, TileKey($0.key)) < ($1.key.z, TileKey($1.key)) }.map {
      ($0.key, bytes[$0.key] ?? PNGEncoder().encode($0.value))
    }
  }

  func write() throws {
    let path = folder.path(container.rawValue)
    for old in [path, folder.path("tiles")] { try? FileManager.default.removeItem(atPath: old) }
    switch container {
    case .archive: try writeArchive(path)
    case .pmtiles: try writePMTiles(path)
    case .geoPackage: try writeGeoPackage(path)
    case .folder: try writeFolder("tiles") { $0.y }
    case .southern: try writeFolder("south") { $0.tmsRow }
    case .template: try writeFiles { "tiles/\($0.z)-\($0.x)-\($0.y).png" }
    case .tileJSON:
      try writeFolder("tiles") { $0.y }
      try folder.write(
        #"{"tilejson": "3.0.0", "tiles": ["tiles/{z}/{x}/{y}.png"], "maxzoom": 2}"#,
        to: "tiles.json")
    }
  }

  private func writeFolder(_ name: String, row: (TileCoord) -> Int) throws {
    try writeFiles { "\(name)/\($0.z)/\($0.x)/\(row($0)).png" }
  }

  private func writeFiles(_ name: (TileCoord) -> String) throws {
    for (tile, bytes) in files {
      let file = name(tile)
      try folder.write("", to: file)
      try Data(bytes).write(to: folder.url.appendingPathComponent(file))
    }
  }

  /// Writes an archive as other programs do, its first tile gzipped.
  private func writeArchive(_ path: String) throws {
    let database = try Database(path: path, mode: .create)
    try database.execute(
      """
      CREATE TABLE metadata (name TEXT, value TEXT);
      CREATE TABLE tiles (zoom_level INTEGER, tile_column INTEGER, tile_row INTEGER, tile_data BLOB);
      """)
    for (index, file) in files.enumerated() {
      let bytes = index == 0 ? file.bytes.withUnsafeBytes { Gzip.compress($0) } ?? [] : file.bytes
      try database.execute(
        "INSERT INTO tiles VALUES (\(file.tile.z), \(file.tile.x), \(file.tile.tmsRow), \(Self.blob(bytes)))"
      )
    }
  }

  private func writePMTiles(_ path: String) throws {
    let writer = try PMTilesWriter(path: FilePath(path))
    let ordered = files.sorted { HilbertTile($0.tile).rawValue < HilbertTile($1.tile).rawValue }
    for (tile, bytes) in ordered { try bytes.withUnsafeBytes { try writer.append(tile, $0) } }
    var header = PMTilesHeader()
    header.tileType = .png
    header.maxZoom = 2
    _ = try writer.finish(header, metadata: Array("{}".utf8))
  }

  private func writeGeoPackage(_ path: String) throws {
    let half = 20_037_508.342_789_244
    let grids = (0...2).map { zoom -> String in
      let (count, pixel) = (1 << zoom, 2 * half / Double(Self.side << zoom))
      return "('pics', \(zoom), \(count), \(count), 64, 64, \(pixel), \(pixel))"
    }
    let rows = files.map { tile, bytes in
      "(\(tile.z), \(tile.x), \(tile.y), \(Self.blob(bytes)))"
    }
    let database = try Database(path: path, mode: .create)
    try database.execute(
      TileTable.base + """
        CREATE TABLE pics (id INTEGER PRIMARY KEY, zoom_level INTEGER, tile_column INTEGER,
          tile_row INTEGER, tile_data BLOB);
        INSERT INTO gpkg_contents VALUES ('pics', 'tiles');
        INSERT INTO gpkg_tile_matrix_set VALUES ('pics', 3857, -\(half), -\(half), \(half), \(half));
        INSERT INTO gpkg_tile_matrix VALUES \(grids.joined(separator: ", "));
        INSERT INTO pics(zoom_level, tile_column, tile_row, tile_data)
          VALUES \(rows.joined(separator: ", "));
        """)
  }

  private static func blob(_ bytes: [UInt8]) -> String {
    "X'\(bytes.map { String(format: "%02x", $0) }.joined())'"
  }

  // MARK: Pipelines

  /// - Parameters:
  ///   - data: where the tiles are; `nil` for the container.
  ///   - source: further keys of the source.
  ///   - layers: a list in YAML's flow form.
  func pipeline(
    data: String? = nil, source: String = "",
    layers: String = "[{id: r, type: raster, source: photo}]",
    tiles: String = "{maxzoom: 3}"
  ) throws -> PipelineDefinition {
    let rows =
      switch container {
      case .southern: ", scheme: tms"
      // Nothing else tells where the tiles end.
      case .template: ", maxzoom: 2"
      default: ""
      }
    return try PipelineDefinition(
      contentsOf: try folder.write(
        """
        version: 1
        name: photo
        sources: {photo: {type: raster, data: "\(data ?? container.rawValue)", tileSize: 256\(rows)\(source)}}
        layers: \(layers)
        tiles: \(tiles)
        output: {path: photo.mbtiles}
        """, to: "photo.yml"), environment: { _ in nil })
  }

  static func build(
    _ definition: PipelineDefinition, threads: Int = 1, force: Bool = false
  ) throws -> BuildReport {
    var options = BuildOptions()
    options.threads = threads
    options.force = force
    return try PipelineRunner.build(
      definition, options: options, cancellation: Cancellation(), progress: { _ in })[0]
  }

  var archive: [UInt8] { get throws { try folder.bytes("photo.mbtiles") } }
}
