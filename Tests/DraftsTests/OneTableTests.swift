import Features
import Foundation
import Pipeline
import PipelineSamples
import SQLite
import TestSupport
import Testing
import Tiling

@testable import Definition
@testable import Drafts
@testable import Reports
@testable import Runs

/// The same table in many formats, which is judged alike whatever holds it.
@Suite("One table in many formats") struct OneTableTests {
  private let sample: DraftSample

  init() throws { sample = try DraftSample() }

  private static let needsGDAL = Comment(rawValue: InstalledGDAL.comment)

  /// Names, kinds, counts, shares with their unit, codes with a leading zero, and days.
  private static let names = ["Name", "Art", "Betten", "Anteil", "PLZ", "Stand"]

  private let rows = (0..<60).map { row in
    [
      "Haus \(row)", ["Hotel", "Pension", "Heim"][row % 3], "\(20 + row * 37 % 90)",
      "\(10 + row * 7 % 50),\(row % 10) %", "0\(1067 + row * 13 % 400)",
      "2024-0\(1 + row % 9)-\(10 + row % 18)", "\(8 + Double(row * 13 % 64) / 64)",
      "\(46 + Double(row * 29 % 64) / 64)",
    ]
  }

  /// Returns the rows as GeoJSON, with their places as geometries or as two properties.
  private func features(hasGeometry: Bool = true) -> String {
    let features = rows.map { row in
      let texts = zip(Self.names, row).map { name, value in
        name == "Betten" ? "\"\(name)\":\(value)" : "\"\(name)\":\"\(value)\""
      }
      let place =
        hasGeometry
        ? #"{"type":"Point","coordinates":[\#(row[6]),\#(row[7])]}"# : "null"
      let columns = hasGeometry ? [] : [#""Länge":\#(row[6]),"Breite":\#(row[7])"#]
      return #"{"type":"Feature","properties":{\#((texts + columns).joined(separator: ","))},"#
        + #""geometry":\#(place)}"#
    }
    return #"{"type":"FeatureCollection","features":[\#(features.joined(separator: ","))]}"#
  }

  private var table: [[String]] { [Self.names + ["lng", "lat"]] + rows }

  private func writeGeoPackage() throws {
    let database = try Database(path: sample.folder.path("t.gpkg"), mode: .create)
    try database.execute(TileTable.base + TileTable.features)
    try database.execute(
      """
      DELETE FROM gpkg_contents; DELETE FROM gpkg_geometry_columns; DROP TABLE towns;
      CREATE TABLE t (fid INTEGER PRIMARY KEY, Name TEXT, Art TEXT, Betten INTEGER, Anteil TEXT,
        PLZ TEXT, Stand TEXT, geom BLOB);
      INSERT INTO gpkg_contents VALUES ('t', 'features');
      INSERT INTO gpkg_geometry_columns VALUES ('t', 'geom', 'POINT', 4326, 0, 0);
      """)
    for (number, row) in rows.enumerated() {
      let numbers = [row[6], row[7]].map { Double($0) ?? 0 }
      let bytes = numbers.flatMap { number in
        withUnsafeBytes(of: number.bitPattern.littleEndian) {
          $0.map { String(format: "%02X", $0) }
        }
      }
      let values = row[..<6].map { "'\($0)'" }.joined(separator: ", ")
      try database.execute(
        "INSERT INTO t VALUES (\(number + 1), \(values), "
          + "X'47500001E61000000101000000\(bytes.joined())')")
    }
  }

  /// KML with a schema for its data.
  private var kml: String {
    let fields = Self.names.dropFirst().map {
      #"<SimpleField name="\#($0)" type="\#($0 == "Betten" ? "int" : "string")"/>"#
    }
    let places = rows.map { row in
      let data = zip(Self.names, row).dropFirst().map {
        #"<SimpleData name="\#($0)">\#($1)</SimpleData>"#
      }
      return "<Placemark><name>\(row[0])</name><ExtendedData>"
        + ##"<SchemaData schemaUrl="#t">\##(data.joined())</SchemaData></ExtendedData>"##
        + "<Point><coordinates>\(row[6]),\(row[7])</coordinates></Point></Placemark>"
    }
    return #"<?xml version="1.0"?><kml xmlns="http://www.opengis.net/kml/2.2"><Document>"#
      + #"<Schema name="t" id="t">\#(fields.joined())</Schema><Folder><name>t</name>"#
      + places.joined() + "</Folder></Document></kml>"
  }

  /// Writes the table in the format of a name.
  private func write(_ name: String) throws {
    func convert(_ arguments: String...) throws {
      try InstalledGDAL.run("ogr2ogr", arguments, in: sample.folder.url)
    }
    switch name {
    case "t.xlsx": try sample.write(SheetSample.workbook([.init("t", table)]), to: name)
    case "t.ods": try sample.write(SheetSample.document([.init("t", table)]), to: name)
    case "t.geojson": try sample.folder.write(features(), to: name)
    case "bare.geojson": try sample.folder.write(features(hasGeometry: false), to: "t.geojson")
    case "t.gpkg": try writeGeoPackage()
    case "t.kml": try sample.folder.write(kml, to: name)
    case "t.shp":
      try sample.folder.write(features(), to: "in.geojson")
      try convert("-lco", "ENCODING=UTF-8", name, "in.geojson")
    case "bare.gpkg", "bare.dbf":
      try sample.folder.write(features(hasGeometry: false), to: "in.geojson")
      let output = name.replacing("bare", with: "t")
      let format = name == "bare.gpkg" ? "GPKG" : "ESRI Shapefile"
      try convert("-f", format, "-nlt", "NONE", "-nln", "t", output, "in.geojson")
    default:
      try sample.folder.write(
        table.map { $0.map { "\"\($0)\"" }.joined(separator: ",") }.joined(separator: "\n"),
        to: "t.csv")
    }
  }

  /// Returns what follows the sources in a draft: its layers and tiles.
  private func judgement(_ text: String) throws -> Substring {
    text[try #require(text.range(of: "\n# The first is drawn first.")).lowerBound...]
  }

  private func expectSame(_ name: String) throws {
    try write("t.csv")
    let plain = try sample.draft("t.csv")
    #expect(plain.choices.first?.contains("coloured by 'Anteil', labelled by 'Name'") == true)
    #expect(plain.text.contains("fields: [Name, Anteil, Art, Betten, PLZ, Stand]"), "\(plain.text)")
    try write(name)
    let ending = name.split(separator: ".").last ?? ""
    let draft = try sample.draft("t.\(ending)")
    #expect(try judgement(draft.text) == judgement(plain.text), "\(draft.text)")
    let drawn = try tiles(sample.build(plain))
    let reports = try sample.build(draft)
    #expect(reports.first?.sources.map(\.ledger.used) == [60])
    #expect(try tiles(reports) == drawn)
  }

  /// Returns an archive's tiles in hexadecimal digits, with their places.
  private func tiles(_ reports: [BuildReport]) throws -> String {
    let path = try #require(reports.first).archive.path
    let text = try Database(path: path, mode: .readOnly).text(
      """
      SELECT group_concat(zoom_level || '/' || tile_column || '/' || tile_row || ' ' || hex(tile_data), ' ')
      FROM (SELECT * FROM tiles ORDER BY zoom_level, tile_column, tile_row)
      """)
    return try #require(text)
  }

  @Test(
    "sheets, features and tables of databases are drafted like the same table as CSV",
    arguments: ["t.xlsx", "t.ods", "t.geojson", "t.gpkg"])
  func formats(name: String) throws { try expectSame(name) }

  @Test(
    "shapefiles and KML too, and columns of places in files without geometries",
    .enabled(if: InstalledGDAL.isThere, needsGDAL),
    arguments: ["t.shp", "t.kml", "bare.gpkg", "bare.geojson", "bare.dbf"])
  func converted(name: String) throws { try expectSame(name) }

  @Test(
    "a sheet that GDAL reads is the one that is named, and its decimal commas are read",
    .enabled(if: InstalledGDAL.isThere && InstalledGDAL.reads("XLSX"), needsGDAL))
  func convertedSheet() throws {
    try sample.folder.write("a,b\nMade by,me\n", to: "about.csv")
    try sample.folder.write(
      "Name,x,y,n\nA,\"8,5\",\"46,9\",1\nB,8.75,\"46,5\",2\n", to: "places.csv")
    for (name, more) in [("About", []), ("Places", ["-update", "-oo", "AUTODETECT_TYPE=YES"])] {
      try InstalledGDAL.run(
        "ogr2ogr",
        ["-f", "XLSX", "-nln", name] + more + ["book.xlsx", "\(name.lowercased()).csv"],
        in: sample.folder.url)
    }
    let file = try sample.folder.write(
      """
      version: 1
      name: m
      sources: {s: {type: ogr, data: book.xlsx/Places, x: x, y: y}}
      layers: [{id: a, type: circle, source: s}]
      tiles: {minzoom: 12, maxzoom: 12}
      output: {path: out.mbtiles}
      """, to: "m.yml")
    let definition = try PipelineDefinition(contentsOf: file, environment: { _ in nil })
    let reports = try PipelineRunner.build(
      definition, options: BuildOptions(), cancellation: Cancellation(), progress: { _ in })
    let archive = try Database(path: try #require(reports.first).archive.path, mode: .readOnly)
    let text = try archive.text("SELECT value FROM metadata WHERE name = 'bounds'")
    let box = try #require(text.flatMap { GeoBounds($0) })
    #expect(abs(box.west - 8.5) < 0.01 && abs(box.north - 46.9) < 0.01, "\(box)")
  }

  @Test("where no sheet has places, each says why")
  func noPlaces() throws {
    try sample.write(
      SheetSample.workbook([
        .init("About", [["Made by", "On"], ["me", "Monday"]]),
        .init("Values", [["Kreis", "Wert"], ["A", "1"], ["B", "2"]]),
      ]), to: "book.xlsx")
    let error = #expect(throws: PipelineError.self) { try sample.draft("book.xlsx") }
    let message = error?.message ?? ""
    #expect(message.hasPrefix("none of the 2 tables can be drawn."), "\(message)")
    #expect(message.contains("/About: ") && message.contains("/Values: "), "\(message)")
  }
}
