/// The tables and views of UTFGrids, which an archive of the layout `dedup` may have in addition.
///
/// The schema of mbutil and TileMill, with each grid stored once under the MD5 of its bytes.
package enum GridSchema {
  package static let tables = """
    CREATE TABLE grid_utfgrid (grid_id TEXT, grid_utfgrid BLOB);
    CREATE TABLE grid_key (grid_id TEXT, key_name TEXT);
    CREATE TABLE keymap (key_name TEXT, key_json TEXT);
    CREATE VIEW grids AS SELECT map.zoom_level AS zoom_level, map.tile_column AS tile_column, \
    map.tile_row AS tile_row, grid_utfgrid.grid_utfgrid AS grid \
    FROM map JOIN grid_utfgrid ON grid_utfgrid.grid_id = map.grid_id;
    CREATE VIEW grid_data AS SELECT map.zoom_level AS zoom_level, map.tile_column AS tile_column, \
    map.tile_row AS tile_row, keymap.key_name AS key_name, keymap.key_json AS key_json \
    FROM map JOIN grid_key ON grid_key.grid_id = map.grid_id \
    JOIN keymap ON keymap.key_name = grid_key.key_name;
    """

  /// The SQL that creates the indexes once all rows are inserted.
  ///
  /// The index of `grid_key` leaves out the keys: those of one grid are looked up together, and an
  /// index over both columns would store each key twice, a tenth of an archive of parcels.
  package static let indexes = """
    CREATE UNIQUE INDEX grid_utfgrid_index ON grid_utfgrid (grid_id);
    CREATE INDEX grid_key_index ON grid_key (grid_id);
    CREATE UNIQUE INDEX keymap_index ON keymap (key_name);
    """
}

/// Statistics of an archive's taps.
package struct GridSummary: Hashable, Sendable {
  /// Whether taps are compact: blocks of shapes instead of grids.
  package var isCompact = false

  /// The number of tiles that answer taps.
  package var tiles = 0

  /// The number of distinct grids among them, or of blocks.
  package var distinct = 0

  /// The bytes of the distinct grids or of the blocks as they are stored.
  package var bytes = 0

  /// The number of keys in grids, or of features in blocks: features and clusters.
  package var keys = 0

  /// The bytes of the keys and their data; for compact taps as they are stored.
  package var keyBytes = 0
}
