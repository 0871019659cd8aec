import Features
import Ingest
import Platform
import SQLite
import SystemPackage
import TestSupport
import Tiling

@testable import GeoPackages

/// A GeoPackage that a test makes of SQL text, in a file that goes with the object.
final class GeoPackageFixture {
  let path: FilePath
  private let folder: TemporaryFolder

  /// The tables that every GeoPackage has, with rows for the systems that are read.
  static let base = """
    PRAGMA application_id = 0x47504B47;
    PRAGMA user_version = 10300;
    CREATE TABLE gpkg_spatial_ref_sys (srs_name TEXT, srs_id INTEGER PRIMARY KEY,
      organization TEXT, organization_coordsys_id INTEGER, definition TEXT, description TEXT);
    INSERT INTO gpkg_spatial_ref_sys VALUES
      ('WGS 84', 4326, 'EPSG', 4326, '', ''), ('undefined', 0, 'NONE', 0, '', ''),
      ('undefined', -1, 'NONE', -1, '', ''), ('Mercator', 3857, 'EPSG', 3857, '', ''),
      ('Lambert', 3035, 'EPSG', 3035, '', ''), ('my Mercator', 99, 'epsg', 3857, '', '');
    CREATE TABLE gpkg_contents (table_name TEXT PRIMARY KEY, data_type TEXT, identifier TEXT,
      description TEXT, last_change TEXT, min_x REAL, min_y REAL, max_x REAL, max_y REAL,
      srs_id INTEGER);
    CREATE TABLE gpkg_geometry_columns (table_name TEXT, column_name TEXT, geometry_type_name TEXT,
      srs_id INTEGER, z INTEGER, m INTEGER);
    CREATE TABLE gpkg_extensions (table_name TEXT, column_name TEXT, extension_name TEXT,
      definition TEXT, scope TEXT);
    """

  /// Registers a table of features whose geometries are in the column `geom`.
  static func features(_ table: String, system: Int = 4326) -> String {
    """
    INSERT INTO gpkg_contents (table_name, data_type, srs_id)
      VALUES ('\(table)', 'features', \(system));
    INSERT INTO gpkg_geometry_columns VALUES ('\(table)', 'geom', 'GEOMETRY', \(system), 0, 0);
    """
  }

  /// Registers a table of attributes.
  static func attributes(_ table: String) -> String {
    "INSERT INTO gpkg_contents (table_name, data_type) VALUES ('\(table)', 'attributes');"
  }

  /// Makes a spatial index of a table whose records are points, as GDAL does.
  static func index(_ table: String, boxes: String) -> String {
    """
    CREATE VIRTUAL TABLE "rtree_\(table)_geom" USING rtree(id, minx, maxx, miny, maxy);
    INSERT INTO "rtree_\(table)_geom" \(boxes);
    INSERT INTO gpkg_extensions VALUES ('\(table)', 'geom', 'gpkg_rtree_index', '', 'write-only');
    """
  }

  /// Runs a script in a new file.
  init(_ script: String, base: String = GeoPackageFixture.base) throws {
    folder = try TemporaryFolder()
    path = FilePath(folder.path("test.gpkg"))
    let database = try Database(path: path.string, mode: .create)
    try database.execute("PRAGMA synchronous = OFF; PRAGMA journal_mode = OFF; BEGIN;")
    try database.execute(base + script)
    try database.execute("COMMIT")
  }

  func open(
    allowsViews: Bool = false, limits: GeoPackageLimits = GeoPackageLimits()
  ) throws(SourceError) -> GeoPackageFile {
    try GeoPackageFile(path: path, name: "test.gpkg", allowsViews: allowsViews, limits: limits)
  }

  func reader(_ options: GeoPackageOptions = GeoPackageOptions()) throws -> GeoPackageReader {
    try GeoPackageReader(try open(), options: options)
  }

  /// The bytes of the file, and how to put others in their place.
  func change(_ body: (inout [UInt8]) -> Void) throws {
    let source = try ByteSource(path: path, name: "test.gpkg")
    var bytes: [UInt8] = []
    while try source.fill(keeping: 0) > 0 { bytes += source.buffer }
    body(&bytes)
    let file = try FileDescriptor.open(path, .writeOnly, options: .truncate)
    try file.closeAfter { _ = try file.writeAll(bytes) }
  }
}

/// All that a reader gives, record by record.
struct GeoPackageDump {
  var ids: [String?] = []
  var kinds: [GeometryColumn.Kind] = []
  var geometry: [String] = []
  /// A row of values for each record.
  var values: [[PropertyValue?]] = []
  var lines: [Int] = []

  init(_ reader: GeoPackageReader) throws {
    var batch = FeatureBatch()
    while try reader.read(into: &batch) {
      for row in 0..<batch.count {
        ids.append(batch.ids.text(row))
        kinds.append(batch.geometry.kinds[row])
        geometry.append(Self.text(batch.geometry, row))
        values.append(batch.columns.map { $0.value(row) })
        lines.append(batch.lines[row])
      }
    }
  }

  /// Parts as letters with positions: `p 1 2`, `l 0 0, 1 1`, `o …` for outer and `i …` for inner.
  private static func text(_ column: GeometryColumn, _ row: Int) -> String {
    column.partRange(row).map { part in
      let letter =
        switch column.parts[part] {
        case .point: "p"
        case .line: "l"
        case .outerRing: "o"
        case .innerRing: "i"
        }
      let positions = column.positions[column.positionRange(part)].map {
        "\(short($0.longitude)) \(short($0.latitude))"
      }
      return letter + " " + positions.joined(separator: ", ")
    }.joined(separator: "; ")
  }

  private static func short(_ number: Double) -> String {
    Int(exactly: number).map { String($0) } ?? "\(number)"
  }
}
