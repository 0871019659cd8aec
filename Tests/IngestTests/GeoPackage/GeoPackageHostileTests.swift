import Features
import Ingest
import SQLite
import SystemPackage
import Testing
import Tiling

@testable import GeoPackages

/// A file that means harm or is broken, and words of the one sentence that it must end with.
struct HostileScript: Sendable, CustomTestStringConvertible {
  var name: String
  var script: String
  var words: String
  var testDescription: String { name }
}

private let point = GeometryBlob.point(7, 51).sql
private let table = "CREATE TABLE t (fid INTEGER PRIMARY KEY, geom BLOB, n TEXT);"
private let rows = "INSERT INTO t VALUES (1, \(point), 'a'), (2, \(point), 'b');"
private let counting = "WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c)"

private let scripts: [HostileScript] = [
  (
    "a view that nobody asked for",
    "CREATE VIEW v AS SELECT 1 AS x;" + GeoPackageFixture.attributes("v"),
    "'v' is a view"
  ),
  (
    "a list that is a view",
    "DROP TABLE gpkg_contents; CREATE VIEW gpkg_contents AS \(counting) SELECT x AS table_name, x AS data_type FROM c;",
    "no table 'gpkg_contents'"
  ),
  (
    "geometry columns that are a view",
    table + GeoPackageFixture.features("t")
      + "DROP TABLE gpkg_geometry_columns; CREATE VIEW gpkg_geometry_columns AS SELECT 't' AS table_name, 'geom' AS column_name, 4326 AS srs_id;",
    "no table 'gpkg_geometry_columns'"
  ),
  ("no list at all", "DROP TABLE gpkg_contents;", "no table 'gpkg_contents'"),
  (
    "a list without its columns", "DROP TABLE gpkg_contents; CREATE TABLE gpkg_contents (a);",
    "no such column: table_name"
  ),
  (
    "a list of numbers and blobs",
    "INSERT INTO gpkg_contents (table_name, data_type) VALUES (5, 'features'), (X'FF', 'features');",
    "2 tables of features"
  ),
  ("a list of a table that is not there", GeoPackageFixture.features("t"), "no such table"),
  (
    "geometry columns without a row",
    table + "INSERT INTO gpkg_contents (table_name, data_type) VALUES ('t', 'features');",
    "has no row for 't'"
  ),
  (
    "geometry columns of nulls",
    table + "INSERT INTO gpkg_contents (table_name, data_type) VALUES ('t', 'features');"
      + "INSERT INTO gpkg_geometry_columns (table_name) VALUES ('t');", "has no row for 't'"
  ),
  (
    "a system that is null",
    table + "INSERT INTO gpkg_contents (table_name, data_type) VALUES ('t', 'features');"
      + "INSERT INTO gpkg_geometry_columns (table_name, column_name) VALUES ('t', 'geom');",
    "srs_id is NULL"
  ),
  (
    "a geometry column that is not there",
    "CREATE TABLE t (fid INTEGER PRIMARY KEY);" + GeoPackageFixture.features("t"),
    "no column 'geom'"
  ),
  (
    "systems without their columns",
    table + GeoPackageFixture.features("t", system: 7)
      + "DROP TABLE gpkg_spatial_ref_sys; CREATE TABLE gpkg_spatial_ref_sys (x);", "no such column"
  ),
  (
    "a virtual table",
    "CREATE VIRTUAL TABLE v USING rtree(id, a, b);" + GeoPackageFixture.attributes("v"),
    "virtual table"
  ),
  (
    "a table without row numbers",
    "CREATE TABLE t (k TEXT PRIMARY KEY) WITHOUT ROWID;" + GeoPackageFixture.attributes("t"),
    "no such column: rowid"
  ),
  ("the schema as a table", GeoPackageFixture.attributes("sqlite_master"), "no such table"),
].map { HostileScript(name: $0.0, script: $0.1, words: $0.2) }

struct GeoPackageHostileTests {
  /// Reads everything; the sentence if it is refused, the number of records otherwise.
  private static func outcome(
    _ fixture: GeoPackageFixture, allowsViews: Bool = false,
    limits: GeoPackageLimits = GeoPackageLimits(),
    _ options: GeoPackageOptions = GeoPackageOptions()
  ) -> (records: Int, rejected: Int, refusal: String?) {
    var records = 0
    var rejected = 0
    do throws(SourceError) {
      let file = try fixture.open(allowsViews: allowsViews, limits: limits)
      let reader = try GeoPackageReader(file, options: options)
      var batch = FeatureBatch()
      while try reader.read(into: &batch) { records += batch.count }
      rejected = reader.ledger.rejectedTotal
      return (records, rejected, nil)
    } catch {
      return (records, rejected, error.description)
    }
  }

  @Test("a hostile or broken schema ends with one sentence", arguments: scripts)
  func schema(_ hostile: HostileScript) throws {
    let outcome = Self.outcome(try GeoPackageFixture(hostile.script))
    let refusal = try #require(outcome.refusal)
    #expect(refusal.contains(hostile.words), "\(refusal)")
    #expect(refusal.hasPrefix("test.gpkg: "))
    #expect(!refusal.contains("\n"))
  }

  @Test(
    "an endless view is stopped in time and memory",
    arguments: [
      "\(counting) SELECT x, x AS n FROM c",
      "\(counting) SELECT x, x AS n FROM c WHERE x < 0",
      "\(counting) SELECT x, x AS n FROM c ORDER BY n",
      "WITH RECURSIVE c(x) AS (SELECT 1 UNION SELECT x + 1 FROM c) SELECT max(x) AS n FROM c",
      "WITH RECURSIVE c(x) AS (SELECT randomblob(1000000) UNION ALL SELECT randomblob(1000000) FROM c) SELECT x AS n FROM c ORDER BY x",
      "SELECT count(*) AS n FROM t a, t b, t c, t d, t e, t f, t g, t h",
    ])
  func endlessViews(_ query: String) throws {
    let many = "\(counting) INSERT INTO t(n) SELECT x FROM c LIMIT 200;"
    let fixture = try GeoPackageFixture(
      table + many + "CREATE VIEW v AS \(query);" + GeoPackageFixture.attributes("v"))
    var limits = GeoPackageLimits()
    limits.viewSeconds = 0.4
    limits.heapBytes = 64 << 20
    // Without the limit this does not return.
    let outcome = Self.outcome(fixture, allowsViews: true, limits: limits)
    let refusal = try #require(outcome.refusal)
    #expect(refusal.contains("too long or too much memory"), "\(refusal)")
  }

  @Test("a finite view is read if views are allowed")
  func goodView() throws {
    let fixture = try GeoPackageFixture(
      table + rows + "CREATE VIEW v AS SELECT fid, upper(n) AS n, geom FROM t ORDER BY fid DESC;"
        + GeoPackageFixture.features("v"))
    let file = try fixture.open(allowsViews: true)
    let dump = try GeoPackageDump(try GeoPackageReader(file))
    #expect(dump.values == [[.number(2), .string("B")], [.number(1), .string("A")]])
    #expect(dump.geometry == ["p 7 51", "p 7 51"])
  }

  @Test(
    "a view cannot call functions that reach beyond the file",
    arguments: [
      "load_extension('x')", "readfile('/etc/passwd')", "writefile('/tmp/x', 'y')",
    ])
  func viewFunctions(_ call: String) throws {
    let fixture = try GeoPackageFixture(
      "CREATE VIEW v AS SELECT 1 AS x;" + GeoPackageFixture.attributes("v")
        + "PRAGMA writable_schema = ON; UPDATE sqlite_master SET sql = 'CREATE VIEW v AS SELECT \(call.replacing("'", with: "''")) AS x' WHERE name = 'v';"
    )
    #expect(Self.outcome(fixture, allowsViews: true).refusal != nil)
  }

  @Test("triggers, checks, indexes and computed columns do not run")
  func triggers() throws {
    let fixture = try GeoPackageFixture(
      "CREATE TABLE t (fid INTEGER PRIMARY KEY, geom BLOB, n TEXT CHECK (length(n) > 0), "
        + "big AS (zeroblob(1000000000)) VIRTUAL);" + GeoPackageFixture.features("t")
        + "INSERT INTO t(fid, geom, n) VALUES (1, \(point), 'a');"
        + "CREATE INDEX i ON t(abs(fid)); CREATE TABLE log (x);"
        + "CREATE TRIGGER g AFTER INSERT ON t BEGIN INSERT INTO log VALUES (1); END;")
    let reader = try fixture.reader()
    #expect(reader.propertyNames == ["n"])
    #expect(try GeoPackageDump(reader).ids == ["1"])
  }

  @Test("a giant geometry is rejected without being read, and the next record is read")
  func giantGeometry() throws {
    let fixture = try GeoPackageFixture(
      // What stands behind a blob is found only by walking through it.
      "CREATE TABLE t (fid INTEGER PRIMARY KEY, n TEXT, geom BLOB);"
        + GeoPackageFixture.features("t")
        + "INSERT INTO t VALUES (1, 'a', zeroblob(8000000)), (2, 'b', \(point));")
    var limits = GeoPackageLimits()
    limits.valueBytes = 1 << 20
    let file = try fixture.open(limits: limits)
    let before = file.pagesRead
    let reader = try GeoPackageReader(file)
    #expect(try GeoPackageDump(reader).ids == ["2"])
    #expect(reader.ledger.rejected == [.tooLarge: 1])
    #expect(
      reader.ledger.examples.first?.message
        == "the geometry has 8000000 bytes, and 1048576 are the limit")
    #expect(file.pagesRead - before < 50)
  }

  @Test("a giant text ends the reading with a sentence")
  func giantText() throws {
    let fixture = try GeoPackageFixture(
      table + GeoPackageFixture.features("t")
        + "INSERT INTO t VALUES (1, \(point), printf('%8000000d', 1));")
    var limits = GeoPackageLimits()
    limits.valueBytes = 1 << 20
    let refusal = Self.outcome(fixture, limits: limits).refusal
    #expect(refusal == "test.gpkg: cannot read 't': a value or row is larger than 1 MiB")
    var options = GeoPackageOptions()
    options.wanted = []
    #expect(Self.outcome(fixture, limits: limits, options).records == 1)
  }

  @Test(
    "table and column names cannot break out of their quotes",
    arguments: [
      "a\"b", "x\"; DROP TABLE t; --", "it's", "[brackets]", "`tick`", "select", "a b", "é", "%s",
      "",
    ])
  func names(_ name: String) throws {
    let quoted = "\"" + name.replacing("\"", with: "\"\"") + "\""
    let text = name.replacing("'", with: "''")
    let column = name.isEmpty ? "\"c\"" : quoted
    let fixture = try GeoPackageFixture(
      "CREATE TABLE \(quoted) (fid INTEGER PRIMARY KEY, geom BLOB, \(column) TEXT);"
        + GeoPackageFixture.features(text)
        + "INSERT INTO \(quoted) VALUES (1, \(point), 'v');")
    #expect(try GeoPackageDump(try fixture.reader()).values == [[.string("v")]])
    var options = GeoPackageOptions()
    options.bounds = GeoBounds(west: 0, south: 50, east: 10, north: 52)
    #expect(Self.outcome(fixture, options).records == 1)
  }

  @Test("columns named like SQLite's rowids do no harm")
  func rowNumbers() throws {
    let fixture = try GeoPackageFixture(
      "CREATE TABLE t (rowid TEXT, oid TEXT); INSERT INTO t VALUES ('b', 'x'), ('a', 'y');"
        + GeoPackageFixture.attributes("t"))
    let dump = try GeoPackageDump(try fixture.reader())
    #expect(dump.values == [[.string("b"), .string("x")], [.string("a"), .string("y")]])
  }

  @Test("a table of 1,500 columns is read")
  func manyColumns() throws {
    let names = (0..<1500).map { "c\($0) INTEGER" }.joined(separator: ", ")
    let fixture = try GeoPackageFixture(
      "CREATE TABLE t (\(names)); INSERT INTO t(c7) VALUES (9);" + GeoPackageFixture.attributes("t")
    )
    #expect(try GeoPackageDump(try fixture.reader()).values[0][7] == .number(9))
  }
}
