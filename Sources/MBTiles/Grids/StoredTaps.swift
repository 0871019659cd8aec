package import SQLite
import TapBlocks
package import Tiling

extension ArchiveReader {
  /// Returns whether the archive has grids.
  package func hasGrids() throws(ArchiveError) -> Bool {
    try reading { () throws(SQLiteError) in
      try database.integer(
        "SELECT count(*) FROM sqlite_schema WHERE name IN ('grids', 'grid_data')") == 2
    }
  }

  /// Returns the statistics of the UTFGrids; `nil` where the archive has no tables for them.
  package func gridSummary() throws(ArchiveError) -> GridSummary? {
    try reading(.grids) { () throws(SQLiteError) in
      if let summary = try GridSummary(database) { return summary }
      guard try database.integer(TapSchema.count) == 2 else { return nil }
      var scan = TapScan(database)
      _ = try scan.run()
      return scan.summary
    }
  }

  /// Returns the text of a tile's grid, `nil` where it has none.
  ///
  /// - Throws: ``ArchiveError/Code/badArchive`` if the grid cannot be inflated.
  package func grid(of tile: TileCoord) throws(ArchiveError) -> [UInt8]? {
    guard tile.isValid else { return nil }
    let text: [UInt8]?
    do {
      let statement = try database.prepare(
        "SELECT grid FROM grids WHERE zoom_level = ?1 AND tile_column = ?2 AND tile_row = ?3")
      try statement.bind(tile)
      guard try statement.step(), statement.kind(0) == .blob else { return nil }
      text = statement.withBytes(0) { try? TapInflater.forGrids.inflate($0) }
    } catch {
      throw ArchiveError(error, reading: .grid(tile), of: path)
    }
    guard let text else { throw ArchiveError(.content(.damagedGrid(tile)), path: path) }
    return text
  }

  /// Returns the data of a key of a tile's grid, `nil` where the archive has none.
  package func entry(of key: String, in tile: TileCoord) throws(ArchiveError) -> String? {
    try reading(.grid(tile)) { () throws(SQLiteError) in
      let statement = try database.prepare(
        "SELECT key_json FROM grid_data WHERE zoom_level = ?1 AND tile_column = ?2"
          + " AND tile_row = ?3 AND key_name = ?4")
      try statement.bind(tile)
      try statement.bind(key, at: 4)
      return try statement.step() ? statement.text(0) : nil
    }
  }
}

extension GridSummary {
  /// Returns whether an archive has the tables of UTFGrids.
  package static func isThere(in database: Database) throws(SQLiteError) -> Bool {
    try database.integer(
      """
      SELECT count(*) FROM sqlite_schema WHERE type = 'table' \
      AND name IN ('map', 'grid_utfgrid', 'grid_key', 'keymap')
      """) == 4
  }

  /// Counts the rows of an archive; `nil` where it has no tables of UTFGrids.
  init?(_ database: Database) throws(SQLiteError) {
    guard try Self.isThere(in: database) else { return nil }
    self.init()
    tiles = Int(
      try database.integer("SELECT count(*) FROM map WHERE grid_id IS NOT NULL") ?? 0)
    let grids = try database.prepare("SELECT count(*), sum(length(grid_utfgrid)) FROM grid_utfgrid")
    if try grids.step() {
      distinct = Int(grids.integer(0))
      bytes = Int(grids.integer(1))
    }
    let keys = try database.prepare(
      "SELECT count(*), sum(length(CAST(key_name AS BLOB)) + length(CAST(key_json AS BLOB)))"
        + " FROM keymap")
    if try keys.step() {
      self.keys = Int(keys.integer(0))
      keyBytes = Int(keys.integer(1))
    }
  }
}
