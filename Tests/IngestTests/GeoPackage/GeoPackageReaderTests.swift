import Expressions
import Features
import Files
import Ingest
import SQLite
import Testing
import Tiling

@testable import GeoPackages

private let towns = """
  CREATE TABLE towns (geom BLOB, fid INTEGER PRIMARY KEY, name TEXT, people INTEGER, area REAL,
    coast BOOLEAN, founded DATE, photo BLOB);
  \(GeoPackageFixture.features("towns"))
  INSERT INTO towns VALUES
    (\(GeometryBlob.point(7, 51).sql), 5, 'Aa', 9007199254740993, 1.5, 1, '1200-01-01', X'00'),
    (NULL, 3, NULL, NULL, 9e999, 0, NULL, NULL),
    (\(GeometryBlob.point(8, 52).sql), 9, X'AB', 'many', 2, 7, 3, NULL);
  """

struct GeoPackageReaderTests {
  @Test("GeoPackage records come by ascending key with their columns in the order of the table")
  func values() throws {
    let reader = try GeoPackageFixture(towns).reader()
    let dump = try GeoPackageDump(reader)
    #expect(reader.propertyNames == ["name", "people", "area", "coast", "founded"])
    #expect(reader.schema.map(\.type) == [.text, .integer, .real, .boolean, .date])
    #expect(dump.ids == ["3", "5", "9"])
    #expect(dump.lines == [3, 5, 9])
    #expect(dump.geometry == ["", "p 7 51", "p 8 52"])
    #expect(dump.values[0] == [.null, .null, .null, .bool(false), .null])
    #expect(
      dump.values[1]
        == [
          .string("Aa"), .number(9_007_199_254_740_992), .number(1.5), .bool(true),
          .string("1200-01-01"),
        ])
    // What is stored decides, not what the column promises.
    #expect(dump.values[2] == [.null, .string("many"), .number(2), .number(7), .number(3)])
    #expect(reader.blobs == [1, 0, 0, 0, 0])
  }

  @Test("an integer beyond 2⁵³ keeps its digits as text")
  func digits() throws {
    let reader = try GeoPackageFixture(towns).reader()
    var batch = FeatureBatch()
    #expect(try reader.read(into: &batch))
    #expect(batch.columns[1].text(1) == "9007199254740993")
    #expect(try reader.read(into: &batch) == false)
    #expect(batch.count == 0)
  }

  @Test("only the selected, tested and wanted columns are read")
  func columns() throws {
    let fixture = try GeoPackageFixture(towns)
    func names(_ change: (inout GeoPackageOptions) -> Void) throws -> [String] {
      var options = GeoPackageOptions()
      change(&options)
      return try fixture.reader(options).propertyNames
    }
    #expect(try names { $0.select = ["area", "name"] } == ["name", "area"])
    #expect(
      try names {
        $0.select = ["area"]
        $0.tested = ["coast", "nothing"]
      } == ["area", "coast"])
    #expect(
      try names {
        $0.select = ["area", "name"]
        $0.wanted = ["name", "nothing"]
      } == ["name"])
    #expect(try names { $0.wanted = ["fid", "area"] } == ["fid", "area"])
    let error = #expect(throws: SourceError.self) { try names { $0.select = ["nme"] } }
    #expect(
      error?.message
        == "no column named 'nme' in 'towns'; columns are name, people, area, coast, founded. Set 'select:'."
    )
  }

  @Test(
    "Web Mercator is converted to degrees and back",
    arguments: [
      LngLat(longitude: 0, latitude: 0), LngLat(longitude: 180, latitude: 85.051_128_779_806_59),
      LngLat(longitude: -180, latitude: -85.051_128_779_806_59),
      LngLat(longitude: -0.1275, latitude: 51.507222), LngLat(longitude: 151.2, latitude: -33.87),
    ])
  func mercator(_ position: LngLat) throws {
    let metres = MercatorMetres(position)
    let back = LngLat(metres)
    #expect(abs(back.longitude - position.longitude) < 1e-12)
    #expect(abs(back.latitude - position.latitude) < 1e-12)
    #expect(abs(back.latitude) <= WorldPoint.maxLatitude)
  }

  @Test("the world's edge is exact, even if a file rounds it up")
  func mercatorEdge() {
    let edge = LngLat(MercatorMetres(x: 20_037_508.342_789_244, y: 20_037_508.343))
    #expect(edge == LngLat(longitude: 180, latitude: WorldPoint.maxLatitude))
    #expect(LngLat(MercatorMetres(x: 0, y: 20_037_509)).latitude > WorldPoint.maxLatitude)
    #expect(LngLat(MercatorMetres(x: 0, y: 1e300)).latitude == 90)
  }

  @Test(
    "a table's reference system is identified by the authority of its row",
    arguments: [
      (3857, "p 180 0"), (99, "p 180 0"), (4326, "p 20037508.342789244 0"),
      // No row: the number is that of EPSG.
      (900_913, "p 180 0"),
    ])
  func systems(_ system: Int, _ text: String) throws {
    let reader = try GeoPackageFixture(
      "CREATE TABLE t (fid INTEGER PRIMARY KEY, geom BLOB);"
        + GeoPackageFixture.features("t", system: system)
        + "INSERT INTO t VALUES (1, \(GeometryBlob.point(20_037_508.342_789_244, 0).sql));"
    ).reader()
    #expect(try GeoPackageDump(reader).geometry == [text])
  }

  @Test(
    "other reference systems are refused by name",
    arguments: [
      (3035, "EPSG:3035 (Lambert)"), (0, "undefined geographic"), (-1, "undefined Cartesian"),
      (31_467, "EPSG:31467"),
    ])
  func otherSystems(_ system: Int, _ words: String) throws {
    let fixture = try GeoPackageFixture(
      "CREATE TABLE t (fid INTEGER PRIMARY KEY, geom BLOB);"
        + GeoPackageFixture.features("t", system: system))
    let error = #expect(throws: SourceError.self) { _ = try fixture.reader() }
    #expect(error?.message.contains(words) == true)
    #expect(error?.message.contains("ogr2ogr") == true)
  }

  @Test("one of several tables must be named; attributes need no name if there are no features")
  func tables() throws {
    let script = "CREATE TABLE a (x INTEGER); CREATE TABLE b (x INTEGER); INSERT INTO a VALUES (1);"
    let one = try GeoPackageFixture(script + GeoPackageFixture.attributes("a"))
    #expect(try GeoPackageDump(try one.reader()).values == [[.number(1)]])
    #expect(try GeoPackageDump(try one.reader()).ids == [nil])
    let two = try GeoPackageFixture(
      script + GeoPackageFixture.attributes("a") + GeoPackageFixture.attributes("b"))
    let error = #expect(throws: SourceError.self) { _ = try two.reader() }
    #expect(
      error?.message
        == "has 2 tables of features or attributes. Set 'table:' to one, or to \"*\" for all of them; "
        + "tables are a, b")
    var options = GeoPackageOptions()
    options.table = "B"
    #expect(try GeoPackageDump(try two.reader(options)).values.isEmpty)
    options.table = "c"
    let missing = #expect(throws: SourceError.self) { _ = try two.reader(options) }
    #expect(missing?.message == "has no table 'c'; tables are a, b")
    #expect(missing?.code == .configuration)
  }

  @Test("rows excluded by bounds are counted as filtered on request")
  func filtered() throws {
    var options = GeoPackageOptions()
    options.bounds = GeoBounds(west: 6, south: 50, east: 7.5, north: 53)
    options.countsFiltered = true
    let reader = try GeoPackageFixture(towns).reader(options)
    #expect(try GeoPackageDump(reader).ids == ["5"])
    #expect(reader.ledger.read == 2)
    #expect(reader.ledger.filtered == 2)
    #expect(reader.ledger.balances)
  }

  @Test("batches of any size give the same records", arguments: [1, 2, 3, 1000])
  func batches(_ size: Int) throws {
    let fixture = try GeoPackageFixture(towns)
    var options = GeoPackageOptions()
    options.batchRecords = size
    #expect(try GeoPackageDump(try fixture.reader(options)).ids == ["3", "5", "9"])
    options.batchBytes = 1
    #expect(try GeoPackageDump(try fixture.reader(options)).ids == ["3", "5", "9"])
  }

  @Test("the GeoPackage reader counts the records whose rings it closes")
  func openRings() throws {
    func polygon(_ numbers: [Double]) -> String {
      var blob = GeometryBlob.header().begun(3, count: 1).with(UInt32(numbers.count / 2))
      for number in numbers { blob.append(number) }
      return blob.sql
    }
    let fixture = try GeoPackageFixture(
      """
      CREATE TABLE t (geom BLOB, fid INTEGER PRIMARY KEY);
      \(GeoPackageFixture.features("t"))
      INSERT INTO t VALUES (\(polygon([0, 0, 4, 0, 4, 4])), 1),
        (\(polygon([0, 0, 4, 0, 4, 4, 0, 0])), 2);
      """)
    let reader = try fixture.reader()
    #expect(try GeoPackageDump(reader).geometry.count == 2)
    #expect(reader.ledger.repaired == [.closedRings: 1])
  }

  @Test("a whole GeoPackage source passes the ingest stage and balances")
  func ingest() throws {
    var reader = try GeoPackageFixture(towns).reader()
    let source = try IngestStage.read(&reader, file: "test.gpkg")
    #expect(source.ledger.read == 3)
    #expect(source.ledger.used == 2)
    #expect(source.ledger.noGeometry == 1)
    #expect(source.points.records.id(0) == "5")
  }

  @Test("texts of a UTF-16 file become UTF-8, and filters are left to the caller")
  func utf16() throws {
    let base = "PRAGMA encoding = 'UTF-16le';" + GeoPackageFixture.base
    let fixture = try GeoPackageFixture(
      "CREATE TABLE t (n TEXT); INSERT INTO t VALUES ('Köln'), ('x');"
        + GeoPackageFixture.attributes("t"), base: base)
    var options = GeoPackageOptions()
    options.filters = [try CompiledFilter.compile(cql2: "n = 'Köln'")]
    let reader = try fixture.reader(options)
    #expect(try GeoPackageDump(reader).values == [[.string("Köln")], [.string("x")]])
    #expect(!reader.checksFilters)
  }

  @Test("a text that is not UTF-8 rejects its record, unless its column is not read")
  func invalidText() throws {
    let fixture = try GeoPackageFixture(
      "CREATE TABLE t (n TEXT, m TEXT); INSERT INTO t VALUES (CAST(X'41FF' AS TEXT), 'm');"
        + GeoPackageFixture.attributes("t"))
    let reader = try fixture.reader()
    #expect(try GeoPackageDump(reader).values.isEmpty)
    #expect(reader.ledger.rejected == [.invalidEncoding: 1])
    var options = GeoPackageOptions()
    options.wanted = ["m"]
    #expect(try GeoPackageDump(try fixture.reader(options)).values == [[.string("m")]])
  }

  @Test("the header distinguishes a GeoPackage from other databases")
  func sniff() throws {
    func isGeoPackage(_ head: some Collection<UInt8>) -> Bool {
      SQLiteHeader(head)?.isGeoPackage ?? false
    }
    func head(_ identifier: UInt32) -> [UInt8] {
      var bytes = Array("SQLite format 3\0".utf8) + [UInt8](repeating: 0, count: 84)
      withUnsafeBytes(of: identifier.bigEndian) { bytes.replaceSubrange(68..<72, with: $0) }
      return bytes
    }
    for known in [0x4750_4B47, 0x4750_3130, 0x4750_3131] as [UInt32] {
      #expect(isGeoPackage(head(known)))
      #expect(!isGeoPackage(head(known).prefix(99)))
    }
    #expect(!isGeoPackage(head(0x4D50_4258)))
    #expect(!isGeoPackage(head(0)))
    #expect(!isGeoPackage(Array("{\"type\": \"FeatureCollection\"}".utf8)))
  }

  @Test("a record rejected while reading all tables is reported with its table")
  func rejectedOfAll() throws {
    func table(_ name: String, _ geometry: String) -> String {
      """
      CREATE TABLE \(name) (geom BLOB, fid INTEGER PRIMARY KEY);
      \(GeoPackageFixture.features(name))
      INSERT INTO \(name) VALUES (\(geometry), 284);
      """
    }
    let fixture = try GeoPackageFixture(
      table("lots", "X'00'") + table("roads", GeometryBlob.point(8, 52).sql))
    var reader = try GeoPackageTablesReader(fixture.open())
    var batch = FeatureBatch()
    while try reader.read(into: &batch) {}
    #expect(reader.ledger.examples.map(\.line) == [284])
    #expect(reader.ledger.examples.first?.message.hasPrefix("in table 'lots': ") == true)
  }
}
