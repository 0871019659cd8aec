/// A form of deltas: its tables, and the statements that apply one.
///
/// docs/updates.md has both. A delta holds nothing but its tables, so it cannot run code of its own.
struct DeltaForm {
  /// The statements that create the tables of the delta, word for word.
  let tables: Set<String>

  /// The statements that turn an archive into the next one, with the delta attached as `delta`.
  let statements: [String]

  /// The application id of deltas, "QDLT".
  static let applicationID = 0x5144_4C54

  /// The versions of the format.
  static let versions = 2...2

  static let all = [
    flat, dedup, dedupWithGrids, flat.withBlocks, dedup.withBlocks,
  ]

  private static let flat = DeltaForm(
    tables: common.union(["CREATE TABLE new_tiles (\(place), tile_data BLOB)"]),
    statements: [removal(from: "tiles"), insertion(into: "tiles", "tile_data"), metadata])

  private static let dedup = DeltaForm(
    tables: common.union(images + ["CREATE TABLE new_map (\(place), tile_id TEXT)"]),
    statements: [removal(from: "map"), insertion(into: "map", "tile_id")] + imageStatements
      + [metadata])

  private static let dedupWithGrids = DeltaForm(
    tables: common.union(
      images + [
        "CREATE TABLE new_map (\(place), tile_id TEXT, grid_id TEXT)",
        "CREATE TABLE new_grids (grid_id TEXT, grid_utfgrid BLOB, replaces TEXT)",
        "CREATE TABLE dropped_grids (grid_id TEXT)",
        "CREATE TABLE new_grid_key (grid INTEGER, key_name TEXT)",
        "CREATE TABLE new_keymap (key_name TEXT, key_json TEXT, replaces TEXT)",
        "CREATE TABLE dropped_keymap (key_name TEXT)",
      ]),
    statements: [removal(from: "map"), insertion(into: "map", "tile_id, grid_id")]
      + imageStatements + gridStatements + [metadata])

  /// The form for archives with compact taps.
  private var withBlocks: DeltaForm {
    let (block, entry) = ("zoom_level, block_column, block_row", "first_feature")
    return DeltaForm(
      tables: tables.union(
        Self.rowTables("taps", block, "block_data")
          + Self.rowTables("tap_entries", entry, "entry_data")),
      statements: statements.dropLast() + Self.exchange("taps", block, "block_data")
        + Self.exchange("tap_entries", entry, "entry_data") + [Self.metadata])
  }

  // MARK: Tables

  private static func rowTables(_ table: String, _ keys: String, _ content: String) -> [String] {
    let keys = keys.split(separator: ", ").map { "\($0) INTEGER" }.joined(separator: ", ")
    return [
      "CREATE TABLE new_\(table) (\(keys), \(content) BLOB)",
      "CREATE TABLE removed_\(table) (\(keys))",
    ]
  }

  private static let place = "zoom_level INTEGER, tile_column INTEGER, tile_row INTEGER"

  private static let common: Set = [
    "CREATE TABLE facts (name TEXT, value TEXT)",
    "CREATE TABLE new_metadata (name TEXT, value TEXT, replaces TEXT)",
    "CREATE TABLE removed_tiles (\(place))",
  ]

  private static let images = [
    "CREATE TABLE new_images (tile_id TEXT, tile_data BLOB, replaces TEXT)",
    "CREATE TABLE dropped_images (tile_id TEXT)",
  ]

  // MARK: Statements

  private static let imageStatements = [
    replacement(in: "images", "tile_id", "tile_data"),
    "DELETE FROM main.images WHERE tile_id IN (SELECT tile_id FROM delta.dropped_images)",
  ]

  private static let gridStatements = [
    replacement(in: "grid_utfgrid", "grid_id", "grid_utfgrid", by: "new_grids"),
    "DELETE FROM main.grid_utfgrid WHERE grid_id IN (SELECT grid_id FROM delta.dropped_grids)",
    "DELETE FROM main.grid_key WHERE grid_id IN (SELECT grid_id FROM delta.dropped_grids)",
    """
    INSERT INTO main.grid_key (grid_id, key_name) SELECT grid.grid_id, new.key_name
      FROM delta.new_grid_key AS new JOIN delta.new_grids AS grid ON grid.rowid = new.grid
    """,
    replacement(in: "keymap", "key_name", "key_json"),
    "DELETE FROM main.keymap WHERE key_name IN (SELECT key_name FROM delta.dropped_keymap)",
  ]

  private static let metadata = replacement(in: "metadata", "name", "value")

  private static func removal(from table: String) -> String {
    """
    DELETE FROM main.\(table) WHERE rowid IN (
      SELECT old.rowid FROM delta.removed_tiles AS new JOIN main.\(table) AS old
      ON old.zoom_level = new.zoom_level AND old.tile_column = new.tile_column
        AND old.tile_row = new.tile_row)
    """
  }

  private static func insertion(into table: String, _ contents: String) -> String {
    """
    INSERT OR REPLACE INTO main.\(table)
        (rowid, zoom_level, tile_column, tile_row, \(contents))
      SELECT rowid, zoom_level, tile_column, tile_row, \(contents) FROM delta.new_\(table)
    """
  }

  /// Returns the statements that exchange the rows of a table of compact taps.
  private static func exchange(_ table: String, _ keys: String, _ content: String) -> [String] {
    let isSame = keys.split(separator: ", ").map { "old.\($0) = new.\($0)" }
      .joined(separator: " AND ")
    let columns = keys.split(separator: ", ") + [content[...]]
    return [
      """
      DELETE FROM main.\(table) WHERE rowid IN (SELECT old.rowid FROM delta.removed_\(table) AS new
        JOIN main.\(table) AS old ON \(isSame))
      """,
      """
      INSERT OR REPLACE INTO main.\(table) (rowid, \(keys), \(content))
        SELECT old.rowid, \(columns.map { "new.\($0)" }.joined(separator: ", "))
        FROM delta.new_\(table) AS new LEFT JOIN main.\(table) AS old ON \(isSame)
      """,
    ]
  }

  /// Returns a statement that puts each new row into the place of the one that it replaces.
  private static func replacement(
    in table: String, _ name: String, _ content: String, by rows: String? = nil
  ) -> String {
    """
    INSERT OR REPLACE INTO main.\(table) (rowid, \(name), \(content))
      SELECT old.rowid, new.\(name), new.\(content) FROM delta.\(rows ?? "new_\(table)") AS new
      LEFT JOIN main.\(table) AS old ON old.\(name) = new.replaces
    """
  }
}
