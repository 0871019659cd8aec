import Foundation
import JSON
import PipelineSamples
import SQLite
import TestSupport
import Testing
import Tiling

@testable import Queries
@testable import Runs

/// GeoPackages as plain SQL sees them, and as GDAL does where it is installed.
@Suite struct GeoPackageTests {
  private static let shapes = [
    #"{"type":"Feature","id":"x","geometry":{"type":"Polygon","coordinates":[[[0,0],[0,4],[4,4],[4,0],[0,0]],[[1,1],[2,1],[2,2],[1,1]]]},"properties":{"Name":"a","name":"A","n":1,"r":1.5,"b":true,"mixed":1,"fid":9,"none":null}}"#,
    #"{"type":"Feature","geometry":{"type":"MultiPolygon","coordinates":[[[[10,-5],[12,-5],[12,0],[10,-5]]]]},"properties":{"Name":"b","n":2,"r":2,"b":false,"mixed":"x","list":[1,2]}}"#,
    #"{"type":"Feature","id":3,"geometry":null,"properties":{"Name":"c \"q\"","b":null}}"#,
  ]

  /// A pipeline of shapes, points and a table without geometry.
  private func sample() throws -> QuerySample {
    try QuerySample(
      [
        ("shapes", "type: geojsonseq, data: s.jsonl"), ("hotels", "type: csv, data: p.csv"),
        ("gpkg_own", "type: geojson, data: t.json"),
      ],
      files: [
        ("s.jsonl", Self.shapes.joined(separator: "\n")),
        ("p.csv", "lng,lat,name\n7,51,A\n8,52,B\n9.5,-1e-3,C\n"),
        (
          "t.json",
          #"{"type":"Feature","geometry":null,"properties":{"order":1,"geom":"text"}}"#
        ),
      ])
  }

  /// Writes a GeoPackage and opens it.
  private func write(
    _ sample: QuerySample, _ change: (inout QueryOptions) -> Void = { _ in }
  ) throws -> Database {
    let path = sample.folder.path("out.gpkg")
    let text = try sample.text {
      ($0.format, $0.output) = (.gpkg, path)
      change(&$0)
    }
    #expect(text.isEmpty)
    return try Database(path: path, mode: .readOnly, trust: .foreign)
  }

  /// All rows of a statement, columns with bars between.
  private func rows(_ sql: String, _ database: Database) throws -> [String] {
    let statement = try database.prepare(sql)
    var rows: [String] = []
    while try statement.step() {
      rows.append(
        (0..<statement.columnCount).map { statement.text($0) ?? "NULL" }.joined(separator: "|"))
    }
    return rows
  }

  @Test(
    "a GeoPackage that cannot be created is named, with the words and status of the other forms")
  func unwritable() throws {
    let sample = try sample()
    let path = sample.folder.path("no/such/out")
    for format in QueryFormat.allCases {
      let error = #expect(throws: PipelineError.self) {
        try sample.text { ($0.format, $0.output) = (format, path) }
      }
      #expect(error?.code == .cannotCreate && error?.place?.file == path, "\(format)")
    }
  }

  @Test("a query's GeoPackage has the tables of the standard, one for each source")
  func tables() throws {
    let database = try write(try sample())
    #expect(try database.integer("PRAGMA application_id") == 0x4750_4B47)
    #expect(try database.integer("PRAGMA user_version") == 10_400)
    #expect(try database.text("PRAGMA integrity_check") == "ok")
    #expect(try rows("PRAGMA foreign_key_check", database) == [])
    #expect(
      try rows("SELECT * FROM gpkg_contents ORDER BY rowid", database) == [
        "shapes|features|shapes||1970-01-01T00:00:00.000Z|0.0|-5.0|12.0|4.0|4326",
        "hotels|features|hotels||1970-01-01T00:00:00.000Z|7.0|-0.001|9.5|52.0|4326",
        "_gpkg_own|attributes|_gpkg_own||1970-01-01T00:00:00.000Z|NULL|NULL|NULL|NULL|NULL",
      ])
    #expect(
      try rows("SELECT * FROM gpkg_geometry_columns", database) == [
        "shapes|geom|MULTIPOLYGON|4326|0|0", "hotels|geom|POINT|4326|0|0",
      ])
    #expect(
      try rows("SELECT srs_id FROM gpkg_spatial_ref_sys ORDER BY 1", database) == [
        "-1", "0", "4326",
      ])
    #expect(
      try rows(
        "SELECT table_name, column_name, extension_name, scope FROM gpkg_extensions", database)
        == [
          "shapes|geom|gpkg_rtree_index|write-only", "hotels|geom|gpkg_rtree_index|write-only",
        ])
  }

  @Test("a query's GeoPackage gives columns the type of their values and unique names")
  func columns() throws {
    let database = try write(try sample())
    #expect(
      try rows("SELECT name, type FROM pragma_table_info('shapes')", database) == [
        "fid|INTEGER", "geom|MULTIPOLYGON", "id|TEXT", "Name|TEXT", "name_2|TEXT", "n|INTEGER",
        "r|REAL", "b|BOOLEAN", "mixed|TEXT", "fid_2|INTEGER", "none|TEXT", "list|TEXT",
      ])
    #expect(
      try rows(
        "SELECT fid, id, Name, name_2, n, r, b, mixed, fid_2, none, list FROM shapes", database)
        == [
          "1|x|a|A|1|1.5|1|1|9|NULL|NULL", "2|NULL|b|NULL|2|2.0|0|x|NULL|NULL|[1,2]",
          "3|3|c \"q\"|NULL|NULL|NULL|NULL|NULL|NULL|NULL|NULL",
        ])
    #expect(
      try rows("SELECT typeof(mixed), typeof(r) FROM shapes LIMIT 1", database) == ["text|real"])
    #expect(
      try rows("SELECT name, type FROM pragma_table_info('_gpkg_own')", database) == [
        "fid|INTEGER", "order|INTEGER", "geom_2|TEXT",
      ])
  }

  @Test("a query's GeoPackage has geometries with header, envelope and well-known binary")
  func blobs() throws {
    let database = try write(try sample())
    #expect(
      try rows("SELECT hex(geom) FROM hotels WHERE fid = 1", database) == [
        "47500001E6100000" + "0101000000" + "0000000000001C40" + "0000000000804940"
      ])
    let blobs = try rows("SELECT hex(geom) FROM shapes", database)
    // Header, envelope 0 4 0 4, a MultiPolygon of one polygon with two rings of five and four.
    #expect(
      blobs[0].hasPrefix(
        "47500003E6100000" + "0000000000000000" + "0000000000001040" + "0000000000000000"
          + "0000000000001040" + "010600000001000000" + "010300000002000000" + "05000000"
          + String(repeating: "0", count: 32) + "0000000000001040" + "0000000000000000"))
    #expect(blobs[0].count == 2 * (40 + 9 + 9 + 4 + 5 * 16 + 4 + 4 * 16))
    #expect(blobs[2] == "")
  }

  @Test("a query's GeoPackage has an R-tree with exactly the features with geometry")
  func index() throws {
    let database = try write(try sample())
    #expect(
      try rows("SELECT * FROM rtree_shapes_geom", database) == [
        "1|0.0|4.0|0.0|4.0", "2|10.0|12.0|-5.0|0.0",
      ])
    #expect(
      try rows(
        "SELECT h.name FROM hotels h JOIN rtree_hotels_geom r ON r.id = h.fid "
          + "WHERE r.minx <= 8.5 AND r.maxx >= 6 AND r.miny <= 60 AND r.maxy >= 51.5", database)
        == ["B"])
    #expect(
      try rows(
        "SELECT count(*) FROM sqlite_master WHERE type = 'trigger' GROUP BY tbl_name", database)
        == ["7", "7"])
  }

  @Test("a query's GeoPackage has the same bytes each time, and the given time")
  func determinism() throws {
    let sample = try sample()
    _ = try write(sample)
    let first = try sample.folder.bytes("out.gpkg")
    _ = try write(sample)
    #expect(try sample.folder.bytes("out.gpkg") == first)
    let database = try write(sample) { $0.changeTime = 951_868_799 }
    #expect(
      try rows("SELECT DISTINCT last_change FROM gpkg_contents", database) == [
        "2000-02-29T23:59:59.000Z"
      ])
    #expect(try sample.folder.names().allSatisfy { !$0.contains("tmp") && !$0.contains("journal") })
  }

  @Test("a query's GeoPackage has the selected properties, in the requested order")
  func chosen() throws {
    let database = try write(try sample()) {
      $0.sources = ["hotels"]
      $0.order = [SortRule("name:desc")].compactMap { $0 }
      $0.limit = 2
      $0.select = ["name"]
    }
    #expect(try rows("SELECT fid, name FROM hotels", database) == ["1|C", "2|B"])
    #expect(try rows("SELECT name FROM sqlite_master WHERE name = 'shapes'", database) == [])
    let none = try write(try sample()) { $0.whereText = "FALSE" }
    #expect(try rows("SELECT count(*) FROM hotels", none) == ["0"])
  }

  @Test("GDAL reads a query's GeoPackage without a warning", .enabled(if: GDAL.isThere))
  func gdal() throws {
    let sample = try sample()
    _ = try write(sample)
    let found = try GDAL.run(["-q", "-al", "-ro", sample.folder.path("out.gpkg")])
    #expect(
      !found.lowercased().contains("warning") && !found.lowercased().contains("error"), "\(found)")
    for text in [
      "OGRFeature(shapes):1", "MULTIPOLYGON (((0 0,4 0,4 4,0 4,0 0),(1 1,2 2,2 1,1 1)))",
      "POINT (9.5 -0.001)", "b (Integer(Boolean)) = 1", "r (Real) = 2", "n (Integer64) = 1",
      "OGRFeature(_gpkg_own):1",
    ] {
      #expect(found.contains(text), "\(text) in \(found)")
    }
    let summary = try GDAL.run(["-so", sample.folder.path("out.gpkg"), "shapes"])
    #expect(summary.contains("Extent: (0.000000, -5.000000) - (12.000000, 4.000000)"))
    #expect(
      summary.contains("ID[\"EPSG\",4326]") || summary.contains("AUTHORITY[\"EPSG\",\"4326\"]"))
    let boxed = try GDAL.run([
      "-q", "-spat", "11", "-4", "12", "-3", sample.folder.path("out.gpkg"), "shapes",
    ])
    #expect(boxed.contains("OGRFeature(shapes):2") && !boxed.contains("OGRFeature(shapes):1"))
  }
}

/// `ogrinfo` of gdal-bin.
enum GDAL {
  private static let path = "/usr/bin/ogrinfo"

  static let isThere = FileManager.default.isExecutableFile(atPath: path)

  static func run(_ arguments: [String]) throws -> String {
    let told = try Program.runInstalled([path] + arguments)
    // GDAL before 3.7 says of every GeoPackage 1.4 that it is newer than itself.
    return (told.output + told.errors).split(separator: "\n")
      .filter { !$0.contains("may only be partially supported") }.joined(separator: "\n")
  }
}
