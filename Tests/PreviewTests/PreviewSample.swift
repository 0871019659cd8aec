import CDeflate
import Foundation
import PNG
import Raster
import SQLite
import TapBlocks
import TestSupport

@testable import Preview

/// Archives and a series in a folder of their own, made by the SQL of the format.
struct PreviewSample {
  let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
  }

  /// The bytes of a tile of one colour.
  ///
  /// - Parameter red: 0, ¼, ½, ¾ or 1.
  static func tile(_ red: Double, size: Int = 256) -> [UInt8] {
    (size == 256 ? plain : large)[Int(red * 4)]
  }

  private static let plain = (0...4).map { drawn(Double($0) / 4, size: 256) }
  private static let large = (0...4).map { drawn(Double($0) / 4, size: 512) }

  private static func drawn(_ red: Double, size: Int) -> [UInt8] {
    let picture = Pixmap(width: size, height: size)
    picture.clear(to: PremultipliedColor(Color(red: red, green: 0.5, blue: 0.2)))
    return PNGEncoder().encode(picture)
  }

  /// Gives an archive compact taps: one block of zoom 0, and a page of entries whose first feature
  /// is 3.
  func addTaps(_ block: TapBlock, _ page: TapEntryPage, to path: String) throws {
    let database = try Database(path: path, mode: .readWrite)
    try database.execute(
      "CREATE TABLE taps (zoom_level, block_column, block_row, block_data);"
        + "CREATE TABLE tap_entries (first_feature, entry_data)")
    for (sql, bytes) in [
      ("INSERT INTO taps VALUES (0, 0, 0, ?1)", block.encoded()),
      ("INSERT INTO tap_entries VALUES (3, ?1)", page.encoded()),
    ] {
      let statement = try database.prepare(sql)
      try TapDeflater().compress(bytes).withUnsafeBytes {
        try statement.bindBlob(borrowing: $0, at: 1)
        try statement.run()
      }
    }
  }

  /// A grid whose left half is one thing.
  static let grid: [UInt8] = {
    let row = String(repeating: "!", count: 32) + String(repeating: " ", count: 32)
    let rows = Array(repeating: "\"\(row)\"", count: 64).joined(separator: ",")
    return zlib(Array("{\"grid\":[\(rows)],\"keys\":[\"\",\"k1\"]}".utf8))
  }()

  static func zlib(_ bytes: [UInt8]) -> [UInt8] {
    guard let compressor = libdeflate_alloc_compressor(6) else { return [] }
    defer { libdeflate_free_compressor(compressor) }
    var output = [UInt8](repeating: 0, count: libdeflate_zlib_compress_bound(nil, bytes.count))
    let count = output.withUnsafeMutableBytes {
      libdeflate_zlib_compress(compressor, bytes, bytes.count, $0.baseAddress, $0.count)
    }
    return Array(output[..<count])
  }

  /// Writes an archive of zoom 0 and 1 without the tile 1/1/1, with taps where asked for.
  @discardableResult
  func archive(
    _ name: String, scale: Int = 1, taps: Bool = false, metadata: [String: String] = [:]
  ) throws -> String {
    let path = folder.path(name)
    try FileManager.default.createDirectory(
      atPath: (path as NSString).deletingLastPathComponent, withIntermediateDirectories: true)
    let database = try Database(path: path, mode: .create)
    try database.execute(
      """
      CREATE TABLE metadata (name TEXT, value TEXT);
      CREATE TABLE tiles (zoom_level INTEGER, tile_column INTEGER, tile_row INTEGER, tile_data BLOB);
      """)
    if taps {
      try database.execute(
        """
        CREATE TABLE grids (zoom_level INTEGER, tile_column INTEGER, tile_row INTEGER, grid BLOB);
        CREATE TABLE grid_data (zoom_level INTEGER, tile_column INTEGER, tile_row INTEGER,
          key_name TEXT, key_json TEXT);
        INSERT INTO grid_data VALUES (0, 0, 0, 'k1', '{"name": "Inn <b>", "rooms": 12}');
        INSERT INTO grid_data VALUES (0, 0, 0, 'k2', 'no JSON');
        """)
      let statement = try database.prepare("INSERT INTO grids VALUES (0, 0, 0, ?1)")
      try Self.grid.withUnsafeBytes {
        try statement.bindBlob(borrowing: $0, at: 1); try statement.run()
      }
    }
    let all = [
      "name": "sample", "format": "png", "bounds": "-10,-20,30,40", "center": "10,10,1",
      "minzoom": "0", "maxzoom": "1", "attribution": "© <a href=\"https://example.org\">Us</a>",
    ].merging(scale == 1 ? [:] : ["scale": "\(scale)"]) { $1 }.merging(metadata) { $1 }
    for (key, value) in all.sorted(by: { $0.key < $1.key }) {
      let statement = try database.prepare("INSERT INTO metadata VALUES (?1, ?2)")
      try statement.bind(key, at: 1)
      try statement.bind(value, at: 2)
      try statement.run()
    }
    for (zoom, column, row) in [(0, 0, 0), (1, 0, 0), (1, 0, 1), (1, 1, 1)] {
      let statement = try database.prepare(
        "INSERT INTO tiles VALUES (\(zoom), \(column), \(row), ?1)")
      let tile = Self.tile(Double(zoom + column + row) / 4, size: 256 * scale)
      try tile.withUnsafeBytes {
        try statement.bindBlob(borrowing: $0, at: 1); try statement.run()
      }
    }
    return path
  }

  /// Writes a series of two frames with a gap between them.
  func series(_ name: String = "rain") throws -> String {
    let times = ["2014-01-19T06:00:00Z", "2014-01-19T08:00:00Z"]
    let frames = try times.map { time in
      let file = "\(name)/\(time.prefix(16).filter { $0 != ":" })Z.mbtiles"
      try archive(file)
      return """
        {"time": "\(time)", "file": "\(file)", "sha256": "", "bounds": [-10, -20, 30, 40], \
        "minzoom": 0, "maxzoom": 1, "duration": 500, "input": ""}
        """
    }
    return try folder.write(
      """
      {"version": 1, "name": "\(name)", "frameDuration": 500, "loop": true, "default": "\(times[1])",
      "frames": [\(frames.joined(separator: ",\n"))],
      "gaps": [{"from": "\(times[0])", "to": "\(times[1])", "missing": 1, "policy": "hold"}],
      "unusable": []}
      """, to: "\(name).frames.json")
  }

  /// A stand-in for Leaflet's folder.
  func leaflet() throws -> LeafletFiles {
    try folder.write("// leaflet", to: "leaflet/leaflet.js")
    try folder.write("/* leaflet */", to: "leaflet/leaflet.css")
    try folder.write("BSD-2-Clause", to: "leaflet/LICENSE")
    return try LeafletFiles(folders: [folder.path("leaflet")])
  }

  func tilesets(_ files: String...) throws -> [PreviewTileset] {
    try PreviewTileset.find(files.map { folder.path($0) }) { _ in [] }
  }

  func router(_ files: String...) throws -> PreviewRouter {
    try PreviewRouter(
      PreviewTileset.find(files.map { folder.path($0) }) { _ in [] }, leaflet: leaflet(),
      hosts: PreviewRouter.hosts(port: 8080))
  }
}

extension PreviewRouter {
  /// The answer to a page of this machine.
  func get(_ target: String, method: String = "GET") -> PreviewAnswer {
    answer(PreviewRequest(method: method, target: target, host: "127.0.0.1:8080"))
  }
}
