import SQLite
import Tiling

/// A search for the tiles that damaged pages of an archive affect, which SQLite's own check does
/// not name.
///
/// Each row is looked up by the index, as readers do, and must have bytes; each entry of the index
/// must lead to the row of its tile.
struct TileProbe {
  /// Seconds after which the search ends: it only adds detail to known damage.
  static let patience = 60.0

  let database: Database

  /// The table with a row for each tile.
  private let relation: String

  /// - Returns: `nil` where no index leads to the tiles: looking each up would take forever.
  init?(_ database: Database, _ layout: StoredLayout) {
    switch layout {
    case .dedup: relation = "map"
    case .flat: relation = "tiles"
    case .view: return nil
    }
    self.database = database
    let indexes = try? database.integer("SELECT count(*) FROM pragma_index_list('\(relation)')")
    guard let indexes, indexes > 0 else { return nil }
  }

  /// Adds findings for every tile that readers cannot get.
  ///
  /// - Complexity: O(*n* log *n*) in the rows.
  func run(_ log: inout FindingLog) {
    var last: TileCoord?
    do throws(SQLiteError) {
      try lookUpRows(&last, &log)
      last = nil
      try followIndex(&last, &log)
    } catch {
      let place = last.map { "after tile \($0)" } ?? "before the first tile"
      log.error(.tiles, "the rows of '\(relation)' cannot be read on \(place): \(error.message).")
    }
  }

  private func lookUpRows(
    _ last: inout TileCoord?, _ log: inout FindingLog
  ) throws(SQLiteError) {
    let key = "zoom_level = ?1 AND tile_column = ?2 AND tile_row = ?3"
    let rows = try database.prepare(
      "SELECT zoom_level, tile_column, tile_row, rowid FROM \(relation) NOT INDEXED")
    let entry = try database.prepare("SELECT rowid FROM \(relation) WHERE \(key)")
    let image = try database.prepare("SELECT tile_data FROM tiles WHERE \(key)")
    while try rows.step() {
      guard let tile = TileCoord(row: rows) else { continue }
      do throws(SQLiteError) {
        entry.reset()
        try entry.bind(tile)
        image.reset()
        try image.bind(tile)
        if try !entry.step() {
          log.error(.tiles, "tile \(tile) is not in the index of '\(relation)'.")
        } else if entry.integer(0) != rows.integer(3) {
          log.error(.tiles, "the index of '\(relation)' leads to another row for tile \(tile).")
        } else if try !image.step() || image.kind(0) != .blob {
          log.error(.tiles, "tile \(tile) is found by no reader: its image is not in the index.")
        }
      } catch {
        if error.isInterrupted { throw error }
        log.error(.tiles, "tile \(tile) cannot be read: \(error.message).")
      }
      last = tile
    }
  }

  private func followIndex(
    _ last: inout TileCoord?, _ log: inout FindingLog
  ) throws(SQLiteError) {
    let columns = ["zoom_level", "tile_column", "tile_row"]
    let named = ["a", "b"].flatMap { table in columns.map { "\(table).\($0)" } }
    let entries = try database.prepare(
      "SELECT \(named.joined(separator: ", ")) FROM \(relation) a"
        + " LEFT JOIN \(relation) b ON b.rowid = a.rowid ORDER BY 1, 2, 3")
    while try entries.step() {
      guard let tile = TileCoord(row: entries) else { continue }
      let isSame = (0..<Int32(3)).allSatisfy { column in
        entries.kind(column + 3) == .integer
          && entries.integer(column) == entries.integer(column + 3)
      }
      if !isSame { log.error(.tiles, "the row of tile \(tile) is that of another tile.") }
      last = tile
    }
  }
}
