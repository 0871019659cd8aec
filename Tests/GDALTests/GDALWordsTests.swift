import Features
import Foundation
import TestSupport
import Testing

@testable import GDAL

@Suite("What goes to GDAL's programs and comes back") struct GDALWordsTests {
  @Test(
    "a connection becomes variables, and no argument",
    arguments: [
      "PG:host=db.example port=5433 dbname=gis user=reader password='it''s'",
      "PG:host=db.example  port = 5433 dbname=gis user=reader password=it\\'s",
      "postgresql://reader:it%27s@db.example:5433/gis",
      "PG:postgres://reader@db.example/gis?port=5433&password=it%27s",
    ].map { $0.replacing("it''s", with: "it\\'s") })
  func connection(text: String) throws {
    let connection = try DatabaseConnection(text)
    #expect(connection.argument == "PG:")
    #expect(connection.password == "it's")
    #expect(
      ["PGHOST", "PGPORT", "PGDATABASE", "PGUSER"].map { connection.environment[$0] } == [
        "db.example", "5433", "gis", "reader",
      ])
    #expect(
      connection.environment["PGOPTIONS"]?.contains("default_transaction_read_only=on") == true)
  }

  @Test(
    "what is no connection is refused without its values",
    arguments: [
      ("PG:host=db", "names its database"), ("PG:secretsecret", "a list of key=value"),
      ("PG:dbname='gis", "never closed"), ("PG:dbname=gis options=secretsecret", "no 'options'"),
      ("postgresql://u:%zz@host/gis", "broken percent sign"),
      ("PG:dbname=gis schemas=a'secretsecret", "'schemas' has a quote"),
    ])
  func refusedConnection(text: String, words: String) {
    let fault = #expect(throws: DatabaseConnection.Fault.self) { try DatabaseConnection(text) }
    #expect(fault?.message.contains(words) == true && fault?.message.contains("secret") == false)
  }

  @Test("schemas of a connection go to GDAL")
  func schemas() throws {
    #expect(try DatabaseConnection("PG:dbname=gis schemas=a,b").argument == "PG:schemas='a,b'")
  }

  @Test(
    "a query reads, and reads its own data alone",
    arguments: [
      ("SELECT * FROM a WHERE b = 'it''s; x'", true),
      ("  with q as (select 1) select * from q;", true),
      ("DELETE FROM a", false), ("@file.sql", false), ("SELECT 1; DROP TABLE a", false),
      ("SELECT * FROM a LEFT JOIN '/etc/other.dbf'.other ON a.x = other.x", false),
      ("SELECT 'a' . b FROM c", false), ("SELECT 'open", false), ("SELECT \"a.b\".c FROM d", true),
      ("", false),
    ])
  func query(text: String, isRead: Bool) {
    #expect((VectorSelection.refusal(ofQuery: text) == nil) == isRead)
  }

  @Test(
    "a reference system is named without files and addresses",
    arguments: [
      ("EPSG:25832", true), ("ESRI:102100", true), ("OGC:CRS84", true), ("EPSG:25832+5783", true),
      ("+proj=laea +lat_0=52 +lon_0=10", true), ("+proj=longlat +nadgrids=x.gsb", false),
      ("/etc/passwd", false), ("http://example.org/crs", false), ("EPSG:", false), ("", false),
    ])
  func system(text: String, isKnown: Bool) {
    #expect(VectorSelection.isSystem(text) == isKnown)
  }

  @Test("layers are listed by their names, whatever their types")
  func layers() {
    let list = LayerList(
      """
      INFO: Open of `x'
            using driver `ESRI Shapefile' successful.
      1: hotels (Point)
      2: old (2019) (3D Multi Polygon)
      3: mixed
      4: two (Point, Line String)
      5: table (None)
      6: roads (old)
      """)
    #expect(list.driver == "ESRI Shapefile")
    #expect(list.names == ["hotels", "old (2019)", "mixed", "two", "table", "roads (old)"])
  }

  @Test("all drivers are off but those of files, or of the database")
  func drivers() {
    let formats = """
      Supported Formats:
        netCDF -raster,multidimensional raster,vector- (rw+vs): Network Common Data Format
        ESRI Shapefile -vector- (rw+v): ESRI Shapefile
        OGR_VRT -vector- (rov): VRT - Virtual Datasource
        GPKG -raster,vector- (rw+vs): GeoPackage
        PostgreSQL -vector- (rw+): PostgreSQL/PostGIS
        HTTP -raster,vector- (ro): HTTP Fetching Wrapper
      """
    #expect(
      VectorDrivers.skipped(of: formats, forDatabase: false) == "netCDF,OGR_VRT,PostgreSQL,HTTP")
    #expect(
      VectorDrivers.skipped(of: formats, forDatabase: true) == "netCDF,ESRI Shapefile,OGR_VRT,HTTP")
  }

  @Test(
    "the first error becomes one sentence, without secrets and without control characters",
    arguments: [
      (
        "Warning 1: odd\nERROR 1: PQconnectdb failed.\nFATAL: no entry for pa55word\u{1B}[0m\n\nFAILURE:\n"
          + "Unable to open datasource `PG:' with the following drivers.\n  -> `GPKG'\n",
        "cannot be read from the database: PQconnectdb failed. FATAL: no entry for ***",
        FailureWord.io
      ),
      (
        "ERROR 1: Can't transform coordinates, source layer has no\ncoordinate system.  Use -s_srs\n",
        "crs: EPSG:25832", .configuration
      ),
      (
        "FAILURE:\nUnable to open datasource `./x' with the following drivers.\n  -> `GPKG'\n",
        "is of no format that ogr2ogr reads here", .badData
      ),
      ("", "is of no format that ogr2ogr reads here", .badData),
      ("ERROR 4: /tmp/work/x.shp is broken\n", "by ogr2ogr: x.shp is broken", .badData),
      ("ERROR 1: \(String(repeating: "long ", count: 200))\n", "long  …", .badData),
    ])
  func message(text: String, words: String, code: FailureWord) {
    let error = GDALMessage(text, hiding: ["pa55word", "/tmp/work/"])
      .error(of: .ogr2ogr, file: "data")
    #expect(error.message.contains(words), "\(error.message)")
    #expect(!error.message.contains("\u{1B}") && !error.message.contains("pa55word"))
    #expect(error.message.count < 400 && error.code == code.code)
  }

  enum FailureWord: Sendable {
    case io, configuration, badData

    var code: SourceError.Code {
      switch self {
      case .io: .io
      case .configuration: .configuration
      case .badData: .badData
      }
    }
  }

  @Test("the files of a shapefile belong together, whatever else has the name")
  func companions() throws {
    let folder = try TemporaryFolder()
    for name in ["a.shp", "a.DBF", "a.shx", "a.txt", "ab.dbf", "a.shp.xml", "b.prj"] {
      try folder.write("", to: name)
    }
    let files = GeodataFile(folder.path("a.shp")).files.map { $0.split(separator: "/").last ?? "" }
    #expect(files == ["a.shp", "a.DBF", "a.shx"])
    #expect(GeodataFile(folder.path("a.txt")).files == [folder.path("a.txt")])
  }
}
