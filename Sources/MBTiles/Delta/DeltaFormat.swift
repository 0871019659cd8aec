/// The tables of a delta: a SQLite file that makes an old archive into a new one.
///
/// It is no archive, and nothing in it has a name by which a reader could take it for one. Rows
/// stand in archive order, images in the order of their first use. A `replaces` names a row of the
/// old archive that is gone in the new one: the new row takes its place in the file, so that an
/// archive that is patched for years does not grow.
package enum DeltaFormat {
  /// "QDLT", in the header's application id.
  package static let applicationID: UInt32 = 0x5144_4C54

  /// In the header's user version; another number is another format.
  static let version: Int64 = 1

  /// The end of a delta's file name.
  package static let suffix = ".delta"

  static let preamble = """
    PRAGMA page_size=4096; PRAGMA encoding='UTF-8'; PRAGMA application_id=\(applicationID);
    PRAGMA user_version=\(version);
    """

  /// The statements that make the tables, in order; a delta holds nothing else.
  static func tables(_ layout: ArchiveLayout) -> [String] {
    let place = "zoom_level INTEGER, tile_column INTEGER, tile_row INTEGER"
    let common = [
      "CREATE TABLE facts (name TEXT, value TEXT)",
      "CREATE TABLE new_metadata (name TEXT, value TEXT, replaces TEXT)",
      "CREATE TABLE removed_tiles (\(place))",
    ]
    switch layout {
    case .dedup:
      return common + [
        "CREATE TABLE new_map (\(place), tile_id TEXT)",
        "CREATE TABLE new_images (tile_id TEXT, tile_data BLOB, replaces TEXT)",
        "CREATE TABLE dropped_images (tile_id TEXT)",
      ]
    case .flat:
      return common + ["CREATE TABLE new_tiles (\(place), tile_data BLOB)"]
    }
  }

  /// The query that is 1 if an open archive is the one that a delta, attached as `delta`, is for.
  package static let question = """
    SELECT (SELECT value FROM main.metadata WHERE name = '\(ArchiveMetadata.digestKey)')
         = (SELECT value FROM delta.facts WHERE name = 'before');
    """

  /// The query that is 1 if the patched archive has grown beyond 1.5 times the size of a fresh one:
  /// SQLite's `VACUUM`, after the delta is detached, makes it as small again. It needs SQLite 3.16;
  /// before, `PRAGMA page_count` tells the same.
  package static let sizeQuestion = """
    SELECT (SELECT page_count * 4096 FROM pragma_page_count('main'))
         > 1.5 * (SELECT value FROM delta.facts WHERE name = 'bytes');
    """

  /// The statements with which an app makes an open archive into the new one, in one transaction,
  /// with the delta attached as `delta`.
  ///
  /// They need nothing that SQLite 3.7 has not, since phones bring their own. Rows that are
  /// replaced keep their place in the file. After 300 deltas, each of a hundredth of all tiles, the
  /// file was 1.38 times as large as a fresh one; ``sizeQuestion`` tells when to compact it.
  package static func statements(_ layout: ArchiveLayout) -> [String] {
    let isSamePlace = """
      old.zoom_level = new.zoom_level AND old.tile_column = new.tile_column
          AND old.tile_row = new.tile_row
      """
    let metadata = """
      INSERT OR REPLACE INTO main.metadata (rowid, name, value)
        SELECT old.rowid, new.name, new.value FROM delta.new_metadata AS new
        LEFT JOIN main.metadata AS old ON old.name = new.replaces;
      """
    func removal(from table: String) -> String {
      """
      DELETE FROM main.\(table) WHERE rowid IN (
        SELECT old.rowid FROM delta.removed_tiles AS new
        JOIN main.\(table) AS old ON \(isSamePlace));
      """
    }
    func insertion(into table: String, _ content: String) -> String {
      """
      INSERT OR REPLACE INTO main.\(table) (rowid, zoom_level, tile_column, tile_row, \(content))
        SELECT old.rowid, new.zoom_level, new.tile_column, new.tile_row, new.\(content)
        FROM delta.new_\(table) AS new
        LEFT JOIN main.\(table) AS old ON \(isSamePlace);
      """
    }
    switch layout {
    case .dedup:
      return [
        removal(from: "map"), insertion(into: "map", "tile_id"),
        """
        INSERT OR REPLACE INTO main.images (rowid, tile_id, tile_data)
          SELECT old.rowid, new.tile_id, new.tile_data FROM delta.new_images AS new
          LEFT JOIN main.images AS old ON old.tile_id = new.replaces;
        """,
        """
        DELETE FROM main.images WHERE tile_id IN (SELECT tile_id FROM delta.dropped_images);
        """, metadata,
      ]
    case .flat: return [removal(from: "tiles"), insertion(into: "tiles", "tile_data"), metadata]
    }
  }
}
