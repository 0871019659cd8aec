import SQLite
package import Tiling

/// The queries of a preview other than tiles.
extension ArchiveReader {
  /// Restarts the deadline of the following reads: they fail after this many seconds.
  package func giveUp(after seconds: Double) {
    database.setDeadline(seconds: seconds)
  }

  /// Returns the entries of a tile's UTFGrid: keys and their JSON data, in the byte order of the
  /// keys.
  ///
  /// - Parameter limit: the maximum number of entries; a grid of 64 × 64 fields has 4,096.
  package func gridData(
    of tile: TileCoord, limit: Int = 4096
  ) throws(ArchiveError) -> [(key: String, json: String)] {
    guard tile.isValid else { return [] }
    var entries: [(key: String, json: String)] = []
    return try reading(.taps(of: tile)) { () throws(SQLiteError) in
      let statement = try database.prepare(
        "SELECT key_name, key_json FROM grid_data WHERE zoom_level = ?1 AND tile_column = ?2"
          + " AND tile_row = ?3 ORDER BY key_name LIMIT \(limit)")
      try statement.bind(tile)
      while try statement.step() {
        guard let key = statement.text(0), let json = statement.text(1) else { continue }
        entries.append((key, json))
      }
      return entries
    }
  }

  /// Returns the first tile in the order of the rows; `nil` where the archive has none.
  package func anyTile() throws(ArchiveError) -> [UInt8]? {
    try reading { () throws(SQLiteError) in
      let statement = try database.prepare("SELECT tile_data FROM tiles LIMIT 1")
      guard try statement.step(), statement.kind(0) == .blob else { return nil }
      return statement.withBytes(0) { Array($0) }
    }
  }
}
