import Foundation
import Ingest
import PNG
package import Raster
import SQLite
import TestSupport

/// A GeoPackage of tiles of 2 × 2 pixels: the world at zoom 1, a piece of it at zoom 3.
package struct TileTable {
  /// 16 colours, all different.
  package static var world: Pixmap {
    let picture = Pixmap(width: 4, height: 4)
    for index in 0..<16 { picture[index % 4, index / 4] = color(index) }
    return picture
  }

  package static func color(_ index: Int) -> PremultipliedColor {
    PremultipliedColor(
      Color(red: Double(index % 4) / 3, green: Double(index / 4) / 3, blue: 1, alpha: 1))
  }

  /// A picture as a blob of SQL.
  package static func blob(_ picture: Pixmap) -> String {
    let hex = PNGEncoder().encode(picture).map { String(format: "%02x", $0) }.joined()
    return "X'\(hex)'"
  }

  package static func plain(_ index: Int, size: Int = 2) -> Pixmap {
    let picture = Pixmap(width: size, height: size)
    for pixel in 0..<(size * size) { picture[pixel % size, pixel / size] = color(index) }
    return picture
  }

  package static func tiles(_ table: String, _ rows: [String]) -> String {
    let half = MercatorMetres.halfWorld
    return """
      CREATE TABLE \(table) (id INTEGER PRIMARY KEY, zoom_level INTEGER, tile_column INTEGER,
        tile_row INTEGER, tile_data BLOB);
      INSERT INTO gpkg_contents VALUES ('\(table)', 'tiles');
      INSERT INTO gpkg_tile_matrix_set VALUES
        ('\(table)', 3857, -\(half), -\(half), \(half), \(half));
      INSERT INTO gpkg_tile_matrix VALUES
        ('\(table)', 1, 2, 2, 2, 2, \(half / 2), \(half / 2)),
        ('\(table)', 3, 8, 8, 2, 2, \(half / 8), \(half / 8));
      INSERT INTO \(table)(zoom_level, tile_column, tile_row, tile_data)
        VALUES \(rows.joined(separator: ", "));
      """
  }

  /// The four tiles of ``world``.
  package static var quarters: [String] {
    (0..<4).map { index in
      let part = Pixmap(width: 2, height: 2)
      let (column, row) = (index % 2, index / 2)
      for pixel in 0..<4 {
        part[pixel % 2, pixel / 2] = world[2 * column + pixel % 2, 2 * row + pixel / 2]
      }
      return "(1, \(column), \(row), \(blob(part)))"
    }
  }

  package static let base = """
    PRAGMA application_id = 0x47504B47;
    CREATE TABLE gpkg_spatial_ref_sys (srs_name TEXT, srs_id INTEGER PRIMARY KEY,
      organization TEXT, organization_coordsys_id INTEGER, definition TEXT, description TEXT);
    INSERT INTO gpkg_spatial_ref_sys VALUES ('Mercator', 3857, 'EPSG', 3857, '', '');
    CREATE TABLE gpkg_contents (table_name TEXT PRIMARY KEY, data_type TEXT);
    CREATE TABLE gpkg_tile_matrix_set (table_name TEXT, srs_id INTEGER, min_x REAL, min_y REAL,
      max_x REAL, max_y REAL);
    CREATE TABLE gpkg_tile_matrix (table_name TEXT, zoom_level INTEGER, matrix_width INTEGER,
      matrix_height INTEGER, tile_width INTEGER, tile_height INTEGER, pixel_x_size REAL,
      pixel_y_size REAL);
    """

  /// A table of one point.
  package static let features = """
    CREATE TABLE gpkg_geometry_columns (table_name TEXT, column_name TEXT, geometry_type_name TEXT,
      srs_id INTEGER, z INTEGER, m INTEGER);
    INSERT INTO gpkg_spatial_ref_sys VALUES ('WGS 84', 4326, 'EPSG', 4326, '', '');
    CREATE TABLE towns (fid INTEGER PRIMARY KEY, geom BLOB, name TEXT);
    INSERT INTO gpkg_contents VALUES ('towns', 'features');
    INSERT INTO gpkg_geometry_columns VALUES ('towns', 'geom', 'POINT', 4326, 0, 0);
    INSERT INTO towns VALUES
      (1, X'47500001E6100000010100000000000000000024400000000000002440', 'Ten');
    """

  /// A pipeline whose image is such a file, whatever it is called.
  package static func sample(_ script: String, source: String = "") throws -> ImageSample {
    let keys = ["resampling: nearest", source].filter { !$0.isEmpty }.joined(separator: ", ")
    let sample = try ImageSample(source: keys)
    let path = sample.folder.path("photo.png")
    try FileManager.default.removeItem(atPath: path)
    let database = try Database(path: path, mode: .create)
    try database.execute(base + script)
    return sample
  }
}
