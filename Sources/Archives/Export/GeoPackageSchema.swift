/// The SQL of a GeoPackage's own tables.
///
/// Source: OGC 12-128r19 (GeoPackage 1.4), annex C and clauses 1.1.2, 2.1.5 and 2.3 (extension
/// "RTree Spatial Indexes").
package enum GeoPackageSchema {
  /// Returns the pragmas and tables that every file has.
  ///
  /// The file is built under a temporary name and renamed when it is complete, so it needs no
  /// journal.
  ///
  /// - Parameter version: the version of GeoPackage, 10400 for 1.4.0.
  package static func base(version: Int = 10_400) -> String {
    """
    PRAGMA page_size=4096; PRAGMA journal_mode=OFF; PRAGMA synchronous=OFF;
    PRAGMA locking_mode=EXCLUSIVE; PRAGMA encoding='UTF-8';
    PRAGMA application_id=0x47504B47; PRAGMA user_version=\(version);
    BEGIN;
    CREATE TABLE gpkg_spatial_ref_sys (
      srs_name TEXT NOT NULL, srs_id INTEGER NOT NULL PRIMARY KEY, organization TEXT NOT NULL,
      organization_coordsys_id INTEGER NOT NULL, definition TEXT NOT NULL, description TEXT);
    CREATE TABLE gpkg_contents (
      table_name TEXT NOT NULL PRIMARY KEY, data_type TEXT NOT NULL, identifier TEXT UNIQUE,
      description TEXT DEFAULT '',
      last_change DATETIME NOT NULL DEFAULT (strftime('%Y-%m-%dT%H:%M:%fZ','now')),
      min_x DOUBLE, min_y DOUBLE, max_x DOUBLE, max_y DOUBLE, srs_id INTEGER,
      CONSTRAINT fk_gc_r_srs_id FOREIGN KEY (srs_id) REFERENCES gpkg_spatial_ref_sys(srs_id));
    CREATE TABLE gpkg_geometry_columns (
      table_name TEXT NOT NULL, column_name TEXT NOT NULL, geometry_type_name TEXT NOT NULL,
      srs_id INTEGER NOT NULL, z TINYINT NOT NULL, m TINYINT NOT NULL,
      CONSTRAINT pk_geom_cols PRIMARY KEY (table_name, column_name),
      CONSTRAINT uk_gc_table_name UNIQUE (table_name),
      CONSTRAINT fk_gc_tn FOREIGN KEY (table_name) REFERENCES gpkg_contents(table_name),
      CONSTRAINT fk_gc_srs FOREIGN KEY (srs_id) REFERENCES gpkg_spatial_ref_sys(srs_id));
    CREATE TABLE gpkg_extensions (
      table_name TEXT, column_name TEXT, extension_name TEXT NOT NULL, definition TEXT NOT NULL,
      scope TEXT NOT NULL, CONSTRAINT ge_tce UNIQUE (table_name, column_name, extension_name));
    INSERT INTO gpkg_spatial_ref_sys VALUES
      ('Undefined Cartesian', -1, 'NONE', -1, 'undefined', NULL),
      ('Undefined geographic', 0, 'NONE', 0, 'undefined', NULL),
      ('WGS 84', 4326, 'EPSG', 4326, '\(worldGeodeticSystem)', 'longitude, latitude in degrees');
    """
  }

  /// EPSG:4326 in well-known text (OGC 01-009); numbers of the EPSG registry.
  private static let worldGeodeticSystem = """
    GEOGCS["WGS 84",DATUM["WGS_1984",SPHEROID["WGS 84",6378137,298.257223563,\
    AUTHORITY["EPSG","7030"]],AUTHORITY["EPSG","6326"]],\
    PRIMEM["Greenwich",0,AUTHORITY["EPSG","8901"]],\
    UNIT["degree",0.0174532925199433,AUTHORITY["EPSG","9122"]],\
    AXIS["Latitude",NORTH],AXIS["Longitude",EAST],AUTHORITY["EPSG","4326"]]
    """

  /// Returns the triggers that update the index when other programs edit the table.
  ///
  /// An index row exists exactly for a geometry that is present and not empty.
  ///
  /// - Parameters:
  ///   - table: the table's name, not quoted.
  ///   - column: the name of the geometry column.
  package static func triggers(table: String, column: String) -> String {
    let index = "rtree_\(table)_\(column)"
    let (t, c, r) = (quoted(table), quoted(column), quoted(index))
    func trigger(_ name: String, _ event: String, when condition: String, _ body: String) -> String
    {
      "CREATE TRIGGER \(quoted("\(index)_\(name)")) AFTER \(event) ON \(t) "
        + "WHEN \(condition) BEGIN \(body) END;\n"
    }
    let put = """
      INSERT OR REPLACE INTO \(r) VALUES (NEW.fid, ST_MinX(NEW.\(c)), ST_MaxX(NEW.\(c)), \
      ST_MinY(NEW.\(c)), ST_MaxY(NEW.\(c)));
      """
    let change = """
      UPDATE \(r) SET minx = ST_MinX(NEW.\(c)), maxx = ST_MaxX(NEW.\(c)), \
      miny = ST_MinY(NEW.\(c)), maxy = ST_MaxY(NEW.\(c)) WHERE id = NEW.fid;
      """
    let drop = "DELETE FROM \(r) WHERE id = OLD.fid;"
    let isThere = "(NEW.\(c) NOTNULL AND NOT ST_IsEmpty(NEW.\(c)))"
    let isGone = "(NEW.\(c) ISNULL OR ST_IsEmpty(NEW.\(c)))"
    let wasThere = "(OLD.\(c) NOTNULL AND NOT ST_IsEmpty(OLD.\(c)))"
    let wasGone = "(OLD.\(c) ISNULL OR ST_IsEmpty(OLD.\(c)))"
    let same = "OLD.fid = NEW.fid"
    let moved = "OLD.fid != NEW.fid"
    return trigger("insert", "INSERT", when: isThere, put)
      + trigger("update6", "UPDATE OF \(c)", when: "\(same) AND \(isThere) AND \(wasThere)", change)
      + trigger("update7", "UPDATE OF \(c)", when: "\(same) AND \(isThere) AND \(wasGone)", put)
      + trigger("update2", "UPDATE OF \(c)", when: "\(same) AND \(isGone)", drop)
      + trigger("update5", "UPDATE", when: "\(moved) AND \(isThere)", drop + " " + put)
      + trigger(
        "update4", "UPDATE", when: "\(moved) AND \(isGone)",
        "DELETE FROM \(r) WHERE id IN (OLD.fid, NEW.fid);")
      + trigger("delete", "DELETE", when: "OLD.\(c) NOTNULL", drop)
  }

  /// Returns an identifier quoted for SQL.
  package static func quoted(_ name: String) -> String {
    "\"\(name.replacing("\"", with: "\"\""))\""
  }

  /// Returns a text as an SQL literal.
  package static func literal(_ text: String) -> String { "'\(text.replacing("'", with: "''"))'" }
}
