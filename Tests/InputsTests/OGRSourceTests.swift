import DefinitionSamples
import Features
import Foundation
import Ingest
import TestSupport
import Testing

@testable import Baking
@testable import Definition
@testable import Pipeline
@testable import Queries
@testable import Reports
@testable import Runs

@Suite(
  "Records that GDAL converts",
  .enabled(if: InstalledGDAL.isThere, Comment(rawValue: InstalledGDAL.comment)))
struct OGRSourceTests {
  private let folder: TemporaryFolder

  /// Places in the middle of Europe, where EPSG:25832 is exact.
  private static let rows: [(longitude: Double, latitude: Double, kind: Int, week: String)] = {
    var random = SplitMix64(seed: 22)
    return (0..<300).map {
      (
        4 + Double(random.below(10_000_000)) / 1e6, 45 + Double(random.below(10_000_000)) / 1e6,
        random.below(3), "week \(1 + $0 % 9)"
      )
    }
  }()

  init() throws {
    folder = try TemporaryFolder()
    let table = Self.rows.enumerated().map { index, row in
      "\(index),Plätze \(index),\(row.kind),\(Double(index) / 4),\(row.week),\(row.longitude),"
        + "\(row.latitude)\n"
    }
    try folder.write("no,name,kind,price,week,lng,lat\n" + table.joined(), to: "places.csv")
    let features = Self.rows.enumerated().map { index, row in
      """
      {"type": "Feature", "properties": {"no": \(index), "name": "Plätze \(index)", "kind": \
      \(row.kind), "price": \(Double(index) / 4), "week": "\(row.week)", \
      "day": "2024-04-11"}, "geometry": {"type": \
      "Point", "coordinates": [\(row.longitude), \(row.latitude)]}}
      """
    }
    try folder.write(
      "{\"type\": \"FeatureCollection\", \"features\": [\(features.joined(separator: ",\n"))]}",
      to: "places.geojson")
  }

  private func convert(_ format: String, _ file: String, _ more: String...) throws {
    let arguments = ["-q", "-f", format, file, "places.geojson", "-nln", "places"] + more
    try InstalledGDAL.run("ogr2ogr", arguments, in: folder.url)
  }

  @Test("markup with places is data at a url, too", arguments: ["KML", "GPX", "GML"])
  func markup(_ format: String) throws {
    let file = "answer.\(format.lowercased())"
    let more = format == "GPX" ? ["-dsco", "GPX_USE_EXTENSIONS=YES", "-nlt", "POINT"] : []
    try InstalledGDAL.run(
      "ogr2ogr",
      [
        "-q", "-f", format, file, "places.geojson", "-nln",
        format == "GPX" ? "waypoints" : "places",
      ]
        + more, in: folder.url)
    let body = try folder.bytes(file)
    let server = try LocalServer { _, connection in connection.answer(200, [], body) }
    for path in ["/\(file)", "/answer?f=\(format.lowercased())"] {
      let layer = format == "GPX" ? ", layer: waypoints" : ""
      let definition = try definition("type: ogr, data: '\(server.url(path))'\(layer)")
      let reports = try PipelineRunner.build(
        definition, options: BuildOptions(), cancellation: Cancellation(), progress: { _ in })
      #expect(reports.first?.sources[0].ledger.used == Self.rows.count)
    }
  }

  @Test(
    "an answer in GML that says it is incomplete is refused with the numbers that it says",
    arguments: [
      ("numberMatched=\"900\" numberReturned='300'", ["900 records", "300 records"]),
      ("numberMatched='unknown' numberReturned='300' next='/ows?a=1&amp;b=2'", ["300 records"]),
    ])
  func incompleteMarkup(_ attributes: String, _ words: [String]) throws {
    try convert("GML", "answer.gml")
    let text = String(decoding: try folder.bytes("answer.gml"), as: UTF8.self)
    let root = try #require(text.firstRange(of: "FeatureCollection"))
    let body = text.replacingCharacters(
      in: root, with: "FeatureCollection \(attributes)")
    let server = try LocalServer { _, connection in connection.answer(200, [], body) }
    let url = server.url("/ows?service=WFS&request=GetFeature&typeNames=a")
    let error = #expect(throws: PipelineError.self) {
      try PipelineRunner.build(
        try definition("type: ogr, data: '\(url)'"), options: BuildOptions(),
        cancellation: Cancellation(), progress: { _ in })
    }
    #expect(error?.exitCode == 65, "\(error?.message ?? "")")
    for words in words { #expect(error?.message.contains(words) == true) }
  }

  private func definition(_ source: String, look: String = "") throws -> PipelineDefinition {
    let file = try folder.write(
      """
      version: 1
      sources:
        places: {\(source)}
      layers:
        - id: disc
          type: circle
          source: places
          paint:
            circle-radius: [+, 3, [to-number, [get, kind]]]
            circle-color: [match, [get, week], week 3, red, green]
      tiles: {minzoom: 3, maxzoom: 5}
      output: {path: out.mbtiles}
      """, to: "places.yml")
    return try PipelineDefinition(contentsOf: file, environment: { _ in nil })
  }

  private func build(_ source: String) throws -> BuildReport {
    var options = BuildOptions()
    options.temporaryFolder = folder.url.path
    return try #require(
      PipelineRunner.build(
        definition(source), options: options, cancellation: Cancellation(), progress: { _ in }
      ).first)
  }

  /// Expects that each source has the records and tiles of the CSV file.
  private func expectOneDigest(_ sources: [String]) throws {
    let expected = try build("type: csv, data: places.csv")
    #expect(expected.sources.first?.ledger.used == Self.rows.count)
    for source in sources {
      let report = try build(source)
      #expect(report.sources.first?.ledger.used == Self.rows.count, "\(source)")
      #expect(report.archive.digest == expected.archive.digest, "\(source)")
    }
    #expect(try folder.names().filter { $0.contains("quadrille-gdal") } == [])
  }

  @Test("one data set has one tiles digest in every format and reference system")
  func oneDigest() throws {
    try convert("ESRI Shapefile", "places.shp", "-lco", "ENCODING=UTF-8")
    try convert("ESRI Shapefile", "utm.shp", "-t_srs", "EPSG:25832")
    try convert("ESRI Shapefile", "bare.shp", "-t_srs", "EPSG:25832")
    try FileManager.default.removeItem(atPath: folder.path("bare.prj"))
    try convert("FlatGeobuf", "places.fgb", "-lco", "SPATIAL_INDEX=NO")
    try convert("KML", "places.kml")
    try convert("GML", "places.gml", "-t_srs", "EPSG:3857")
    try convert("MapInfo File", "places.tab")
    try convert("GPKG", "plain.gpkg")
    try convert("GPKG", "utm.gpkg", "-t_srs", "EPSG:25832")
    let members = try ["shp", "shx", "dbf", "prj"].map { ending in
      PackedSample.Member("in/a folder/places.\(ending)", try folder.bytes("utm.\(ending)"))
    }
    try Data(PackedSample.zip(members)).write(
      to: URL(fileURLWithPath: folder.path("places.zip")))
    try expectOneDigest([
      "type: geojson, data: places.geojson", "type: ogr, data: places.geojson",
      "type: ogr, data: places.shp", "type: ogr, data: utm.shp",
      "type: ogr, data: bare.shp, crs: 'EPSG:25832'", "type: ogr, data: places.zip",
      "type: ogr, data: places.zip/in/a folder/places.shp", "type: ogr, data: places.fgb",
      "type: ogr, data: places.kml", "type: ogr, data: places.gml", "type: ogr, data: places.tab",
      "type: gpkg, data: plain.gpkg", "type: ogr, data: utm.gpkg, layer: places",
      "type: ogr, data: utm.gpkg, sql: SELECT * FROM places",
    ])
  }

  @Test("several files are one source, by a list or a pattern, and a changed one is read anew")
  func parts() throws {
    try FileManager.default.createDirectory(
      atPath: folder.path("parts"), withIntermediateDirectories: true)
    for (name, condition) in [("a", "no < 20"), ("b", "no >= 20")] {
      try convert(
        "ESRI Shapefile", "parts/\(name).shp", "-t_srs", "EPSG:25832", "-where", condition)
    }
    let members = try ["a", "b"].flatMap { name in
      try ["shp", "shx", "dbf", "prj"].map { ending in
        PackedSample.Member("in/\(name).\(ending)", try folder.bytes("parts/\(name).\(ending)"))
      }
    }
    try Data(PackedSample.zip(members)).write(to: URL(fileURLWithPath: folder.path("two.zip")))
    try expectOneDigest([
      "type: ogr, data: [parts/a.shp, parts/b.shp], id: no",
      "type: ogr, data: 'parts/*.shp', id: no", "type: ogr, data: 'two.zip/in/*.shp', id: no",
    ])
    let source = "type: ogr, data: 'parts/*.shp', id: no"
    #expect(try build(source).result == .published)
    #expect(try build(source).result == .unchanged)
    try convert("ESRI Shapefile", "parts/b.shp", "-t_srs", "EPSG:25832", "-where", "no >= 21")
    let changed = try build(source)
    #expect(changed.sources.first?.ledger.used == Self.rows.count - 1)
    let error = #expect(throws: PipelineError.self) {
      try definition("type: ogr, data: [parts/a.shp, 'PG:dbname=gis password=geheim']")
    }
    #expect(error?.message.contains("geheim") == false)
  }

  @Test(
    "one data set has one tiles digest in PostGIS, which is asked anew in each run",
    .enabled(if: PostgresServer.isInstalled, "needs PostgreSQL with PostGIS, and root"))
  func database() throws {
    let server = try PostgresServer()
    let values = Self.rows.enumerated().map { index, row in
      "(\(index), 'Plätze \(index)', \(row.kind), \(Double(index) / 4), '\(row.week)', "
        + "ST_Transform(ST_SetSRID(ST_MakePoint(\(row.longitude), \(row.latitude)), 4326), 25832))"
    }
    try server.query(
      """
      CREATE TABLE places (no integer PRIMARY KEY, name text, kind smallint, price numeric(8,2), \
      week text, place geometry(Point, 25832));
      INSERT INTO places VALUES \(values.joined(separator: ","));
      CREATE TABLE other (no integer, place geometry(Point, 25832))
      """)
    let connection =
      "data: 'PG:host=\(server.socket) port=\(PostgresServer.port) user=postgres dbname=gis'"
    try expectOneDigest([
      "type: ogr, \(connection), layer: places, id: no",
      "type: ogr, \(connection), sql: SELECT * FROM places ORDER BY no, id: no",
    ])
    let source = "type: ogr, \(connection), layer: places"
    #expect(try build(source).result == .published)
    #expect(try build(source).result == .unchanged)
    try server.query("UPDATE places SET kind = 9 WHERE no = 7")
    let changed = try build(source)
    #expect(changed.result == .published)
    let before = try folder.bytes("out.mbtiles")
    for (keys, code, words) in [
      ("", 78, "several layers: "), (", layer: nothing", 65, "nothing"),
      (", sql: SELECT * FROM nowhere", 65, "\"nowhere\" does not exist"),
      (", sql: 'WITH x AS (DELETE FROM places RETURNING *) SELECT * FROM x'", 65, "read-only"),
    ] {
      let error = #expect(throws: PipelineError.self) {
        try build("type: ogr, \(connection)\(keys)")
      }
      #expect(Int(error?.code.exitStatus ?? 0) == code, "\(keys): \(error as Any)")
      #expect(error?.message.contains(words) == true, "\(error?.message ?? "")")
    }
    // The server goes away while the query runs, which would take 30 seconds.
    let stopping = Thread {
      sleep(2)
      try? server.stop()
    }
    stopping.start()
    let lost = #expect(throws: PipelineError.self) {
      try build(
        "type: ogr, \(connection), sql: 'SELECT places.*, pg_sleep(0.1)::text AS t FROM places'")
    }
    #expect(lost?.code == .inputOutput, "\(lost?.message ?? "")")
    #expect(try folder.bytes("out.mbtiles") == before)
    let error = #expect(throws: PipelineError.self) { try build(source) }
    #expect(error?.code == .inputOutput, "\(error?.message ?? "")")
    #expect(error?.message.contains("cannot be read from the database") == true)
    #expect(try folder.bytes("out.mbtiles") == before)
  }

  @Test("the types of columns stay: numbers, texts, dates as texts; blobs are left out")
  func types() throws {
    try convert("GPKG", "places.gpkg", "-t_srs", "EPSG:25832")
    var query = QueryOptions()
    query.limit = 1
    query.whereText = "no = 3"
    var lines: [String] = []
    _ = try PipelineRunner.query(
      definition("type: ogr, data: places.gpkg"), query: query, options: BuildOptions(),
      cancellation: Cancellation(), progress: { _ in },
      write: { lines.append(String(decoding: $0, as: UTF8.self)) })
    let text = lines.joined()
    #expect(text.contains("\"name\":\"Plätze 3\""), "\(text)")
    #expect(text.contains("\"price\":0.75") && text.contains("\"day\":\"2024-04-11\""), "\(text)")
  }

  @Test(
    "data that GDAL cannot read as asked ends the build with what to do",
    arguments: [
      ("type: ogr, data: bare.shp", 78, "'crs: EPSG:25832'"),
      (
        "type: ogr, data: places.csv, crs: EPSG:31287", 78,
        "is a table: 'type: csv' reads it, in degrees. For columns in EPSG:31287, here x and y, ogr2ogr"
      ),
      ("type: ogr, data: two.gpkg", 78, "has several layers: places, more. Name one with 'layer'"),
      (
        "type: ogr, data: two.gpkg, layer: less", 78,
        "has no layer 'less'; its layers are places, more"
      ),
      ("type: ogr, data: places.csv", 78, "is a table: 'type: csv' reads it, in degrees"),
      ("type: ogr, data: other.vrt", 65, "is of no format that ogrinfo reads here"),
      ("type: ogr, data: cut.shp", 65, ".dbf beside it that ends before its 300 records do"),
      ("type: ogr, data: odd.shp", 65, "they do not belong together"),
      ("type: ogr, data: alone.shp", 66, "no .shx beside it"),
      ("type: ogr, data: two.gpkg, sql: SELECT * FROM nothing", 65, "nothing"),
      ("type: gpkg, data: utm.gpkg", 65, "Set 'type: ogr', with the table as 'layer'"),
      ("type: ogr, data: empty.kml", 65, "cannot be read by ogrinfo: ERROR parsing kml"),
      ("type: ogr, data: absent.shp", 66, "does not exist"),
    ])
  func refusal(source: String, code: Int, words: String) throws {
    try writeRefused(String(source.split { ", ".contains($0) }[3]))
    let error = #expect(throws: PipelineError.self) { try build(source) }
    #expect(Int(error?.code.exitStatus ?? 0) == code, "\(error as Any)")
    #expect(error?.message.contains(words) == true, "\(error?.message ?? "")")
  }

  /// Writes the file of a name if it is one that cannot be read.
  private func writeRefused(_ name: String) throws {
    func path(_ name: String) -> URL { folder.url.appending(path: name) }
    switch name {
    case "bare.shp", "alone.shp":
      try convert("ESRI Shapefile", name)
      try FileManager.default.removeItem(at: path(name == "bare.shp" ? "bare.prj" : "alone.shx"))
    case "cut.shp", "odd.shp":
      try convert("ESRI Shapefile", "cut.shp")
      let table = try folder.bytes("cut.dbf")
      try Data(table.dropLast(500)).write(to: path("cut.dbf"))
      if name == "cut.shp" { return }
      try convert("ESRI Shapefile", name, "-limit", "299")
      try Data(table).write(to: path("odd.dbf"))
    case "two.gpkg":
      try convert("GPKG", name)
      try InstalledGDAL.run(
        "ogr2ogr", ["-update", name, "places.geojson", "-nln", "more"], in: folder.url)
    case "utm.gpkg": try convert("GPKG", name, "-t_srs", "EPSG:25832")
    case "empty.kml": try folder.write("", to: name)
    case "other.vrt":
      let data = "<SrcDataSource>places.geojson</SrcDataSource>"
      try folder.write(
        "<OGRVRTDataSource><OGRVRTLayer name='places'>\(data)</OGRVRTLayer></OGRVRTDataSource>",
        to: name)
    default: break
    }
  }

  @Test(
    "the styles of a KML file are columns of simplestyle",
    .enabled(if: InstalledGDAL.reads("LIBKML")))
  func styles() throws {
    try folder.write(
      """
      <kml xmlns="http://www.opengis.net/kml/2.2"><Document>
      <Style id="a"><LineStyle><color>ff0000ff</color><width>4</width></LineStyle>
      <PolyStyle><color>7f00ff00</color></PolyStyle></Style>
      <Style id="p"><IconStyle><color>ffff0000</color><Icon><href>a.png</href></Icon></IconStyle></Style>
      <Placemark><name>Way</name><styleUrl>#a</styleUrl>
      <LineString><coordinates>0,0 2,2</coordinates></LineString></Placemark>
      <Placemark><name>Pin</name><styleUrl>#p</styleUrl>
      <Point><coordinates>1,2</coordinates></Point></Placemark>
      <Placemark><name>Bare</name><Point><coordinates>1,3</coordinates></Point></Placemark>
      </Document></kml>
      """, to: "styled.kml")
    #expect(
      try build("type: ogr, data: styled.kml, where: stroke = '#FF0000FF'").sources.first?
        .ledger.used == 1)
    for (condition, count) in [
      ("fill = '#00FF007F' AND \"stroke-width\" = 4", 1), ("\"marker-color\" = '#0000FFFF'", 1),
      ("stroke IS NULL AND \"marker-color\" IS NULL", 1), ("OGR_STYLE IS NULL", 3),
    ] {
      let report = try build(
        "type: ogr, data: styled.kml, where: '\(condition.replacing("'", with: "''"))'")
      #expect(report.sources.first?.ledger.used == count, "\(condition)")
    }
  }

  @Test("'where' chooses the records, and edits change them, as with any source")
  func edits() throws {
    try convert("FlatGeobuf", "places.fgb", "-t_srs", "EPSG:25832")
    let some = try build("type: ogr, data: places.fgb, where: kind = 1")
    #expect(some.sources.first?.ledger.used == Self.rows.count { $0.kind == 1 })
    try folder.write("op,no\ndelete,5\n", to: "edits.csv")
    let edited = try build("type: ogr, data: places.fgb, id: no, edits: edits.csv")
    #expect(edited.sources.first?.ledger.used == Self.rows.count - 1)
  }
}

@Suite("Keys of ogr") struct OGRKeyTests {
  @Test(
    "what makes no sense is refused with its key",
    arguments: [
      ("data: a.shp, layer: a, sql: SELECT 1", "'layer' and 'sql' both say"),
      ("data: a.shp, sql: DROP TABLE a", "begins with SELECT or WITH"),
      ("data: a.shp, crs: /etc/passwd", "'crs' is a coordinate reference system"),
      ("data: a.shp, layer: '@a'", "begins with neither"),
      ("data: /vsicurl/http://example.org/a.shp", "GDAL's own addresses (/vsi…) are refused"),
      ("data: 'PG:host=db'", "names its database"),
      ("data: 'PG:dbname=gis evil=1'", "no 'evil'"),
      ("data: a.shp, network: true", "unknown key 'network'"),
      ("data: '-'", "is standard input"),
    ])
  func refused(keys: String, words: String) {
    let error = #expect(throws: PipelineError.self) {
      try definition(
        """
        version: 1
        sources: {s: {type: ogr, \(keys)}}
        layers: [{id: a, type: circle, source: s}]
        output: {path: out.mbtiles}
        """)
    }
    #expect(error?.message.contains(words) == true, "\(error?.message ?? "")")
  }
}
