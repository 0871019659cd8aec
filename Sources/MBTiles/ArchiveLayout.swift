/// The way in which the tables of an archive store its tiles.
package enum ArchiveLayout: String, Codable, Hashable, Sendable, CaseIterable {
  /// Tables `map` and `images` and a view `tiles`: every distinct image once.
  case dedup

  /// One table `tiles`, each tile with its bytes: smaller where no two tiles are equal.
  case flat
}

extension ArchiveLayout {
  /// The table of tiles.
  var tileTable: String { self == .dedup ? "map" : "tiles" }

  /// The SQL that creates the tables and views, empty.
  ///
  /// Every column has a declared type, and the view's columns are plain references, which preserve
  /// it: readers that bind text to their queries get rows only from columns with integer affinity.
  package var tables: String {
    let metadata = "CREATE TABLE metadata (name TEXT, value TEXT);\n"
    return switch self {
    case .dedup:
      metadata + """
        CREATE TABLE map (zoom_level INTEGER, tile_column INTEGER, tile_row INTEGER, tile_id TEXT, grid_id TEXT);
        CREATE TABLE images (tile_id TEXT, tile_data BLOB);
        CREATE VIEW tiles AS SELECT map.zoom_level AS zoom_level, map.tile_column AS tile_column, \
        map.tile_row AS tile_row, images.tile_data AS tile_data \
        FROM map JOIN images ON images.tile_id = map.tile_id;
        """
    case .flat:
      metadata + """
        CREATE TABLE tiles (zoom_level INTEGER, tile_column INTEGER, tile_row INTEGER, tile_data BLOB);
        """
    }
  }

  /// The SQL that creates the unique indexes once all rows are inserted.
  package var indexes: String {
    let metadata = "CREATE UNIQUE INDEX metadata_index ON metadata (name);\n"
    return switch self {
    case .dedup:
      metadata + """
        CREATE UNIQUE INDEX map_index ON map (zoom_level, tile_column, tile_row);
        CREATE UNIQUE INDEX images_index ON images (tile_id);
        """
    case .flat:
      metadata + """
        CREATE UNIQUE INDEX tiles_index ON tiles (zoom_level, tile_column, tile_row);
        """
    }
  }
}
