import Foundation

@testable import QuadrilleClient

/// A small archive, made by the SQL of docs/archive.md.
struct TinyArchive: Sendable {
  var tiles: [TileAddress: [UInt8]] = [:]
  var name = "tiny"
  var isFlat = false

  /// More tables and rows, such as those of taps.
  var additions: [String] = []

  /// An archive of the tiles of zoom 0 to `maxZoom`, some of which are equal.
  ///
  /// - Parameter seed: decides the bytes of the tiles.
  init(seed: Int = 0, isFlat: Bool = false, maxZoom: Int = 3) {
    self.isFlat = isFlat
    for zoom in 0...maxZoom {
      for column in 0..<1 << zoom {
        for row in 0..<1 << zoom where (column + row) % 3 != 2 {
          let tile = TileAddress(zoom: zoom, column: column, row: row)
          tiles[tile] = Self.bytes(column == row ? zoom : seed &* 64 &+ column &* 8 &+ row)
        }
      }
    }
  }

  /// Some hundred bytes that a number decides.
  static func bytes(_ number: Int) -> [UInt8] {
    var bytes = Array("\u{89}PNG \(number)".utf8)
    while bytes.count < 300 { bytes += SHA256Hash.digest(of: bytes) }
    return bytes
  }

  var digest: String {
    var tree = DigestTree()
    for tile in sorted { _ = tree.add(tile, SHA256Hash.digest(of: tiles[tile] ?? [])) }
    return tree.finish()
  }

  var state: ArchiveState { ArchiveState(digest: digest) }

  private var sorted: [TileAddress] {
    tiles.keys.sorted { DigestTree.key($0) < DigestTree.key($1) }
  }

  private var metadata: [(String, String)] {
    [
      ("name", name), ("format", "png"), ("bounds", "-180,-85,180,85"), ("center", "7.5,47,2"),
      ("minzoom", "0"), ("maxzoom", "\(tiles.keys.map(\.zoom).max() ?? 0)"),
      ("quadrille:digest", digest),
    ]
  }

  func write(to url: URL) throws {
    let file = try Self.created(url)
    try file.run("PRAGMA page_size = 4096; BEGIN; CREATE TABLE metadata (name TEXT, value TEXT)")
    for (name, value) in metadata {
      try file.run("INSERT INTO metadata VALUES ('\(name)', '\(value)')")
    }
    try file.run(isFlat ? Self.flatTables : Self.dedupTables)
    for tile in sorted {
      let bytes = tiles[tile] ?? []
      if isFlat {
        try file.run("INSERT INTO tiles (rowid, \(Self.columns), tile_data) \(row(tile, bytes))")
      } else {
        try file.run("INSERT OR IGNORE INTO images VALUES \(image(bytes))")
        try file.run("INSERT INTO map (rowid, \(Self.columns), tile_id) \(row(tile, bytes))")
      }
    }
    for addition in additions { try file.run(addition) }
    try file.run("COMMIT")
  }

  /// Writes the delta to another archive of the same layout.
  func writeDelta(to next: TinyArchive, at url: URL) throws {
    let file = try Self.created(url)
    let (place, table) = (Self.columns.replacingOccurrences(of: ",", with: " INTEGER,"), "new_map")
    try file.run("PRAGMA application_id = 1363430484; PRAGMA user_version = 2; BEGIN")
    try file.run("CREATE TABLE facts (name TEXT, value TEXT)")
    try file.run("CREATE TABLE new_metadata (name TEXT, value TEXT, replaces TEXT)")
    try file.run("CREATE TABLE removed_tiles (\(place) INTEGER)")
    try file.run(
      isFlat
        ? "CREATE TABLE new_tiles (\(place) INTEGER, tile_data BLOB)"
        : "CREATE TABLE new_images (tile_id TEXT, tile_data BLOB, replaces TEXT);"
          + "CREATE TABLE dropped_images (tile_id TEXT);"
          + "CREATE TABLE new_map (\(place) INTEGER, tile_id TEXT)")
    for (name, value) in next.metadata {
      try file.run("INSERT INTO new_metadata VALUES ('\(name)', '\(value)', '\(name)')")
    }
    for tile in sorted where next.tiles[tile] == nil {
      try file.run(
        "INSERT INTO removed_tiles VALUES (\(tile.zoom), \(tile.column), \(tile.storedRow))")
    }
    var known = Set(tiles.values)
    for tile in next.sorted where tiles[tile] != next.tiles[tile] {
      let bytes = next.tiles[tile] ?? []
      try file.run(
        "INSERT INTO \(isFlat ? "new_tiles" : table) (rowid, \(Self.columns), "
          + "\(isFlat ? "tile_data" : "tile_id")) \(next.row(tile, bytes))")
      if !isFlat, known.insert(bytes).inserted {
        try file.run("INSERT INTO new_images SELECT *, NULL FROM (VALUES \(image(bytes)))")
      }
    }
    if !isFlat {
      for gone in Set(tiles.values).subtracting(next.tiles.values) {
        try file.run("INSERT INTO dropped_images VALUES ('\(Self.id(gone))')")
      }
    }
    try file.run("INSERT INTO facts VALUES ('before', '\(digest)'), ('after', '\(next.digest)')")
    try file.run("INSERT INTO facts VALUES ('bytes', '\(try next.data().count)')")
    try file.run("COMMIT")
  }

  /// The bytes of the file.
  func data() throws -> Data {
    try Self.data { try write(to: $0) }
  }

  /// The bytes of the delta to another archive.
  func delta(to next: TinyArchive) throws -> Data {
    try Self.data { try writeDelta(to: next, at: $0) }
  }

  private static func data(_ write: (URL) throws -> Void) throws -> Data {
    let url = FileManager.default.temporaryDirectory
      .appendingPathComponent("quadrille-tiny-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: url) }
    try write(url)
    return try Data(contentsOf: url)
  }

  private static func created(_ url: URL) throws -> SQLiteFile {
    try Data().write(to: url)
    return try SQLiteFile(path: url.path, mode: .writable)
  }

  // MARK: SQL

  private static let columns = "zoom_level, tile_column, tile_row"

  private static let flatTables = """
    CREATE TABLE tiles (zoom_level INTEGER, tile_column INTEGER, tile_row INTEGER, tile_data BLOB);
    CREATE UNIQUE INDEX tiles_index ON tiles (\(columns));
    CREATE UNIQUE INDEX metadata_index ON metadata (name);
    """

  private static let dedupTables = """
    CREATE TABLE map (zoom_level INTEGER, tile_column INTEGER, tile_row INTEGER, tile_id TEXT, \
    grid_id TEXT);
    CREATE TABLE images (tile_id TEXT, tile_data BLOB);
    CREATE VIEW tiles AS SELECT map.zoom_level AS zoom_level, map.tile_column AS tile_column, \
    map.tile_row AS tile_row, images.tile_data AS tile_data FROM map JOIN images \
    ON images.tile_id = map.tile_id;
    CREATE UNIQUE INDEX map_index ON map (\(columns));
    CREATE UNIQUE INDEX images_index ON images (tile_id);
    CREATE UNIQUE INDEX metadata_index ON metadata (name);
    """

  private static func id(_ bytes: [UInt8]) -> String {
    String(Hexadecimal.text(SHA256Hash.digest(of: bytes)).prefix(32))
  }

  private func image(_ bytes: [UInt8]) -> String {
    "('\(Self.id(bytes))', x'\(Hexadecimal.text(bytes))')"
  }

  private func row(_ tile: TileAddress, _ bytes: [UInt8]) -> String {
    let number = ((1 << (2 * tile.zoom)) - 1) / 3 + 1 + Int(DigestTree.key(tile) & 0xFFFF_FFFF)
    let content = isFlat ? "x'\(Hexadecimal.text(bytes))'" : "'\(Self.id(bytes))'"
    return
      "VALUES (\(number), \(tile.zoom), \(tile.column), \(tile.storedRow), \(content))"
  }
}
