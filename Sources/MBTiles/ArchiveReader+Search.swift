import SQLite
package import TapBlocks
package import Tiling

/// The rows that a search over taps reads, one after the other.
extension ArchiveReader {
  /// Calls `body` with the entries of the grids of a zoom, in the order of the archive, until it
  /// returns `false`.
  ///
  /// - Complexity: O(entries of the zoom).
  package func forEachGridEntry(
    zoom: Int, _ body: (TileCoord, String, String) -> Bool
  ) throws(ArchiveError) {
    try reading(.taps()) { () throws(SQLiteError) in
      let statement = try database.prepare(
        "SELECT tile_column, tile_row, key_name, key_json FROM grid_data WHERE zoom_level = ?1")
      try statement.bind(Int64(zoom), at: 1)
      while try statement.step() {
        guard let key = statement.text(2), let json = statement.text(3) else { continue }
        guard body(Self.tile(statement, zoom), key, json) else { return }
      }
    }
  }

  /// Calls `body` with the addresses of the tiles of a zoom, in the order of the archive, until it
  /// returns `false`.
  ///
  /// - Complexity: O(tiles of the zoom).
  package func forEachAddress(zoom: Int, _ body: (TileCoord) -> Bool) throws(ArchiveError) {
    try reading { () throws(SQLiteError) in
      let statement = try database.prepare(
        "SELECT tile_column, tile_row FROM tiles WHERE zoom_level = ?1")
      try statement.bind(Int64(zoom), at: 1)
      while try statement.step() {
        guard body(Self.tile(statement, zoom)) else { return }
      }
    }
  }

  /// Returns the tile that the first two columns of a row name; it may be beyond the zoom.
  private static func tile(_ statement: borrowing Statement, _ zoom: Int) -> TileCoord {
    TileCoord(
      z: zoom, x: Int(clamping: statement.integer(0)),
      tmsRow: Int(clamping: min(max(statement.integer(1), -1), 1 << 30)))
  }

  /// Calls `body` with the pages of the entries of compact taps, in the order of the features,
  /// until it returns `false`. A damaged page is left out.
  package func forEachTapPage(_ body: (TapEntryPage) -> Bool) throws(ArchiveError) {
    try reading(.taps()) { () throws(SQLiteError) in
      let statement = try database.prepare(
        "SELECT first_feature, entry_data FROM tap_entries ORDER BY first_feature")
      let inflater = TapInflater()
      while try statement.step() {
        guard statement.kind(1) == .blob else { continue }
        let first = statement.integer(0)
        let page = statement.withBytes(1) { bytes in
          try? TapEntryPage(inflater.inflate(bytes), first: first)
        }
        guard let page else { continue }
        guard body(page) else { return }
      }
    }
  }

  /// Calls `body` with the blocks of compact taps of a zoom, until it returns `false`. A damaged
  /// block is left out.
  package func forEachTapBlock(
    zoom: Int, _ body: (TapBlockCoord, TapBlock) -> Bool
  ) throws(ArchiveError) {
    try reading(.taps()) { () throws(SQLiteError) in
      let statement = try database.prepare(
        "SELECT block_column, block_row, block_data FROM taps WHERE zoom_level = ?1"
          + " ORDER BY block_column, block_row")
      try statement.bind(Int64(zoom), at: 1)
      let inflater = TapInflater()
      while try statement.step() {
        guard statement.kind(2) == .blob else { continue }
        let coord = TapBlockCoord(
          zoom: zoom, column: Int(clamping: statement.integer(0)),
          row: Int(clamping: statement.integer(1)))
        let block = statement.withBytes(2) { try? TapBlock(inflater.inflate($0)) }
        guard coord.isValid, let block else { continue }
        guard body(coord, block) else { return }
      }
    }
  }
}
