/// The tables of compact taps, which an archive of any layout may have.
package enum TapSchema {
  package static let tables = """
    CREATE TABLE taps (zoom_level INTEGER, block_column INTEGER, block_row INTEGER, \
    block_data BLOB);
    CREATE TABLE tap_entries (first_feature INTEGER, entry_data BLOB);
    """

  /// The SQL that creates the unique indexes once all rows are inserted.
  package static let indexes = """
    CREATE UNIQUE INDEX taps_index ON taps (zoom_level, block_column, block_row);
    CREATE UNIQUE INDEX tap_entries_index ON tap_entries (first_feature);
    """

  /// The query that counts the tables of an archive.
  static let count = """
    SELECT count(*) FROM sqlite_schema WHERE type = 'table' AND name IN ('taps', 'tap_entries')
    """
}
