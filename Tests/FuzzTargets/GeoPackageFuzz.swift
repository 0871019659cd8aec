import Features
import GeoPackages
import Ingest
import SQLite
import SystemPackage
import Tiling

/// Damaged GeoPackages: a byte of options, then what to do to a small good file, or with the highest
/// bit the whole file.
enum GeoPackageFuzz {
  /// The bytes of a good file of 40 points with a spatial index, attributes, and tiles of no picture.
  private static let good: Result<[UInt8], any Error> = Result { try make() }

  static func check(_ bytes: UnsafeRawBufferPointer) throws -> Bool {
    var input = FuzzInput(bytes)
    let form = input.byte()
    let file =
      form.has(bit: 7) ? input.rest : Damage.apply(&input, to: try good.get(), pageSize: 512)
    let scratch = try ScratchFile()
    try scratch.write(file)
    let first = read(scratch.path, form)
    try first.checkCounts()
    try first.checkEqual(read(scratch.path, form), "the second time")
    tiles(scratch.path)
    return first.error == nil && !first.records.isEmpty
  }

  private static func read(_ path: FilePath, _ form: UInt8) -> ReadRecords {
    var limits = GeoPackageLimits()
    limits.seconds = 2
    limits.heapBytes = 64 << 20
    do throws(SourceError) {
      let file = try GeoPackageFile(
        path: path, name: "fuzz.gpkg", allowsViews: form.has(bit: 0), limits: limits)
      var options = GeoPackageOptions()
      if form.has(bit: 1) { options.table = "t" }
      if form.has(bit: 2) {
        options.bounds = GeoBounds(west: 1.5, south: 0.5, east: 4.5, north: 3.5)
      }
      options.countsFiltered = form.has(bit: 3)
      if form.has(bit: 4) {
        var reader = try GeoPackageTablesReader(file, options: options)
        return ReadRecords(&reader)
      }
      var reader = try GeoPackageReader(file, options: options)
      return ReadRecords(&reader)
    } catch {
      return ReadRecords(refusal: error)
    }
  }

  /// Lists tiles and looks at their pictures; refusals are answers too.
  private static func tiles(_ path: FilePath) {
    guard let file = try? GeoPackageFile(path: path, name: "fuzz.gpkg"),
      let tiles = try? GeoPackageTiles(file)
    else { return }
    for matrix in tiles.matrices.prefix(3) {
      for block in matrix.blocks(in: .world) {
        guard let found = try? tiles.tiles(zoom: matrix.zoom, in: block) else { continue }
        for tile in found.prefix(4) { _ = try? tiles.picture(of: tile) }
      }
    }
  }

  private static func make() throws -> [UInt8] {
    let scratch = try ScratchFile()
    let database = try Database(path: scratch.path.string, mode: .create)
    try database.execute(script)
    return try scratch.bytes()
  }

  /// A row of 40: a point of whole degrees without an envelope, and some properties.
  private static func row(_ number: Int) -> String {
    let position = [Double(number % 5 + 1), Double(number / 9 + 1)].map { degrees in
      withUnsafeBytes(of: degrees.bitPattern.littleEndian) { bytes in
        bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
      }
    }
    return "(\(number), X'47500001E61000000101000000\(position.joined())', 'n\(number)', "
      + "\(Double(number) / 4), \(number % 2))"
  }

  private static let script = """
    PRAGMA page_size = 512; PRAGMA synchronous = OFF; PRAGMA journal_mode = OFF;
    PRAGMA application_id = 0x47504B47; PRAGMA user_version = 10300;
    CREATE TABLE gpkg_spatial_ref_sys (srs_name TEXT, srs_id INTEGER PRIMARY KEY,
      organization TEXT, organization_coordsys_id INTEGER, definition TEXT, description TEXT);
    INSERT INTO gpkg_spatial_ref_sys VALUES ('WGS 84', 4326, 'EPSG', 4326, '', ''),
      ('Mercator', 3857, 'EPSG', 3857, '', '');
    CREATE TABLE gpkg_contents (table_name TEXT PRIMARY KEY, data_type TEXT, identifier TEXT,
      description TEXT, last_change TEXT, min_x REAL, min_y REAL, max_x REAL, max_y REAL,
      srs_id INTEGER);
    CREATE TABLE gpkg_geometry_columns (table_name TEXT, column_name TEXT, geometry_type_name TEXT,
      srs_id INTEGER, z INTEGER, m INTEGER);
    CREATE TABLE gpkg_extensions (table_name TEXT, column_name TEXT, extension_name TEXT,
      definition TEXT, scope TEXT);
    CREATE TABLE t (fid INTEGER PRIMARY KEY, geom BLOB, n TEXT, r REAL, b BOOLEAN);
    INSERT INTO t VALUES \((1...40).map(row).joined(separator: ","));
    CREATE TABLE a (fid INTEGER PRIMARY KEY, n TEXT);
    INSERT INTO a VALUES (1, 'one'), (2, NULL);
    CREATE VIEW v AS SELECT fid, n FROM a;
    INSERT INTO gpkg_contents (table_name, data_type, srs_id) VALUES ('t', 'features', 4326),
      ('a', 'attributes', NULL), ('v', 'attributes', NULL), ('p', 'tiles', 3857);
    INSERT INTO gpkg_geometry_columns VALUES ('t', 'geom', 'POINT', 4326, 0, 0);
    CREATE VIRTUAL TABLE rtree_t_geom USING rtree(id, minx, maxx, miny, maxy);
    INSERT INTO rtree_t_geom SELECT fid, fid % 5 + 1, fid % 5 + 1, fid / 9 + 1, fid / 9 + 1 FROM t;
    INSERT INTO gpkg_extensions VALUES ('t', 'geom', 'gpkg_rtree_index', '', 'write-only');
    CREATE TABLE gpkg_tile_matrix_set (table_name TEXT PRIMARY KEY, srs_id INTEGER,
      min_x REAL, min_y REAL, max_x REAL, max_y REAL);
    CREATE TABLE gpkg_tile_matrix (table_name TEXT, zoom_level INTEGER, matrix_width INTEGER,
      matrix_height INTEGER, tile_width INTEGER, tile_height INTEGER, pixel_x_size REAL,
      pixel_y_size REAL);
    INSERT INTO gpkg_tile_matrix_set VALUES ('p', 3857, -512, -512, 512, 512);
    INSERT INTO gpkg_tile_matrix VALUES ('p', 0, 1, 1, 256, 256, 4, 4),
      ('p', 1, 2, 2, 256, 256, 2, 2);
    CREATE TABLE p (id INTEGER PRIMARY KEY, zoom_level INTEGER, tile_column INTEGER,
      tile_row INTEGER, tile_data BLOB);
    INSERT INTO p VALUES (1, 0, 0, 0, X'89504E470D0A1A0A'), (2, 1, 1, 0, X'FFD8FF');
    """
}
