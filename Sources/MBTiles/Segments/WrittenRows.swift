import Pictures
import SQLite
import Tiling

/// Rows of tiles that follow one another and were written anew.
package struct WrittenRows: Hashable, Sendable {
  /// The numbers of the first and the last tile.
  package let numbers: ClosedRange<UInt64>

  /// The number of the tiles.
  package let count: Int

  package init(numbers: ClosedRange<UInt64>, count: Int) {
    self.numbers = numbers
    self.count = count
  }
}

/// A check that reads some rows of an archive through SQLite, as its readers do.
final class WrittenRowsCheck {
  private let rows: Statement
  private let entry: Statement
  private let hasNames: Bool

  /// Side of a tile in pixels, from the first image.
  private(set) var tileSize: Int?

  /// The format of the tiles, from the first image.
  private(set) var format: TileFormat?

  init(_ database: Database, _ layout: StoredLayout) throws(SQLiteError) {
    hasNames = layout == .dedup
    let table = hasNames ? "map" : "tiles"
    rows = try database.prepare(
      "SELECT zoom_level, tile_column, tile_row, tile_data, \(table).rowid"
        + (hasNames ? ", images.tile_id FROM \(StoredTileOrder.joined)" : " FROM tiles")
        + " WHERE \(table).rowid BETWEEN ?1 AND ?2")
    entry = try database.prepare(
      "SELECT rowid FROM \(table) WHERE zoom_level = ?1 AND tile_column = ?2 AND tile_row = ?3")
  }

  /// Returns the fault of some rows, a sentence; `nil` if they are all there.
  ///
  /// - Complexity: O(bytes of their images).
  func fault(of fresh: WrittenRows) throws(SQLiteError) -> String? {
    try rows.bind(Int64(fresh.numbers.lowerBound), at: 1)
    try rows.bind(Int64(fresh.numbers.upperBound), at: 2)
    defer { rows.reset() }
    var count = 0
    while try rows.step() {
      guard let tile = TileCoord(row: rows), Int64(tile.number) == rows.integer(4) else {
        return "a row has not the number of its tile."
      }
      // The index's bytes are checked elsewhere; this shows that it is the index of these rows.
      if [fresh.numbers.lowerBound, fresh.numbers.upperBound].contains(tile.number) {
        guard try isFound(tile) else { return "the index does not lead to tile \(tile)." }
      }
      guard isImage() else { return "tile \(tile) does not show a whole image of its name." }
      count += 1
    }
    return count == fresh.count
      ? nil : "there are \(count) tiles where the build wrote \(fresh.count)."
  }

  /// Returns the fault of the UTFGrids of some rows, a sentence; `nil` if the indexes lead to all grids
  /// and to the data of all keys.
  static func gridFault(
    of fresh: [WrittenRows], _ database: Database
  ) throws(SQLiteError) -> String? {
    let grids = try database.prepare(
      "SELECT count(*) FROM map LEFT JOIN grid_utfgrid AS grid ON grid.grid_id = map.grid_id"
        + " WHERE map.rowid BETWEEN ?1 AND ?2 AND map.grid_id IS NOT NULL AND grid.rowid IS NULL")
    let keys = try database.prepare(
      "SELECT count(*) FROM map JOIN grid_key ON grid_key.grid_id = map.grid_id LEFT JOIN keymap"
        + " ON keymap.key_name = grid_key.key_name"
        + " WHERE map.rowid BETWEEN ?1 AND ?2 AND keymap.rowid IS NULL")
    for rows in fresh {
      guard try Self.isZero(grids, of: rows), try Self.isZero(keys, of: rows) else {
        return "a tile shows a grid, or a grid names a key, that is not stored."
      }
    }
    return nil
  }

  private static func isZero(
    _ count: borrowing Statement, of rows: WrittenRows
  ) throws(SQLiteError) -> Bool {
    count.reset()
    try count.bind(Int64(rows.numbers.lowerBound), at: 1)
    try count.bind(Int64(rows.numbers.upperBound), at: 2)
    return try count.step() && count.integer(0) == 0
  }

  private func isFound(_ tile: TileCoord) throws(SQLiteError) -> Bool {
    defer { entry.reset() }
    try entry.bind(tile)
    return try entry.step() && entry.integer(0) == Int64(tile.number)
  }

  private func isImage() -> Bool {
    guard rows.kind(3) == .blob else { return false }
    let isNamed =
      !hasNames
      || rows.withBytes(3) { MD5Digest(of: $0) } == rows.withBytes(5) { MD5Digest(hexadecimal: $0) }
    guard isNamed, let picture = rows.withBytes(3, { try? PictureStructure($0) }),
      picture.width == picture.height, ContentScan.tileSizes.contains(picture.width),
      tileSize ?? picture.width == picture.width, format ?? picture.format == picture.format
    else { return false }
    tileSize = picture.width
    format = picture.format
    return true
  }
}
