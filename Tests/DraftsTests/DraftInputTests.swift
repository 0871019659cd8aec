import DefinitionSamples
import Features
import Foundation
import PNG
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

@Suite("Drafts of packed and remote data") struct DraftInputTests {
  private let sample: DraftSample

  init() throws { sample = try DraftSample() }

  private func used(_ draft: PipelineDraft) throws -> [Int] {
    let report = try #require(try sample.build(draft).first)
    #expect(report.result == .published)
    return report.sources.map(\.ledger.used)
  }

  @Test("a packed table is drafted as it would be unpacked")
  func gzip() throws {
    try sample.writeShops(120)
    let plain = try sample.draft("shops.csv")
    try sample.write(PackedSample.gzip(try sample.folder.bytes("shops.csv")), to: "shops.csv.gz")
    let packed = try sample.draft("shops.csv.gz")
    #expect(packed.text == plain.text.replacingOccurrences(of: "shops.csv", with: "shops.csv.gz"))
    #expect(try used(packed) == [120])
  }

  @Test("a zip file's members become a source each, besides what is no data")
  func zip() throws {
    try sample.writeShops(50)
    try sample.writeDistricts()
    let shops = try sample.folder.bytes("shops.csv")
    try sample.write(
      PackedSample.zip([
        .init("readme.md", Array("text".utf8)), .init("b/shops.csv", shops),
        .init("__MACOSX/b/._shops.csv", [0, 5]),
        .init("a/districts.geojson", try sample.folder.bytes("districts.geojson")),
      ]), to: "city.zip")
    let draft = try sample.draft("city.zip")
    #expect(try sample.definition(draft).sources.map(\.name) == ["districts", "shops"])
    #expect(draft.text.contains("city.zip/b/shops.csv"))
    #expect(try used(draft) == [36, 50])

    let one = try sample.draft("city.zip/b/shops.csv")
    #expect(try used(one) == [50])
    #expect(PipelineDraft.Request.pipelineName(of: [sample.folder.path("city.zip")]) == "city.yml")
    #expect(PipelineDraft.Request.pipelineName(of: ["data/roads.csv.gz"]) == "roads.yml")
  }

  @Test(
    "a zip file with a name that leads out of its folder is refused",
    arguments: ["../../evil.csv", "/etc/evil.csv", "a/../../evil.geojson", "c:evil.csv"])
  func unsafeZip(_ name: String) throws {
    try sample.writeShops(50)
    let shops = try sample.folder.bytes("shops.csv")
    try sample.write(
      PackedSample.zip([.init("shops.csv", shops), .init(name, shops)]), to: "city.zip")
    let error = #expect(throws: PipelineError.self) { try sample.draft("city.zip") }
    #expect(error?.exitCode == 65 && error?.message.contains(name) == true)
  }

  @Test(
    "a table of a spreadsheet is drafted: with sep=;, below titles, beside a text in a zip file")
  func spreadsheet() throws {
    let rows = (0..<30).map { "n\($0);\(8 + Double($0) / 8);\(48 + Double($0) / 16)\n" }.joined()
    try sample.folder.write("sep=;\nname;lng;lat\n" + rows, to: "sep.csv")
    let declared = try sample.draft("sep.csv")
    #expect(!declared.text.contains("delimiter") && !declared.text.contains("skip"))
    #expect(try used(declared) == [30])

    try sample.folder.write("Shops\nof May\n\nname;lng;lat\n" + rows, to: "titles.csv")
    let titled = try sample.draft("titles.csv")
    #expect(titled.text.contains("skip: 3") && titled.text.contains("delimiter: \";\""))
    #expect(try used(titled) == [30])

    try sample.write(
      PackedSample.zip([
        .init("README.txt", Array("What is in here: shops.\n".utf8)),
        .init("shops.csv", Array("sep=;\nname;lng;lat\n\(rows)".utf8)),
      ]), to: "shops.zip")
    #expect(try used(try sample.draft("shops.zip")) == [30])
  }

  @Test("NUL bytes at the end of a table become no record of its draft")
  func unfinished() throws {
    let rows = (0..<30).map { "n\($0),\(8 + Double($0) / 8),\(48 + Double($0) / 16)\n" }.joined()
    try sample.folder.write(
      "name,lng,lat\n" + rows + String(repeating: "\0", count: 500), to: "cut.csv")
    let draft = try sample.draft("cut.csv")
    #expect(!draft.text.contains("missingFields") && draft.text.contains("onError: {max: 1}"))
    #expect(try used(draft) == [30])
  }

  @Test("a packed GeoPackage is unpacked to list its tables")
  func geoPackage() throws {
    let database = try Database(path: sample.folder.path("store.gpkg"), mode: .create)
    try database.execute(TileTable.base + TileTable.features)
    try sample.write(PackedSample.gzip(try sample.folder.bytes("store.gpkg")), to: "kept.gpkg.gz")
    try FileManager.default.removeItem(atPath: sample.folder.path("store.gpkg"))
    let draft = try sample.draft("kept.gpkg.gz")
    #expect(try sample.definition(draft).sources.map(\.type) == ["gpkg"])
    #expect(try sample.build(draft).first?.result == .published)
  }

  @Test("a packed image is placed by the world file beside it")
  func image() throws {
    try sample.write(PackedSample.gzip(PNGEncoder().encode(ImageSample.blots())), to: "a.png.gz")
    try sample.folder.write("1\n0\n0\n-1\n1\n2\n", to: "a.pgw")
    let draft = try sample.draft("a.png.gz")
    #expect(draft.text.contains("projection: equirectangular"))
    #expect(try sample.build(draft).first?.result == .published)
  }

  @Test("data behind a url is fetched once, and the pipeline keeps the url")
  func remote() throws {
    try sample.writeShops(30)
    let body = PackedSample.gzip(try sample.folder.bytes("shops.csv"))
    let server = try LocalServer { _, connection in
      _ = connection.send(
        Array("HTTP/1.1 200 OK\r\nContent-Length: \(body.count)\r\nConnection: close\r\n\r\n".utf8)
          + body)
    }
    let url = server.url("/open/shops.csv.gz?year=2026")
    var request = PipelineDraft.Request(
      files: [url], pipeline: sample.folder.path("map.yml"), currentFolder: sample.folder.url.path)
    request.archive = "map.mbtiles"
    let draft = try PipelineRunner.draft(
      request, cancellation: Cancellation(), progress: { _ in })
    #expect(server.requests.count == 1)
    #expect(draft.text.contains(url) && draft.text.contains("  shops:\n"))
    #expect(try used(draft) == [30])
  }

  @Test("identifiers and the sizes of shapes are no measures, and degrees are preferred to metres")
  func columns() throws {
    let rows = (0..<40).map { row in
      "\(row + 2),\(17_001 + 2 * row),0.\(10 + row),\(row * 37 % 61).5,"
        + "\(900_000 + row),\(1_000_000 + row),\(40.25 + Double(row) / 10),\(-80.5 - Double(row) / 10)"
    }
    try sample.folder.write(
      "CITY_,FIPSNO,AREA,HOVAL,X,Y,Latitude,Longitud\n" + rows.joined(separator: "\n"),
      to: "census.csv")
    let draft = try sample.draft("census.csv")
    #expect(draft.text.contains("Coloured by 'HOVAL'"))
    #expect(draft.text.contains("x: Longitud"))
    #expect(try used(draft) == [40])
  }

  @Test(
    "heights in UTM are drafted with a colour ramp over their range",
    .enabled(if: InstalledGDAL.isThere, Comment(rawValue: InstalledGDAL.comment)))
  func heights() throws {
    let rows = (0..<60).map { row in
      (0..<80).map { $0 < 5 ? "-9999" : "\($0 * 10 + row)" }.joined(separator: " ")
    }
    try sample.folder.write(
      "ncols 80\nnrows 60\nxllcorner 500000\nyllcorner 5500000\ncellsize 5000\nNODATA_value -9999\n"
        + rows.joined(separator: "\n"), to: "heights.asc")
    try InstalledGDAL.run(
      "gdal_translate", ["-a_srs", "EPSG:25832", "-ot", "Float32", "heights.asc", "heights.tif"],
      in: sample.folder.url)
    let draft = try sample.draft("heights.tif")
    #expect(draft.text.contains("type: image"), "\(draft.text)")
    // About the least and the greatest height that is not missing.
    #expect(draft.text.contains("Colours of heights, from 50 to 850."), "\(draft.text)")
    #expect(draft.choices == ["heights: chosen: colours of heights, from 50 to 850."])
    let report = try #require(sample.build(draft).first)
    #expect(report.result == .published)
  }

  @Test(
    "--crs names the system of grids and of images with a world file, which ask for it otherwise",
    .enabled(if: InstalledGDAL.isThere, Comment(rawValue: InstalledGDAL.comment)),
    arguments: ["dhm.asc", "bare.tif", "scan.png"])
  func systems(name: String) throws {
    let grid = "500 510\n505 515\n"
    try sample.folder.write(
      "ncols 2\nnrows 2\nxllcorner 2600000\nyllcorner 1200000\ncellsize 25\n" + grid,
      to: "dhm.asc")
    try InstalledGDAL.run(
      "gdal_translate", ["-q", "-ot", "Float32", "dhm.asc", "bare.tif"], in: sample.folder.url)
    try sample.writeImage("scan.png")
    try sample.folder.write("25\n0\n0\n-25\n2600000\n1200000\n", to: "scan.pgw")
    let error = #expect(throws: PipelineError.self) { try sample.draft(name) }
    #expect(error?.message.contains("--crs EPSG:") == true, "\(error?.message ?? "")")
    let draft = try sample.draft(name) { $0.choices.crs = "EPSG:2056" }
    let definition = try sample.definition(draft)
    #expect(definition.sources[0].node["crs"]?.text == "EPSG:2056", "\(draft.text)")
    let report = try #require(sample.build(draft).first)
    #expect(report.result == .published)
    // The middle of the Swiss grid is near Bern.
    let archive = try Database(path: report.archive.path, mode: .readOnly)
    let bounds = try #require(
      try archive.text("SELECT value FROM metadata WHERE name = 'bounds'")
    ).split(separator: ",").compactMap { Double($0) }
    #expect(bounds.count == 4 && abs(bounds[0] - 7.44) < 0.1 && abs(bounds[1] - 46.95) < 0.1)
  }

  @Test(
    "bands that are no colours are drafted as the first of them, with its values",
    .enabled(if: InstalledGDAL.isThere, Comment(rawValue: InstalledGDAL.comment)))
  func steps() throws {
    try sample.folder.write(
      "ncols 2\nnrows 2\nxllcorner 8\nyllcorner 48\ncellsize 0.1\n500 510\n505 515\n",
      to: "a.asc")
    for (count, type) in [(3, "Float32"), (5, "Float32"), (3, "Byte")] {
      let bands = (0..<count).flatMap { _ in ["-b", "1"] }
      try InstalledGDAL.run(
        "gdal_translate",
        ["-q", "-ot", type, "-a_srs", "EPSG:4326"] + bands + ["a.asc", "steps.tif"],
        in: sample.folder.url)
      let draft = try sample.draft("steps.tif")
      #expect(draft.text.contains("bands: [1]") && draft.text.contains("The first of \(count)"))
      #expect(draft.text.contains("colorRamp") == (type != "Byte"))
      #expect(try sample.build(draft).first?.result == .published)
    }
  }

  @Test(
    "shapefiles without a reference system are read as degrees, zipped ones in any order",
    .enabled(if: InstalledGDAL.isThere, Comment(rawValue: InstalledGDAL.comment)))
  func shapefiles() throws {
    try sample.writeDistricts()
    try InstalledGDAL.run(
      "ogr2ogr", ["bare.shp", "districts.geojson", "-lco", "ENCODING=UTF-8"], in: sample.folder.url)
    let endings = ["cpg", "dbf", "prj", "shp", "shx"]
    try sample.write(
      PackedSample.zip(
        try endings.map { .init("in/bare.\($0)", try sample.folder.bytes("bare.\($0)")) }),
      to: "zipped.zip")
    let zipped = try sample.draft("zipped.zip")
    #expect(!zipped.text.contains("crs:") && zipped.text.contains("type: ogr"))
    #expect(try used(zipped) == [36])
    try FileManager.default.removeItem(atPath: sample.folder.path("bare.prj"))
    let bare = try sample.draft("bare.shp")
    #expect(bare.text.contains("EPSG:4326"))
    #expect(try used(bare) == [36])

    try InstalledGDAL.run(
      "ogr2ogr", ["metres.shp", "districts.geojson", "-t_srs", "EPSG:25832"], in: sample.folder.url)
    try FileManager.default.removeItem(atPath: sample.folder.path("metres.prj"))
    let error = #expect(throws: PipelineError.self) { try sample.draft("metres.shp") }
    #expect(error?.message.contains("reference system") == true, "\(error?.message ?? "")")
  }

  // MARK: Folders and packed tables

  @Test(
    "a public transport feed draws its ways in the colours of their routes, and its stops",
    arguments: ["feed", "feed.zip"])
  func transit(name: String) throws {
    let colors = ["E30613", "008000", "1E3A80", ""]
    let routes = colors.enumerated().map { "R\($0),\($0 + 1),Line \($0),3,\($1)" }
    let trips = (0..<16).map { "R\($0 % 4),T\($0),S\($0 % 8)" }
    let ways = (0..<8).flatMap { way in
      (0..<30).map {
        "S\(way),\(52 + Double(way) / 20 + Double($0) / 800),\(13 + Double($0) / 200),\($0)"
      }
    }
    let stops = (0..<12).map { "\($0),Stop \($0),\(52 + Double($0) / 40),\(13 + Double($0) / 90)" }
    let files = [
      ("shapes.txt", "shape_id,shape_pt_lat,shape_pt_lon,shape_pt_sequence", ways),
      ("trips.txt", "route_id,trip_id,shape_id", trips),
      (
        "routes.txt", "route_id,route_short_name,route_long_name,route_type,route_color", routes
      ), ("stops.txt", "stop_id,stop_name,stop_lat,stop_lon", stops),
      ("agency.txt", "agency_id,agency_name", ["A,X"]),
    ].map { ($0.0, ([$0.1] + $0.2).joined(separator: "\n")) }
    if name == "feed" {
      for (file, text) in files { try sample.write(Array(text.utf8), to: "feed/\(file)") }
    } else {
      try sample.write(
        PackedSample.zip(files.map { .init($0.0, Array($0.1.utf8)) }), to: "feed.zip")
    }
    let draft = try sample.draft(name)
    #expect(try sample.definition(draft).sources.map(\.name) == ["shapes", "stops"])
    #expect(draft.text.contains("line: {by: shape_id, order: shape_pt_sequence}"))
    #expect(
      draft.text.contains(##"line-color: [to-color, [concat, "#", [get, route_color]], "##),
      "\(draft.text)")
    let report = try #require(try sample.build(draft).first)
    #expect(report.sources.map(\.ledger.used) == [240, 12])
    #expect(report.sources[0].ledger.joins.map(\.matched) == [240, 240])
  }

  @Test("the tables of a folder become a source each")
  func folder() throws {
    try sample.writeShops(30)
    try sample.writeDistricts()
    for name in ["shops.csv", "districts.geojson"] {
      try sample.write(try sample.folder.bytes(name), to: "city/\(name)")
    }
    let draft = try sample.draft("city")
    #expect(try sample.definition(draft).sources.map(\.name) == ["districts", "shops"])
    #expect(try used(draft) == [36, 30])
  }

  @Test("a packed table, and a sheet, is joined", arguments: ["a.xlsx", "a.csv.gz", "a.zip"])
  func packedJoin(name: String) throws {
    try sample.writeDistricts()
    let rows = [["Bezirk", "Quote"]] + (0..<36).map { ["District \($0)", "\($0 * 7 % 20).5"] }
    let text = Array(rows.map { $0.joined(separator: ",") }.joined(separator: "\n").utf8)
    switch name {
    case "a.xlsx": try sample.write(SheetSample.workbook([.init("Rates", rows)]), to: name)
    case "a.zip": try sample.write(PackedSample.zip([.init("rates.csv", text)]), to: name)
    default: try sample.write(PackedSample.gzip(text), to: name)
    }
    let draft = try sample.draft(name) {
      $0.choices.join = self.sample.folder.path("districts.geojson")
    }
    #expect(draft.text.contains("data: \(name), ") || draft.text.contains("data: \"\(name)\", "))
    let joins = try #require(try sample.build(draft).first?.sources.first?.ledger.joins)
    #expect(joins.map(\.matched) == [36])
    let named = draft.text.replacing("a.xlsx", with: "a.xlsx/Other")
    guard name == "a.xlsx" else { return }
    let definition = try PipelineDefinition(document(named, file: sample.folder.path("b.yml")))
    let error = #expect(throws: (any Error).self) {
      try PipelineRunner.build(
        definition, options: BuildOptions(), cancellation: Cancellation(), progress: { _ in })
    }
    let words = error.map { "\($0)" } ?? ""
    #expect(words.contains("has no sheet 'Other'"), "\(words)")
  }

  @Test(
    "objects of JSON are a table: answers of services, and the stations of a bike feed with their state",
    arguments: ["api.json", "rows.json", "bikes", "bikes.zip"])
  func objects(name: String) throws {
    let stations = (0..<40).map {
      #"{"station_id":"\#($0)","name":"Station, \#($0)","lat":\#(46 + Double($0) / 40),"lon":\#(8 + Double($0) / 50),"capacity":\#(10 + $0 * 7 % 30),"uris":["x"]}"#
    }
    let states = (0..<41).map {
      #"{"station_id":"\#($0)","num_bikes_available":\#($0 * 11 % 23),"is_renting":true}"#
    }
    func answer(_ items: [String]) -> [UInt8] {
      Array(#"{"ttl":5,"data":{"stations":[\#(items.joined(separator: ",\n"))]}}"#.utf8)
    }
    let feed = [
      ("station_information.json", answer(stations)), ("station_status.json", answer(states)),
      ("gbfs.json", Array(#"{"ttl":5,"data":{"en":{"feeds":[{"name":"x"}]}}}"#.utf8)),
    ]
    switch name {
    case "api.json":
      let rows = (0..<40).map {
        #"{"n":\#($0 * 7 % 31),"at":{"latitude":\#(46 + Double($0) / 40),"longitude":\#(8 + Double($0) / 50)}}"#
      }
      try sample.folder.write("[\(rows.joined(separator: ","))]", to: name)
    case "rows.json":
      let rows = (0..<40).map {
        #"{"n":\#($0 * 7 % 31),"place":{"type":"Point","coordinates":[\#(8 + Double($0) / 50),46.5]}}"#
      }
      try sample.folder.write("[\(rows.joined(separator: ","))]", to: name)
    case "bikes": for (file, bytes) in feed { try sample.write(bytes, to: "bikes/\(file)") }
    default: try sample.write(PackedSample.zip(feed.map { .init($0.0, $0.1) }), to: name)
    }
    let draft = try sample.draft(name)
    #expect(draft.text.contains("type: csv"), "\(draft.text)")
    let report = try #require(try sample.build(draft).first)
    #expect(report.sources.map(\.ledger.used) == [40])
    guard name.hasPrefix("bikes") else { return }
    #expect(
      draft.choices.first?.contains("coloured by 'num_bikes_available', labelled by 'name'") == true
    )
    let joins = report.sources[0].ledger.joins
    #expect(joins.map(\.matched) == [40] && joins.map(\.unused) == [1])
  }
}
