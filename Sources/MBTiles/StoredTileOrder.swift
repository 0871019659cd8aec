import SQLite
import Tiling

/// The SQL terms that sort the rows of an archive's tiles into archive order.
package struct StoredTileOrder {
  /// The tables of the layout `dedup`, joined row by row of `map`.
  static let joined = "map CROSS JOIN images ON images.tile_id = map.tile_id"

  /// Whether rows are numbered by their tiles (``TileCoord/number``), so that no sort is needed.
  package let isNumbered: Bool

  private let layout: StoredLayout

  /// The relation of tiles with their bytes.
  package var relation: String {
    switch layout {
    case .dedup: Self.joined
    case .flat, .view: "tiles"
    }
  }

  /// The terms after `ORDER BY`.
  package var terms: String {
    switch layout {
    case .dedup where isNumbered: "map.rowid"
    case .flat where isNumbered: "rowid"
    default: "tile_number(zoom_level, tile_column, tile_row)"
    }
  }

  /// Returns the condition for the rows of some zooms, with its `WHERE`.
  package func condition(_ zooms: ClosedRange<Int>?) -> String {
    guard let zooms else { return "" }
    guard isNumbered else {
      return " WHERE zoom_level BETWEEN \(zooms.lowerBound) AND \(zooms.upperBound)"
    }
    let first = TileCoord.firstNumber(ofZoom: zooms.lowerBound)
    let next = TileCoord.firstNumber(ofZoom: zooms.upperBound + 1)
    let row = layout == .dedup ? "map.rowid" : "rowid"
    return " WHERE \(row) >= \(first) AND \(row) < \(next)"
  }

  /// - Parameter database: receives the function that numbers tiles, where rows are to be sorted.
  init(_ layout: StoredLayout, isOwn: Bool, _ database: Database) throws(SQLiteError) {
    self.layout = layout
    isNumbered = isOwn ? try Self.isLastRowNumbered(layout, database) : false
    if !isNumbered { try database.defineTileNumber() }
  }

  /// Whether the last row has the number of its tile: a row that another program has added would be
  /// the last one.
  private static func isLastRowNumbered(
    _ layout: StoredLayout, _ database: Database
  ) throws(SQLiteError) -> Bool {
    guard layout != .view else { return false }
    let last = try database.prepare(
      "SELECT zoom_level, tile_column, tile_row, rowid FROM \(layout == .dedup ? "map" : "tiles")"
        + " ORDER BY rowid DESC LIMIT 1")
    guard try last.step() else { return true }
    guard let tile = TileCoord(row: last) else { return false }
    return last.integer(3) == Int64(tile.number)
  }
}

extension Database {
  /// Defines `tile_number(zoom_level, tile_column, tile_row)`, the ``TileCoord/number`` of a tile;
  /// null where there is no such tile.
  func defineTileNumber() throws(SQLiteError) {
    try define("tile_number", arguments: 3) { values in
      guard let zoom = values[0], let column = values[1], let row = values[2],
        let tile = TileCoord(zoom: zoom, column: column, tmsRow: row)
      else { return nil }
      return Int64(tile.number)
    }
  }
}

extension ArchiveReader {
  /// Returns the order of the archive's tiles.
  package func tileOrder() throws(ArchiveError) -> StoredTileOrder {
    try reading { () throws(SQLiteError) in
      try StoredTileOrder(
        layout, isOwn: metadata[ArchiveMetadata.digestKey] != nil, database)
    }
  }
}
