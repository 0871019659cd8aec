import MBTiles

/// The tables of a delta: a SQLite file that turns an old archive into a new one.
///
/// It is not an archive, and has no table or view by whose name a reader could take it for one.
/// Rows are in archive order: new tiles have the numbers that they have in an archive, images and
/// grids are in the order of their first use. A `replaces` names a row of the old archive that the
/// new one lacks: the new row takes its place in the file, so that an archive that is patched for
/// years does not grow.
/// not grow.
package enum DeltaFormat {
  /// The application id in the header, "QDLT".
  package static let applicationID: UInt32 = 0x5144_4C54

  /// The user version in the header; another number is another format.
  static let version: Int64 = 2

  /// The extension of a delta's file name.
  package static let suffix = ".delta"

  static let preamble = """
    PRAGMA page_size=4096; PRAGMA encoding='UTF-8'; PRAGMA application_id=\(applicationID);
    PRAGMA user_version=\(version);
    """

  /// The query that yields 1 if an open archive is the one that a delta, attached as `delta`,
  /// applies to.
  package static let question = """
    SELECT (SELECT value FROM main.metadata WHERE name = '\(ArchiveMetadata.digestKey)')
         = (SELECT value FROM delta.facts WHERE name = 'before')
       AND coalesce((SELECT value FROM main.metadata WHERE name = '\(ArchiveMetadata.tapsKey)'), '')
         = coalesce((SELECT value FROM delta.facts WHERE name = 'taps_before'), '');
    """

  /// The query that yields 1 if the patched archive has grown beyond 1.5 times the size of a fresh
  /// one: SQLite's `VACUUM`, after the delta is detached, shrinks it again. It needs SQLite 3.16;
  /// in older versions, `PRAGMA page_count` gives the same number.
  package static let sizeQuestion = """
    SELECT (SELECT page_count * page_size FROM pragma_page_count('main'), pragma_page_size('main'))
         > 1.5 * (SELECT value FROM delta.facts WHERE name = 'bytes');
    """

  /// Returns the statements with which an app turns an open archive into the new one, in one
  /// transaction, with the delta attached as `delta`.
  ///
  /// They need only SQLite 3.7, since phones come with their own version. Rows that are replaced
  /// keep their place in the file. After 300 deltas, each of a hundredth of all tiles, the file was
  /// 1.38 times as large as a fresh one; ``sizeQuestion`` decides when to compact it.
  package static func statements(_ form: DeltaForm) -> [String] {
    let tiles =
      switch form.layout {
      case .flat: [removal(from: "tiles"), insertion(into: "tiles", ["tile_data"])]
      case .dedup:
        [
          removal(from: "map"),
          insertion(into: "map", form.hasGrids ? ["tile_id", "grid_id"] : ["tile_id"]),
          replacement(in: "images", "tile_id", "tile_data", by: "new_images"),
          "DELETE FROM main.images WHERE tile_id IN (SELECT tile_id FROM delta.dropped_images);",
        ]
      }
    let taps =
      switch form.taps {
      case .grids: grids
      case .blocks: TapTable.allCases.flatMap(rows(of:))
      case nil: [String]()
      }
    return tiles + taps + [metadata]
  }

  /// Returns the statements for a table of compact taps.
  private static func rows(of table: TapTable) -> [String] {
    let isSame = table.keys.map { "old.\($0) = new.\($0)" }.joined(separator: " AND ")
    let columns = table.keys + [table.content]
    return [
      """
      DELETE FROM main.\(table.name) WHERE rowid IN (
        SELECT old.rowid FROM delta.removed_\(table.name) AS new
        JOIN main.\(table.name) AS old ON \(isSame));
      """,
      """
      INSERT OR REPLACE INTO main.\(table.name) (rowid, \(columns.joined(separator: ", ")))
        SELECT old.rowid, \(columns.map { "new.\($0)" }.joined(separator: ", "))
        FROM delta.new_\(table.name) AS new
        LEFT JOIN main.\(table.name) AS old ON \(isSame);
      """,
    ]
  }

  /// The statements that only archives with UTFGrids need.
  private static let grids = [
    replacement(in: "grid_utfgrid", "grid_id", "grid_utfgrid", by: "new_grids"),
    "DELETE FROM main.grid_utfgrid WHERE grid_id IN (SELECT grid_id FROM delta.dropped_grids);",
    "DELETE FROM main.grid_key WHERE grid_id IN (SELECT grid_id FROM delta.dropped_grids);",
    """
    INSERT INTO main.grid_key (grid_id, key_name)
      SELECT grid.grid_id, new.key_name FROM delta.new_grid_key AS new
      JOIN delta.new_grids AS grid ON grid.rowid = new.grid;
    """,
    replacement(in: "keymap", "key_name", "key_json", by: "new_keymap"),
    "DELETE FROM main.keymap WHERE key_name IN (SELECT key_name FROM delta.dropped_keymap);",
  ]

  private static let metadata = replacement(in: "metadata", "name", "value", by: "new_metadata")

  private static let isSamePlace = """
    old.zoom_level = new.zoom_level AND old.tile_column = new.tile_column
        AND old.tile_row = new.tile_row
    """

  /// Returns a statement that inserts rows with a name and a content, each in the place of the row
  /// that it replaces.
  private static func replacement(
    in table: String, _ name: String, _ content: String, by rows: String
  ) -> String {
    """
    INSERT OR REPLACE INTO main.\(table) (rowid, \(name), \(content))
      SELECT old.rowid, new.\(name), new.\(content) FROM delta.\(rows) AS new
      LEFT JOIN main.\(table) AS old ON old.\(name) = new.replaces;
    """
  }

  private static func removal(from table: String) -> String {
    """
    DELETE FROM main.\(table) WHERE rowid IN (
      SELECT old.rowid FROM delta.removed_tiles AS new
      JOIN main.\(table) AS old ON \(isSamePlace));
    """
  }

  private static func insertion(into table: String, _ contents: [String]) -> String {
    """
    INSERT OR REPLACE INTO main.\(table)
        (rowid, zoom_level, tile_column, tile_row, \(contents.joined(separator: ", ")))
      SELECT rowid, zoom_level, tile_column, tile_row, \(contents.joined(separator: ", "))
      FROM delta.new_\(table);
    """
  }
}
