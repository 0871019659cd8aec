import DefinitionSamples
import Features
import Foundation
import Pipeline
import PipelineSamples
import SQLite
import Styling
import TestSupport
import Testing
import Tiling

@testable import Definition
@testable import Drafts
@testable import Ingest
@testable import Reports
@testable import Runs

@Suite("A drafted pipeline") struct PipelineDraftTests {
  private let sample: DraftSample

  init() throws { sample = try DraftSample() }

  /// Builds a draft and expects every record in it, with no note by which a layer draws nothing.
  private func expectBuilt(_ draft: PipelineDraft, records: [Int]) throws {
    let reports = try sample.build(draft)
    let report = try #require(reports.first)
    #expect(report.result == .published)
    #expect(report.sources.map(\.ledger.used) == records, "\(draft.text)")
    #expect(report.notes.isEmpty, "\(report.notes)")
  }

  private func kinds(_ definition: PipelineDefinition) -> [String] {
    definition.layers.map(\.type.rawValue)
  }

  @Test("many points of a CSV file become clusters with numbers, names and taps")
  func clusters() throws {
    try sample.writeShops(5200)
    let draft = try sample.draft("shops.csv")
    let definition = try sample.definition(draft)
    let records = try #require(definition.sources.first?.records)
    #expect(records.cluster?.method == .bubble(gap: 2) && records.id == "shop_id")
    #expect(kinds(definition) == ["circle", "circle", "symbol", "symbol"])
    #expect(definition.tiles.interactivity?.fields == ["name", "sales", "shop_id"])
    #expect((10...16).contains(definition.tiles.maxZoom))
    #expect(
      draft.text.hasPrefix("# shops: 5,200 points; columns: shop_id, name, lng, lat, sales.\n"))
    try expectBuilt(draft, records: [5200])
  }

  @Test("few points with a number become circles of five classes")
  func classes() throws {
    try sample.writeShops(120)
    let definition = try sample.definition(try sample.draft("shops.csv"))
    #expect(definition.sources.first?.records?.cluster == nil)
    let color = try #require(definition.layers.first?.paint.first { $0.key == "circle-color" })
    #expect(color.node.items?.first?.text == "step" && color.node.items?.count == 11)
    #expect(color.node.items?[1].items?.last?.text == "sales")
    // Sales are amounts: their bubbles grow with the value.
    let radius = try #require(definition.layers.first?.paint.first { $0.key == "circle-radius" })
    #expect("\(radius.node.propertyValue)".contains("sqrt"))
    try expectBuilt(sample.draft("shops.csv"), records: [120])
  }

  @Test("delimiter, encoding, decimal names and headers are found in the data")
  func tables() throws {
    let latin =
      "Name;Breitengrad;Längengrad;Einwohner\nMünchen;48.14;11.58;1488000\n"
      + "Köln;50.94;6.96;1084000\nZürich;47.37;8.54;434000\nGörlitz;51.15;14.98;56000\n"
    try sample.write(
      latin.unicodeScalars.map { UInt8(truncatingIfNeeded: $0.value) }, to: "orte.csv")
    let definition = try sample.definition(try sample.draft("orte.csv"))
    let options = try #require((definition.sources.first?.records?.format as? CSVSource)?.options)
    #expect(options.delimiter == UInt8(ascii: ";") && options.encoding == .latin1)
    #expect(options.x == "Längengrad" && options.y == "Breitengrad")
    try expectBuilt(sample.draft("orte.csv"), records: [4])

    let rows = (0..<30).map {
      "\(100.5 + Double($0) / 10)\t\(40.25 - Double($0) / 10)\tplace \($0)"
    }
    try sample.folder.write(rows.joined(separator: "\n"), to: "plain.tsv")
    let plain = try sample.draft("plain.tsv")
    #expect(plain.text.contains("columns: [lng, lat, column_3]"))
    try expectBuilt(plain, records: [30])

    let wide =
      "\u{FEFF}Ort,lon,lat\n" + (0..<9).map { "Ört \($0),\(10 + $0),\(50 - $0)\n" }.joined()
    try sample.write(wide.utf16.flatMap { [UInt8($0 & 255), UInt8($0 >> 8)] }, to: "wide.csv")
    let utf16 = try sample.draft("wide.csv")
    #expect(try sample.definition(utf16).layers.last?.type == .symbol)
    try expectBuilt(utf16, records: [9])
  }

  @Test(
    "a draft says above its encoding that it is a guess, with the words in both that are likely")
  func unsureEncoding() throws {
    // One Korean name in EUC-KR, whose letters are Chinese ones in others.
    let name: [UInt8] = [0xBC, 0xAD, 0xBF, 0xEF, 0xBF, 0xAA]
    try sample.write(
      Array("name,lat,lng\n".utf8) + name + Array(",37.55,126.97\n".utf8), to: "seoul.csv")
    let text = try sample.draft("seoul.csv").text
    let lines = text.split(separator: "\n")
    let place = try #require(lines.firstIndex { $0.contains("encoding:") })
    #expect(lines[place - 1].contains("# That is not sure: in "), "\(text)")
    #expect(lines[place - 1].split(separator: "'").count == 5, "the words in two encodings")
  }

  @Test("exchanged columns, words for null and broken records are settled as 'check' advises")
  func findings() throws {
    var rows = (0..<200).map { row in
      "\(30 + row % 10).5|\(100 + row % 30).25|\(row % 17 == 0 ? "N/A" : "\(row * 7 % 90).5")"
    }
    rows[50] = "broken|row|1"
    try sample.folder.write("x|y|mag\n" + rows.joined(separator: "\n"), to: "swapped.csv")
    let draft = try sample.draft("swapped.csv")
    let definition = try sample.definition(draft)
    let records = try #require(definition.sources.first?.records)
    let options = try #require((records.format as? CSVSource)?.options)
    #expect(options.x == "y" && options.y == "x" && options.nullValues == ["N/A"])
    #expect(records.maxErrors == 1)
    // Records without a number have a colour of their own.
    #expect(draft.text.contains("typeof") && draft.text.contains(DraftPalette.none))
    try expectBuilt(draft, records: [199])
  }

  @Test("polygons of GeoJSON get classes, outlines and names")
  func polygons() throws {
    try sample.writeDistricts()
    let draft = try sample.draft("districts.geojson")
    let definition = try sample.definition(draft)
    #expect(kinds(definition) == ["fill", "line", "symbol"])
    #expect(definition.tiles.minZoom > 0)
    // An area of several parts, such as islands, has one name.
    #expect(draft.text.contains("symbol-parts: largest"))
    #expect(draft.text.contains("[==, ") == false && draft.text.contains(#"["==", [typeof"#))
    try expectBuilt(draft, records: [36])
  }

  @Test("lines of a GeoJSON sequence get colours by their kind")
  func lines() throws {
    try sample.writeRoads()
    let draft = try sample.draft("roads.geojsonl")
    let definition = try sample.definition(draft)
    #expect(definition.sources.first?.type == "geojsonseq")
    #expect(kinds(definition) == ["line"] && draft.text.contains("[match, [get, class]"))
    try expectBuilt(draft, records: [24])
  }

  @Test("a file whose name says nothing is read as what it is")
  func unnamed() throws {
    try sample.writeRoads()
    try sample.writeDistricts()
    for (from, to, type) in [
      ("roads.geojsonl", "a.dat", "geojsonseq"), ("districts.geojson", "b.dat", "geojson"),
      ("districts.geojson", "c.csv", "geojson"),
    ] {
      try sample.write(try sample.folder.bytes(from), to: to)
      #expect(try sample.definition(try sample.draft(to)).sources.first?.type == type)
    }
  }

  @Test("points, lines and areas of one file get layers of their own")
  func mixed() throws {
    try sample.folder.write(
      """
      {"type": "FeatureCollection", "features": [
        {"type": "Feature", "properties": {"name": "Tower"},
         "geometry": {"type": "Point", "coordinates": [8, 48]}},
        {"type": "Feature", "properties": {"name": "Wood"}, "geometry": {"type": "Polygon",
         "coordinates": [[[8, 48], [8.1, 48], [8.1, 48.1], [8, 48]]]}},
        {"type": "Feature", "properties": {"name": "Path"},
         "geometry": {"type": "LineString", "coordinates": [[8, 48], [8.2, 48.2]]}}]}
      """, to: "mixed.json")
    let draft = try sample.draft("mixed.json")
    let definition = try sample.definition(draft)
    #expect(kinds(definition) == ["fill", "line", "line", "circle", "symbol", "symbol"])
    #expect(definition.layers.allSatisfy { $0.filter != nil })
    try expectBuilt(draft, records: [3])
  }

  @Test("each table of a GeoPackage becomes a source, tiles below features")
  func geoPackage() throws {
    let database = try Database(path: sample.folder.path("store.gpkg"), mode: .create)
    try database.execute(
      TileTable.base + TileTable.features + TileTable.tiles("pics", TileTable.quarters))
    let draft = try sample.draft("store.gpkg")
    let definition = try sample.definition(draft)
    #expect(definition.sources.map(\.type) == ["image", "gpkg"])
    #expect(kinds(definition) == ["raster", "circle", "symbol"])
    #expect(try sample.build(draft).first?.result == .published)
  }

  @Test("an image is placed by its world file, in metres or degrees, or by the given box")
  func images() throws {
    try sample.writeImage("photo.png")
    #expect(throws: PipelineError.self) { try sample.draft("photo.png") }
    let given = try sample.draft("photo.png") {
      $0.bounds = .init(west: 8, south: 47, east: 9, north: 48)
    }
    #expect(given.text.contains("bounds: [8, 47, 9, 48]"))
    try sample.folder.write("0.1\n0\n0\n-0.1\n8.05\n47.95\n", to: "photo.pgw")
    let degrees = try sample.draft("photo.png")
    #expect(degrees.text.contains("projection: equirectangular"))
    #expect(try sample.build(degrees).first?.result == .published)
    try sample.folder.write("1000\n0\n0\n-1000\n900000\n6000000\n", to: "photo.pgw")
    let metres = try sample.draft("photo.png") { $0.choices.crs = "EPSG:3857" }
    #expect(metres.text.contains("projection: mercator"))
    // 60 px of 1 km are a pixel each where the world has 40,075 px: between zoom 7 and 8.
    #expect(try sample.definition(metres).tiles.maxZoom == 8)
  }

  @Test(
    "metres of a world file are Web Mercator only where nothing else is as likely",
    arguments: [
      ("32", "691000", "5335000", false), ("1", "2600000", "1200000", false),
      ("5", "650000", "6860000", false), ("10", "4321000", "3210000", false),
      ("100", "-500000", "-1100000", false), ("10", "32691000", "5335000", false),
      // The pixels of zoom 10 and 12, and California.
      ("152.8740565703525", "1280000", "6130000", true),
      ("38.21851414258813", "-100", "6500000", true), ("30", "-13600000", "4500000", true),
    ])
  func metresOfWorldFiles(pixel: String, x: String, y: String, isKnown: Bool) throws {
    try sample.writeImage("photo.png")
    try sample.folder.write("\(pixel)\n0\n0\n-\(pixel)\n\(x)\n\(y)\n", to: "photo.pgw")
    guard isKnown else {
      let error = #expect(throws: PipelineError.self) { try sample.draft("photo.png") }
      #expect(error?.code == .missingInput && error?.message.contains("--crs EPSG:") == true)
      #expect(error?.message.contains("EPSG:3857") == !x.hasPrefix("326"))
      // A pipeline that says nothing is built, and the assumption is said.
      guard !x.hasPrefix("326") else { return }
      for (key, notes) in [("", 1), ("projection: mercator, ", 0)] {
        let definition = try PipelineDefinition(
          document(
            """
            version: 1
            sources: {photo: {type: image, \(key)url: photo.png}}
            layers: [{id: a, type: raster, source: photo}]
            tiles: {minzoom: 18, maxzoom: 18}
            """, file: sample.folder.path("map.yml")))
        let report = try PipelineRunner.build(
          definition, options: BuildOptions(), cancellation: Cancellation(), progress: { _ in })
        #expect(report[0].notes.filter { $0.contains("Web Mercator") }.count == notes)
      }
      return
    }
    #expect(try sample.draft("photo.png").text.contains("projection: mercator"))
  }

  @Test("frames in metres of a system that is not the map's are refused, with what helps")
  func seriesInMetres() throws {
    for hour in ["06", "07"] { try sample.writeImage("rain/radar-20140119T\(hour)00Z.png") }
    try sample.folder.write(
      "10\n0\n0\n-10\n691000\n5335000\n", to: "rain/radar-20140119T0600Z.pgw")
    let unknown = #expect(throws: PipelineError.self) { try sample.draft("rain") }
    #expect(unknown?.message.contains("--crs EPSG:") == true)
    let zone = #expect(throws: PipelineError.self) {
      try sample.draft("rain") { $0.choices.crs = "EPSG:25832" }
    }
    #expect(zone?.code == .usage && zone?.message.contains("--bounds") == true)
  }

  @Test("a folder of images with times in their names becomes a series")
  func series() throws {
    for hour in ["06", "07", "08"] { try sample.writeImage("rain/radar-20140119T\(hour)00Z.png") }
    try sample.folder.write(
      "1000\n0\n0\n-1000\n900000\n6000000\n", to: "rain/radar-20140119T0600Z.pgw")
    let draft = try sample.draft("rain") { $0.choices.crs = "epsg:3857" }
    let definition = try sample.definition(draft)
    #expect(definition.hasSeries && draft.text.contains("%Y%m%dT%H%MZ"))
    let reports = try sample.build(draft)
    #expect(reports.allSatisfy { $0.result == .published } && !reports.isEmpty)
  }

  @Test("several files are drawn in the order of images, areas, lines, points and labels")
  func severalFiles() throws {
    try sample.writeShops(5200)
    try sample.writeDistricts()
    try sample.writeRoads()
    let draft = try sample.draft("shops.csv", "roads.geojsonl", "districts.geojson")
    let definition = try sample.definition(draft)
    #expect(definition.sources.map(\.name) == ["shops", "roads", "districts"])
    #expect(
      definition.layers.map(\.id) == [
        "districts-fill", "districts-outline", "roads-line", "shops-point", "shops-cluster",
        "shops-name", "districts-name", "shops-count",
      ])
    try expectBuilt(draft, records: [5200, 24, 36])
    let again = try sample.draft("shops.csv", "roads.geojsonl", "districts.geojson")
    #expect(again.text == draft.text)
  }

  @Test("paths are relative to the pipeline file")
  func paths() throws {
    try sample.writeShops(10)
    let draft = try sample.draft("shops.csv", pipeline: "maps/city/map.yml")
    #expect(draft.text.contains(#"data: "../../shops.csv""#))
    let paths = DraftPaths(pipeline: "/tmp/x/map.yml", current: "/home/me")
    #expect(paths.spelled("data/a.csv") == "/home/me/data/a.csv")
    #expect(DraftPaths(pipeline: "m.yml", current: "/home/me").spelled("../b.csv") == "../b.csv")
  }

  @Test(
    "what cannot be drafted is refused with the words of 'check'",
    arguments: [
      ("name,age\nAnn,3\nBob,4\n", "No column looks like coordinates"),
      ("%PDF-1.4 of a map", "PDF"), ("<!doctype html><p>no", "web page"),
      ("name,lng,lat\n", "not a single record"), ("[1, 2, 3]", "JSON array"),
    ])
  func refusals(text: String, words: String) throws {
    try sample.folder.write(text, to: "x.csv")
    do {
      let draft = try sample.draft("x.csv")
      Issue.record("\(draft.text)")
    } catch let error as PipelineError {
      #expect("\(error)".lowercased().contains(words.lowercased()), "\(error)")
      #expect(error.code != .bug, "\(error)")
    }
  }

  @Test("names of columns that YAML or variables would change are written so that they stay")
  func hostileNames() throws {
    let names = ["yes", "${HOME}", "a: b", "#c", "x\u{2028}y", "\u{7F}", "'", "- d", "null"]
    let header = names.map { "\"\($0)\"" }.joined(separator: ",")
    let rows = (0..<12).map { row in
      "\(row),\(row)," + names.indices.map { "t\($0 * row)" }.joined(separator: ",")
    }
    try sample.folder.write("lng,lat,\(header)\n" + rows.joined(separator: "\n"), to: "odd.csv")
    let definition = try sample.definition(try sample.draft("odd.csv"))
    #expect(Set(definition.tiles.interactivity?.fields ?? []) == Set(names))
  }
}
