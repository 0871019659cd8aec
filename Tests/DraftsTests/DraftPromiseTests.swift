import Definition
import Features
import Foundation
import PNG
import PipelineSamples
import SQLite
import TestSupport
import Testing
import Tiling
import VectorTileSamples
import VectorTiles

@testable import Drafts
@testable import Reports
@testable import Runs

/// Everyday files of many kinds: each is drafted, the draft is built, and lies where the data does.
@Suite("Drafts that keep their promise") struct DraftPromiseTests {
  private let sample: DraftSample

  init() throws { sample = try DraftSample() }

  /// Builds a draft and returns the box of its archive.
  ///
  /// - Parameter records: the records that are used; `nil` for any.
  private func place(_ draft: PipelineDraft, records: Int? = nil) throws -> GeoBounds {
    let report = try #require(try sample.build(draft).first)
    #expect(report.result == .published)
    if let records { #expect(report.sources.map(\.ledger.used) == [records], "\(draft.text)") }
    let archive = try Database(path: report.archive.path, mode: .readOnly)
    let text = try archive.text("SELECT value FROM metadata WHERE name = 'bounds'")
    return try #require(text.flatMap { GeoBounds($0) })
  }

  /// Expects the box of the data to be about the Alps between 8 and 9 degrees east.
  private func expectAlps(_ draft: PipelineDraft, records: Int? = nil) throws {
    let box = try place(draft, records: records)
    #expect((7.9...8.1).contains(box.west) && (8.8...9.2).contains(box.east), "\(box)")
    #expect((45.9...46.1).contains(box.south) && (46.8...47.1).contains(box.north), "\(box)")
  }

  /// Places between 8 and 9 east, 46 and 47 north.
  private let rows = (0...20).map { place -> (name: String, x: Double, y: Double) in
    let share = Double(place) / 20
    return ("P \(place)", 8 + share, 46 + share)
  }

  private func features(_ rows: [(name: String, x: Double, y: Double)]) -> String {
    let features = rows.map {
      #"{"type":"Feature","properties":{"name":"\#($0.name)"},"geometry":{"type":"Point","coordinates":[\#($0.x),\#($0.y)]}}"#
    }
    return #"{"type":"FeatureCollection","features":[\#(features.joined(separator: ","))]}"#
  }

  // MARK: Tables

  @Test(
    "decimal commas beside points, pairs with decimal commas, endings in capitals or none",
    arguments: [
      "commas.CSV", "mixed.csv", "pair-space.csv", "pair-comma.csv", "PAIR-SEMICOLON.TXT",
      "noending",
    ])
  func tables(name: String) throws {
    func comma(_ number: Double) -> String { "\(number)".replacing(".", with: ",") }
    let lines = rows.enumerated().map { place, row -> String in
      switch name {
      case "mixed.csv":
        place % 2 == 0
          ? "\(row.name);\(comma(row.y));\(comma(row.x))" : "\(row.name);\(row.y);\(row.x)"
      case "pair-space.csv": "\(row.name)|\(comma(row.y)) \(comma(row.x))"
      case "pair-comma.csv": "\(row.name)|\(comma(row.y)), \(comma(row.x))"
      case "PAIR-SEMICOLON.TXT": "\(row.name)|\(comma(row.y));\(comma(row.x))"
      default: "\(row.name);\(comma(row.y));\(comma(row.x))"
      }
    }
    let header = name.lowercased().hasPrefix("pair") ? "name|pos" : "name;lat;lon"
    try sample.folder.write(([header] + lines).joined(separator: "\n"), to: name)
    let draft = try sample.draft(name)
    try expectAlps(draft, records: 21)
  }

  @Test("thousands with a comma beside plain numbers are no decimal commas")
  func thousands() throws {
    let lines = rows.enumerated().map { "\($1.name),\($1.y),\($1.x),\"\($0 % 2 + 1),\(200 + $0)\"" }
    try sample.folder.write((["name,lat,lon,beds"] + lines).joined(separator: "\n"), to: "a.csv")
    let draft = try sample.draft("a.csv")
    #expect(!draft.text.contains("decimal:"), "\(draft.text)")
    try expectAlps(draft)
  }

  @Test(
    "sheets are read as tables: titles, empty rows, texts that are numbers, other sheets",
    arguments: ["xlsx", "ods"])
  func sheets(ending: String) throws {
    let head = [["Places of May"], [], ["", "Name", "Breitengrad", "Längengrad", "Anteil"]]
    let body = rows.enumerated().map { place, row in
      [
        "", row.name, "\(row.y)".replacing(".", with: ","), "\(row.x)".replacing(".", with: ","),
        "\(place),5 %",
      ]
    }
    let sheets = [
      SheetSample.Sheet("About", [["Made by", "me"], ["On", "Monday"]]),
      SheetSample.Sheet("Places", head + body),
    ]
    let bytes = ending == "ods" ? SheetSample.document(sheets) : SheetSample.workbook(sheets)
    try sample.write(bytes, to: "book.\(ending)")
    let draft = try sample.draft("book.\(ending)")
    #expect(draft.text.contains("data: \"book.\(ending)/Places\""), "\(draft.text)")
    #expect(draft.text.contains("coloured by 'Anteil', labelled by 'Name'"), "\(draft.text)")
    try expectAlps(draft, records: 21)
    let chosen = try sample.draft("book.\(ending)") { $0.choices.sheet = "Places" }
    #expect(chosen.text.contains("data: \"book.\(ending)/Places\""))
    #expect(throws: PipelineError.self) {
      try sample.draft("book.\(ending)") { $0.choices.sheet = "About" }
    }
  }

  // MARK: Flags

  @Test("a flag that no file can take is refused by its name")
  func flags() throws {
    try sample.folder.write(features(rows), to: "a.geojson")
    func refusal(_ name: String, _ change: (inout PipelineDraft.Choices) -> Void) -> String {
      do {
        _ = try sample.draft(name) { change(&$0.choices) }
      } catch {
        return "\(error)"
      }
      return ""
    }
    #expect(refusal("a.geojson") { $0.x = "name" }.contains("'--x'"))
    #expect(refusal("a.geojson") { $0.geometry = "name" }.contains("'--geometry'"))
    #expect(refusal("a.geojson") { $0.lines = true }.contains("'--lines'"))
    #expect(refusal("a.geojson") { $0.sheet = "A" }.contains("'--sheet'"))
    #expect(refusal("a.geojson") { $0.layer = "A" }.contains("'--layer'"))
    #expect(refusal("a.geojson") { $0.encoding = "latin1" }.contains("'--encoding'"))
    #expect(refusal("a.geojson") { $0.sizeBy = "name" }.contains("'--size-by'"))
    #expect(refusal("a.geojson") { $0.groupBy = "nmae" }.contains("no column named 'nmae'"))
    #expect(refusal("a.geojson") { $0.label = "name" }.isEmpty)
    let zooms = try sample.draft("a.geojson") { $0.choices.zooms = 3...9 }
    #expect(zooms.text.contains("minzoom: 3") && zooms.text.contains("maxzoom: 9"))
  }

  // MARK: Tables without places

  @Test("a table is joined to places by the column whose values both have")
  func join() throws {
    try sample.writeDistricts()
    func table(_ name: String) -> String {
      let rows = (0..<40).map { "\($0);\(name) \($0);\($0 * 3 % 17),5" }
      return "nr;Bezirk;Einkommen\n" + rows.joined(separator: "\n")
    }
    try sample.folder.write(table("District"), to: "incomes.csv")
    let draft = try sample.draft("incomes.csv") {
      $0.choices.join = self.sample.folder.path("districts.geojson")
    }
    #expect(draft.text.contains(#""on": {left: name, right: Bezirk}"#), "\(draft.text)")
    #expect(draft.text.contains("36 of 36 values of 'name' are in 'Bezirk'"))
    #expect(draft.text.contains("Rows without a place: 'District 36'"))
    #expect(draft.choices.first?.contains("coloured by 'Einkommen'") == true, "\(draft.choices)")
    let ledger = try #require(try sample.build(draft).first?.sources.first?.ledger)
    #expect(ledger.used == 36)
  }

  @Test(
    "a table without places says which places its codes are",
    arguments: [
      ("AGS", "01001 09162", "districts (AGS)"), ("CODE_INSEE", "75056 2A004", "(INSEE)"),
      ("geo", "DE21 FR10", "NUTS"), ("iso_a3", "DEU FRA", "ISO 3166"),
      ("GEO_ID", "0500000US01001 0500000US06037", "census"), ("GEOID", "1001 06037", "census"),
      ("plz", "10115 01067", "postal"), ("Area code", "E06000001 W06000002", "British"),
      ("kommunenr", "0301 1103", "municipalities"),
    ])
  func placeCodes(name: String, codes: String, places: String) throws {
    let rows = codes.split(separator: " ").map { "A,\($0),12\n" }
    try sample.folder.write("text,\(name),value\n" + rows.joined(), to: "a.csv")
    let error = #expect(throws: PipelineError.self) { try sample.draft("a.csv") }
    let message = error?.message ?? ""
    #expect(
      message.contains("Column '\(name)' has the codes of ") && message.contains(places)
        && message.contains("--join"), "\(message)")
  }

  @Test(
    "keys that are written in another way are joined as codes: case, marks, leading zeros, a prefix",
    arguments: [
      ("DISTRICT 7", "District 7", "compare: codes"), ("08-07", "807", "compare: codes"),
      ("0500000US0107", "0107", "rightPrefix: \"0500000US\""), ("DE-7", "7", "rightPrefix: DE-"),
    ])
  func codes(row: String, place: String, says: String) throws {
    func key(_ form: String, _ number: Int) -> String { form.replacing("7", with: "\(number)") }
    let features = (10..<40).map {
      #"{"type":"Feature","properties":{"code":"\#(key(place, $0))"},"geometry":{"type":"Point","#
        + #""coordinates":[\#(8 + Double($0) / 40),46]}}"#
    }
    try sample.folder.write(features.joined(separator: "\n"), to: "zones.geojsonl")
    let rows = (10..<41).map { "\(key(row, $0)),\($0 * 3 % 17).5" }
    try sample.folder.write("key,rate\n" + rows.joined(separator: "\n"), to: "rates.csv")
    let draft = try sample.draft("rates.csv") {
      $0.choices.join = self.sample.folder.path("zones.geojsonl")
    }
    #expect(draft.text.contains(says), "\(draft.text)")
    #expect(draft.text.contains("30 of 30 values of 'code' are in 'key'"), "\(draft.text)")
    #expect(draft.text.contains("Rows without a place: '\(key(row, 40))'"), "\(draft.text)")
    let counts = try #require(try sample.build(draft).first?.sources.first?.ledger.joins.first)
    #expect(counts.matched == 30 && counts.missing == 0 && counts.unused == 1)
  }

  // MARK: Files of GDAL's formats

  private static let needsGDAL = Comment(rawValue: InstalledGDAL.comment)

  @Test(
    "KMZ with images, MapInfo in a zip file, national grids: drafted as what they are",
    .enabled(if: InstalledGDAL.isThere, needsGDAL),
    arguments: ["a.kmz", "Tab.ZIP", "mif.zip", "grid.gpkg", "kml-without-ending"])
  func converted(name: String) throws {
    try sample.folder.write(features(rows), to: "in.geojson")
    func convert(_ arguments: String...) throws {
      try InstalledGDAL.run("ogr2ogr", arguments, in: sample.folder.url)
    }
    func zip(_ files: [(String, String)]) throws {
      let members = try files.map { PackedSample.Member($0.0, try sample.folder.bytes($0.1)) }
      let picture = PackedSample.Member("files/a.png", PNGEncoder().encode(ImageSample.blots()))
      try sample.write(PackedSample.zip(members + (name == "a.kmz" ? [picture] : [])), to: name)
    }
    switch name {
    case "a.kmz":
      try convert("-f", "KML", "doc.kml", "in.geojson")
      try zip([("doc.kml", "doc.kml")])
    case "Tab.ZIP":
      try convert("-f", "MapInfo File", "p.tab", "in.geojson")
      try zip(["tab", "dat", "map", "id"].map { ("data/P.\($0.uppercased())", "p.\($0)") })
    case "mif.zip":
      try convert("-f", "MapInfo File", "p.mif", "in.geojson")
      try zip(["mif", "mid"].map { ("p.\($0)", "p.\($0)") })
    case "grid.gpkg": try convert("-f", "GPKG", "-t_srs", "EPSG:2056", "grid.gpkg", "in.geojson")
    default:
      try convert("-f", "KML", "doc.kml", "in.geojson")
      try FileManager.default.moveItem(
        atPath: sample.folder.path("doc.kml"), toPath: sample.folder.path(name))
    }
    let draft = try sample.draft(name)
    #expect(try sample.definition(draft).sources.count == 1, "\(draft.text)")
    try expectAlps(draft)
  }

  @Test(
    "a GPX file whose every segment is a single point draws its points",
    .enabled(if: InstalledGDAL.isThere, needsGDAL))
  func segments() throws {
    let segments = rows.map {
      #"<trkseg><trkpt lat="\#($0.y)" lon="\#($0.x)"/></trkseg>"#
    }
    try sample.folder.write(
      #"<?xml version="1.0"?><gpx version="1.1" xmlns="http://www.topografix.com/GPX/1/1"><trk>"#
        + segments.joined() + "</trk></gpx>", to: "walk.gpx")
    try expectAlps(try sample.draft("walk.gpx"))
  }

  // MARK: Images

  @Test("heights of SRTM are placed by their name", .enabled(if: InstalledGDAL.isThere, needsGDAL))
  func heights() throws {
    var bytes: [UInt8] = []
    for row in 0..<1201 {
      for column in 0..<1201 { bytes += [UInt8(row / 20), UInt8(column % 256)] }
    }
    try sample.write(bytes, to: "N46E008.hgt")
    let draft = try sample.draft("N46E008.hgt")
    #expect(draft.text.contains("colorRamp"), "\(draft.text)")
    try expectAlps(draft)
  }

  private func writeGrid(_ type: String, bands: Int, to name: String) throws {
    let values = (0..<40).map { row in
      (0..<40).map { "\(1000 + $0 * 50 + row)" }.joined(separator: " ")
    }
    try sample.folder.write(
      "ncols 40\nnrows 40\nxllcorner 8\nyllcorner 46\ncellsize 0.025\n"
        + values.joined(separator: "\n"),
      to: "a.asc")
    try InstalledGDAL.run(
      "gdal_translate",
      ["-q", "-ot", type, "-a_srs", "EPSG:4326"] + (0..<bands).flatMap { _ in ["-b", "1"] }
        + (bands == 3 ? ["-colorinterp", "red,green,blue"] : []) + ["a.asc", name],
      in: sample.folder.url)
  }

  @Test(
    "colours of sixteen bits are scaled to what most pixels have",
    .enabled(if: InstalledGDAL.isThere, needsGDAL))
  func colors() throws {
    try writeGrid("UInt16", bands: 3, to: "scene.tif")
    let draft = try sample.draft("scene.tif")
    #expect(draft.text.contains("scale: ["), "\(draft.text)")
    try expectAlps(draft)
  }

  @Test(
    "of a NetCDF file of two variables one is drawn, and the draft names the other",
    .enabled(if: InstalledGDAL.isThere, needsGDAL))
  func variables() throws {
    try writeGrid("Float32", bands: 1, to: "rain.tif")
    try writeGrid("Float32", bands: 1, to: "heat.tif")
    try InstalledGDAL.run(
      "gdalbuildvrt", ["-q", "-separate", "both.vrt", "rain.tif", "heat.tif"], in: sample.folder.url
    )
    try InstalledGDAL.run(
      "gdal_translate", ["-q", "-of", "netCDF", "both.vrt", "both.nc"], in: sample.folder.url)
    let draft = try sample.draft("both.nc")
    #expect(
      draft.text.contains("layer: Band1") && draft.text.contains("Others: Band2"), "\(draft.text)")
    try expectAlps(draft)
    let other = try sample.draft("both.nc") { $0.choices.layer = "Band2" }
    #expect(other.text.contains("layer: Band2"))
  }

  // MARK: Tiles

  @Test("tiles without a box have that of the tiles, also packed by zlib and without an ending")
  func tiles() throws {
    let square = TileSample.Feature(
      .polygon, [[(1000, 1000), (3000, 1000), (3000, 3000), (1000, 3000)]])
    let tile = TileSample.tile([TileSample.Layer("lakes", [square])])
    let database = try Database(path: sample.folder.path("city"), mode: .create)
    try database.execute(
      "CREATE TABLE metadata (name TEXT, value TEXT); CREATE TABLE tiles (zoom_level INTEGER, "
        + "tile_column INTEGER, tile_row INTEGER, tile_data BLOB);"
        + "INSERT INTO metadata VALUES ('format', 'pbf')")
    let packed = PackedSample.zlib(tile).map { String(format: "%02X", $0) }.joined()
    for (zoom, column, row) in [(9, 267, 329), (10, 535, 659), (10, 534, 659)] {
      try database.execute("INSERT INTO tiles VALUES (\(zoom), \(column), \(row), X'\(packed)')")
    }
    let draft = try sample.draft("city")
    #expect(draft.text.contains("source-layer: lakes"), "\(draft.text)")
    let definition = try sample.definition(draft)
    let box = try #require(definition.tiles.bounds)
    #expect(abs(box.west - 7.734) < 0.01 && abs(box.east - 8.438) < 0.01, "\(box)")
    #expect((45.8...45.9).contains(box.south) && (46...46.1).contains(box.north), "\(box)")
    #expect(try sample.build(draft).first?.result == .published)
  }
}
