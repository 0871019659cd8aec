import DefinitionSamples
import Examination
import Features
import Foundation
import Pipeline
import PipelineSamples
import Styling
import TestSupport
import Testing

@testable import Definition
@testable import Drafts
@testable import Ingest
@testable import Reports
@testable import Runs

/// What a draft makes of data: which columns are the place, which one leads, how deep the map goes.
@Suite("The judgement of a draft") struct JudgementTests {
  private let sample: DraftSample

  init() throws { sample = try DraftSample() }

  private func draft(
    _ text: String, _ name: String = "a.csv",
    change: (inout PipelineDraft.Request) -> Void = { _ in }
  ) throws -> PipelineDraft {
    try sample.folder.write(text, to: name)
    return try sample.draft(name, change: change)
  }

  private func options(_ draft: PipelineDraft) throws -> CSVOptions {
    try #require(
      (try sample.definition(draft).sources.first?.records?.format as? CSVSource)?.options)
  }

  /// A table of points that are scattered over some degrees.
  private func table(
    _ header: String, count: Int = 200, seed: UInt64 = 3, _ row: (Int, String) -> String
  ) -> String {
    var random = SplitMix64(seed: seed)
    let rows = (0..<count).map { index in
      row(index, "\(random.number(in: 5..<15)),\(random.number(in: 45..<55))")
    }
    return ([header] + rows).joined(separator: "\n")
  }

  // MARK: Places

  @Test(
    "columns called latitude and longitude in any language are the place, decimal commas or not")
  func languages() throws {
    for (y, x) in [
      ("Breitengrad", "Längengrad"), ("Latitud", "Longitud (WGS84)"), ("Latitudine", "Longitudine"),
      ("Szerokość geograficzna", "Długość geograficzna"), ("широта", "долгота"),
      ("緯度", "経度"), ("Breedtegraad", "Lengtegraad"), ("venue_lat", "venue_lon"),
    ] {
      let rows = (0..<30).map {
        "\(51 + $0 % 3),\(17 + $0);\(6 + $0 % 5),\(11 + $0);1.\(200 + $0),5"
      }
      let draft = try draft("\(y);\(x);Umsatz\n" + rows.joined(separator: "\n"))
      let options = try options(draft)
      #expect(options.y == y && options.x == x && options.decimal == .comma, "\(draft.text)")
      #expect(draft.text.contains("[get, Umsatz]"))
    }
  }

  @Test("columns whose names say nothing are a guess that is said, or are refused")
  func guesses() throws {
    func rows(_ x: Double, _ y: Double) -> String {
      let rows = (0..<30).map {
        "p\($0),\(y + Double($0) / 1000),\(x + Double($0) / 500),\($0 % 7).5"
      }
      return "name,c1,c2,note\n" + rows.joined(separator: "\n")
    }
    // Berlin would lie off Oman, and the range decides in Tokyo.
    for (x, y) in [(13.377, 52.516), (139.701, 35.681)] {
      let draft = try draft(rows(x, y))
      #expect(try options(draft).x == "c2" && options(draft).y == "c1")
      #expect(draft.text.contains("# x and y are guesses: "), "\(draft.text)")
      let sources = try sample.build(draft).first?.sources
      #expect(sources?.first?.ledger.used == 30)
    }
    // Warsaw lies on land either way, in Poland and in the desert of Rub al Khali.
    #expect {
      try draft(rows(21.012, 52.229))
    } throws: {
      "\($0)".contains("--x c1 --y c2, or --x c2 --y c1")
    }
    let chosen = try draft(rows(21.012, 52.229)) { ($0.choices.x, $0.choices.y) = ("c2", "c1") }
    #expect(try options(chosen).x == "c2" && options(chosen).y == "c1")
    #expect(!chosen.text.contains("guess"))
    #expect(throws: PipelineError.self) {
      try draft(rows(21.012, 52.229)) { ($0.choices.x, $0.choices.y) = ("nope", "c1") }
    }
  }

  @Test("tables of GeoNames have no names, and their first record stays one")
  func geoNames() throws {
    let rows = (0..<20).map { row in
      [
        "28\(row)", "Ort \(row)", "Ort \(row)", "", "52.5\(row)", "13.4\(row)", "P", "PPL", "DE",
        "",
        "16", "00", "", "", "\(row)00", "", "34", "Europe/Berlin", "2024-01-01",
      ].joined(separator: "\t")
    }
    let draft = try draft(rows.joined(separator: "\n"), "DE.txt")
    #expect(try options(draft).columns?.contains("longitude") == true, "\(draft.text)")
    #expect(draft.text.contains("20 points"))
    let nameless = (0..<20).map { "\($0);a\($0);52.5\($0)1;13.4\($0)1" }
    let guess = try self.draft(nameless.joined(separator: "\n"))
    #expect(try options(guess).x == "column_4" && options(guess).y == "column_3", "\(guess.text)")
    #expect(guess.text.contains("20 points") && guess.text.contains("# x and y are guesses"))
  }

  @Test(
    "two numbers in one column have the order of their form or name, and the draft says which",
    arguments: [
      ("point", "[2.3522,48.8566]", true), ("coordonneesXY", "2.3522, 48.8566", true),
      ("lonlat", "2.3522 48.8566", true), ("latlng", "[48.8566,2.3522]", false),
      ("point", "(48.8566, 2.3522)", false), ("where", "48.8566, 2.3522", false),
    ])
  func pairOrders(name: String, pair: String, isLongitudeFirst: Bool) throws {
    let rows = (0..<20).map { "p\($0);\(pair.replacing("22", with: "\($0 + 10)"))" }
    let draft = try draft("id;\(name)\n" + rows.joined(separator: "\n"))
    let source = try #require(try sample.build(draft).first?.sources.first)
    #expect(source.ledger.used == 20)
    #expect(
      draft.text.contains("is read as \(isLongitudeFirst ? "longitude 2.35" : "latitude 48.8")"),
      "\(draft.text)")
  }

  @Test("a pair in one column is a place only if its name or form says so")
  func pairs() throws {
    let results = try draft(
      table("lon,lat,result,crowd") { "\($1),\"\($0 % 4).5,\($0 % 3).5\",\($0 * 7)" })
    #expect(try options(results).geometry == nil)
    let rows = (0..<20).map { "p\($0);48.8\(10 + $0), 2.3\(10 + $0)" }
    let named = try draft("name;geo_point_2d\n" + rows.joined(separator: "\n"))
    #expect(try options(named).geometry?.name == "geo_point_2d")
    let commas = (0..<20).map { "p\($0);\(50 + $0 % 2),\(10 + $0)" }
    #expect(throws: PipelineError.self) {
      try draft("name;Anteil\n" + commas.joined(separator: "\n"))
    }
  }

  @Test("metres need the name of their system, which the message asks for")
  func metres() throws {
    let text =
      "name,x,y\n"
      + (0..<30).map { "t\($0),\(545_000 + $0).5,\(6_867_000 + $0)" }
      .joined(separator: "\n")
    #expect {
      try draft(text)
    } throws: {
      "\($0)".contains("--crs EPSG:")
    }
    let placed = try draft(text) { $0.choices.crs = "EPSG:3857" }
    #expect(placed.text.contains(#"crs: "EPSG:3857""#))
    let report = try #require(try sample.build(placed).first)
    #expect(report.sources.first?.ledger.used == 30)
  }

  @Test("nested areas are drawn with the small ones on the large ones, whatever the file's order")
  func isochrones() throws {
    let steps = [300, 600, 900, 1200, 1500, 1800]
    func text(_ steps: [Int], _ names: (value: String, other: String)) -> String {
      let features = steps.map { step -> String in
        let side = Double(step) / 10_000
        let ring = [(-1.0, -1.0), (1, -1), (1, 1), (-1, 1), (-1, -1)]
          .map { "[\(8.5 + $0.0 * side), \(47.4 + $0.1 * side)]" }.joined(separator: ", ")
        return """
          {"type": "Feature", "properties": {"\(names.value)": \(step), "\(names.other)": 7},
          "geometry": {"type": "Polygon", "coordinates": [[\(ring)]]}}
          """
      }
      return #"{"type": "FeatureCollection", "features": [\#(features.joined(separator: ","))]}"#
    }
    let small = try draft(text(steps, ("seconds", "group")), "a.geojson")
    #expect(small.text.contains(#"fill-sort-key: ["-", [get, seconds]]"#), "\(small.text)")
    let remaining = try draft(text(steps.map { 2000 - $0 }, ("left", "group")), "b.geojson")
    #expect(!remaining.text.contains("fill-sort-key"))
    let large = try draft(text(steps.reversed(), ("seconds", "group")), "c.geojson")
    #expect(!large.text.contains("fill-sort-key"))
    // Without the key the small ones are hidden, and `check` says so.
    var lines = small.text.split(separator: "\n", omittingEmptySubsequences: false)
    lines.removeAll { $0.contains("fill-sort-key") }
    let plain = lines.joined(separator: "\n").replacing("    layout:\n    paint", with: "    paint")
    let definition = try PipelineDefinition(document(plain, file: sample.folder.path("map.yml")))
    let found = try PipelineRunner.check(
      definition, options: BuildOptions(), cancellation: Cancellation(), progress: { _ in })
    let finding = found.findings.first { $0.kind == .nestedAreas }
    #expect(finding?.count == 5 && finding?.advice.contains("[get, seconds]") == true)
    let kept = try PipelineRunner.check(
      sample.definition(small), options: BuildOptions(), cancellation: Cancellation(),
      progress: { _ in })
    #expect(!kept.findings.contains { $0.kind == .nestedAreas })
  }

  // MARK: Colours

  @Test(
    "the most interesting number or class leads",
    arguments: [
      ("depth,mag,rms", "12.5,4.%,0.1%", "mag"), ("id,type,elevation_ft", "7%,small,%00", "type"),
      ("STATEFP,price,rooms", "2%,1%9,%", "price"), ("Typ,Foo", "A,%.5", "Typ"),
      ("POP2020,error", "%123,0.%", "POP2020"),
    ])
  func lead(columns: String, row: String, expected: String) throws {
    let kinds = ["small", "large", "closed"]
    let draft = try draft(
      table("lon,lat,\(columns)") { index, place in
        let values = row.replacing("%", with: "\(index % 40 + 1)")
          .replacing("small", with: kinds[index % 3]).replacing("A,", with: "\(kinds[index % 3]),")
        return "\(place),\(values)"
      })
    #expect(draft.text.contains("coloured by '\(expected)'"), "\(draft.text)")
  }

  @Test("the size of an area is never shown by its colour, and amounts get a hint of density")
  func sizes() throws {
    let features = (0..<40).map { index -> String in
      let x = 8 + Double(index) / 10
      return """
        {"type": "Feature", "properties": {"Shape_Area": \(index).25, "PERIMETER": \(index).5,
        "AREA": \(index + 1)5, "Einwohner": \(index * index)}, "geometry": {"type": "Polygon",
        "coordinates": [[[\(x), 48], [\(x + 0.1), 48], [\(x), 48.1], [\(x), 48]]]}}
        """
    }
    let draft = try draft(
      #"{"type": "FeatureCollection", "features": [\#(features.joined(separator: ","))]}"#,
      "a.geojson")
    #expect(draft.text.contains("coloured by 'Einwohner'"))
    #expect(draft.text.contains("divide them by the area"))
    #expect(!draft.text.contains("'PERIMETER'") && !draft.text.contains("'Shape_Area'"))
  }

  @Test("the user may choose another column, and a wrong name is refused")
  func choice() throws {
    let text = table("lon,lat,mag,depth") { "\($1),\($0 % 30).5,\($0 % 50)" }
    #expect(
      try draft(text).choices == [
        "a: chosen: coloured by 'mag'. Others: 'depth' (quadrille new FILE --color-by COLUMN)."
      ])
    #expect(try draft(text) { $0.choices.colorBy = "depth" }.text.contains("coloured by 'depth'"))
    #expect(throws: PipelineError.self) { try draft(text) { $0.choices.colorBy = "depht" } }
    // Of several files, those that have the column.
    try sample.writeShops(30)
    let both = try sample.draft("a.csv", "shops.csv") { $0.choices.colorBy = "depth" }
    #expect(both.choices.count == 2 && both.choices[0].contains("'depth'"))
    #expect(both.choices[1].contains("coloured by 'sales'"), "\(both.choices)")
  }

  @Test("amounts are bubbles by their area; many points are clusters, each with its number")
  func bubbles() throws {
    let amounts = try draft(table("lon,lat,population") { "\($1),\(($0 + 1) * 1000)" })
    #expect(amounts.text.contains("sqrt") && amounts.text.contains("circle-sort-key"))
    let many = try draft(table("lon,lat,price", count: 5100) { "\($1),\($0 % 90)" })
    let definition = try sample.definition(many)
    #expect(definition.sources.first?.records?.cluster != nil)
    let count = try #require(definition.layers.last)
    #expect(count.id == "a-count")
    #expect(count.layout.contains { $0.key == "text-allow-overlap" && $0.node.bool == true })
  }

  // MARK: Tracks

  /// Points that wander in small steps.
  private func walk(_ count: Int, seed: UInt64) -> [(x: Double, y: Double)] {
    var random = SplitMix64(seed: seed)
    var (x, y) = (8.0, 48.0)
    return (0..<count).map { _ in
      x += random.number(in: 0..<0.002)
      y += random.number(in: -0.001..<0.002)
      return (x, y)
    }
  }

  @Test("points that follow one another are joined, by the column of tracks if there is one")
  func tracks() throws {
    let single = walk(120, seed: 1).enumerated().map { index, point in
      "2026-05-01T10:\(10 + index / 60):\(10 + index % 50)Z,\(point.y),\(point.x),\(index % 9)"
    }
    let text = "time,lat,lon,speed\n" + single.joined(separator: "\n")
    let track = try draft(text)
    #expect(track.text.contains("line: {order: time}"), "\(track.text)")
    let report = try #require(try sample.build(track).first)
    #expect(report.result == .published)
    #expect(!(try draft(text) { $0.choices.lines = false }.text.contains("line: {")))

    let ships = (0..<3).flatMap { ship in
      walk(40, seed: UInt64(ship + 5)).enumerated().map { index, point in
        "\(367_000_000 + ship),\(index),\(point.y + Double(ship) / 10),\(point.x)"
      }
    }
    let fleet = try draft("MMSI,seq,lat,lon\n" + ships.joined(separator: "\n"))
    #expect(fleet.text.contains("line: {by: MMSI, order: seq}"), "\(fleet.text)")
    #expect(fleet.text.contains("coloured by 'MMSI'"))
  }

  @Test("scattered points with a time stay points")
  func scattered() throws {
    let draft = try draft(
      table("lon,lat,time,mag") { "\($1),2026-05-01T10:10:\(10 + $0 % 50)Z,\($0 % 40).5" })
    #expect(!draft.text.contains("line: {"))
  }

  // MARK: Depth

  @Test("a draft ends where nine of ten points stand alone, a single place at its houses")
  func depth() throws {
    let draft = try draft(table("lon,lat,mag", count: 1500) { "\($1),\($0 % 40).5" })
    #expect((9...10).contains(try sample.definition(draft).tiles.maxZoom))
    let one = try self.draft("name,lat,lon\nHome,52.5,13.4\n")
    #expect(try sample.definition(one).tiles.maxZoom == 15)
  }

  @Test("features with colours of their own, as simplestyle names them, keep these")
  func ownColors() throws {
    let features = (0..<12).map { row in
      """
      {"type": "Feature", "properties": {"name": "P \(row)", "kind": "\(["a", "b", "c"][row % 3])",
       "marker-color": "#ff\(10 + row)00"},
       "geometry": {"type": "Point", "coordinates": [\(row), \(40 + row)]}}
      """
    }
    let text = #"{"type": "FeatureCollection", "features": [\#(features.joined(separator: ","))]}"#
    let own = try draft(text, "a.geojson")
    #expect(own.text.contains("[to-color, [coalesce, [get, marker-color]"), "\(own.text)")
    #expect(
      own.choices.first?.hasPrefix("a: chosen: the features' own colours, labelled by") == true)
    #expect(try sample.build(own).first?.sources.first?.ledger.used == 12)
    let other = try draft(text, "a.geojson") { $0.choices.colorBy = "kind" }
    #expect(!other.text.contains("[get, marker-color]") && other.text.contains("[get, kind]"))
  }

  @Test("lines and areas that cross 0, 0 are no mistakes")
  func crossing() throws {
    let rows = (0..<30).map { row in
      #"{"type": "Feature", "properties": {}, "geometry": {"type": "LineString", "coordinates": "#
        + "[[\(row - 15), 0], [\(row - 14), 0]]}}"
    }
    let draft = try draft(rows.joined(separator: "\n"), "grid.geojsonl")
    #expect(!draft.text.contains("where:"), "\(draft.text)")
    #expect(try sample.build(draft).first?.sources.first?.ledger.used == 30)
  }

  @Test("a draft for tiles on demand is as deep as its places, a baked one as its costs allow")
  func onDemand() throws {
    let text = table("name,lon,lat", count: 3000) { "Town number \($0) with a long name,\($1)" }
    let baked = try sample.definition(try draft(text))
    let live = try sample.definition(try draft(text) { $0.isBaked = false })
    #expect(live.tiles.maxZoom >= baked.tiles.maxZoom)
    #expect(live.layers.contains { $0.id.hasSuffix("-name") })
    // A layer of names that no zoom shows is left out.
    for definition in [baked, live] {
      #expect(definition.layers.allSatisfy { Int($0.minZoom) <= definition.tiles.maxZoom })
    }
  }

  @Test(
    "tracks are trips before vehicles, numbers before names and never types, and days may come first"
  )
  func trackColumns() throws {
    var rows: [String] = []
    for step in 0..<40 {
      for ship in 0..<6 {
        let day = step < 20 ? "30/01/2024" : "02/02/2024"
        rows.append(
          "\(day) \(10 + step % 20 / 4):\(10 + step % 4 * 10):00,Cargo,Anna \(ship),\(219_000_000 + ship),"
            + "T\(ship * 2 + step / 20),\(55 + Double(ship) / 2 + Double(step) / 400),\(8 + Double(step) / 200)"
        )
      }
    }
    // A day-first order that texts do not have.
    let names = [
      "# Timestamp", "Ship type", "Vessel name", "MMSI", "trip_id", "Latitude", "Longitude",
    ]
    func table(without dropped: Int...) -> String {
      let kept = names.indices.filter { !dropped.contains($0) }
      return ([names.joined(separator: ",")] + rows.reversed()).map { line in
        let fields = line.split(separator: ",")
        return kept.map { String(fields[$0]) }.joined(separator: ",")
      }.joined(separator: "\n")
    }
    for (dropped, by) in [([], "trip_id"), ([4], "MMSI"), ([3, 4], "\"Vessel name\"")] {
      let text =
        dropped.count == 2 ? table(without: 3, 4) : dropped.isEmpty ? table() : table(without: 4)
      let draft = try draft(text)
      #expect(
        draft.text.contains("line: {by: \(by), order: \"# Timestamp\"}"), "\(draft.text)")
    }
  }

  @Test(
    "tables of origins and destinations are great circles, as wide as their amount",
    arguments: [
      "from_city,from_lat,from_lon,to_city,to_lat,to_lon,passengers",
      "a,lat1,lon1,b,lat2,lon2,trips", "n,originLat,originLng,m,destLat,destLng,count",
      // The destination first.
      "ziel,dest_lat,dest_lon,start,orig_lat,orig_lon,Anzahl",
    ])
  func connections(header: String) throws {
    let names = header.split(separator: ",").map(String.init)
    let rows = (0..<40).map {
      "A\($0),\(40 + Double($0) / 7),\(-80 - Double($0) / 3),B\($0),\(45 + Double($0) / 9),"
        + "\(5 + Double($0) / 4),\(10 + $0 * 37 % 900)"
    }
    let draft = try draft(([header] + rows).joined(separator: "\n"))
    let isReversed = names[1] == "dest_lat"
    let (x, y) = isReversed ? (names[5], names[4]) : (names[2], names[1])
    let end = isReversed ? (names[2], names[1]) : (names[5], names[4])
    #expect(draft.text.contains("x: \(x)\n    \"y\": \(y)\n"), "\(draft.text)")
    #expect(draft.text.contains("line: {x: \(end.0), \"y\": \(end.1)}"), "\(draft.text)")
    #expect(draft.text.contains("[get, \(names[6])]"), "\(draft.text)")
    #expect(!draft.text.contains("cluster:") && draft.text.contains("line-opacity: 0.6"))
    #expect(try sample.build(draft).first?.sources.first?.ledger.used == 40)
    let points = try self.draft(([header] + rows).joined(separator: "\n")) {
      $0.choices.lines = false
    }
    #expect(!points.text.contains("line:"))
  }

  // MARK: Questions

  @Test("what was not certain is asked, the draft's answer first, and what the user said is not")
  func questions() throws {
    let text = table("c1,c2,kind,price,rent", count: 60) { row, place in
      "\(place),\(["a", "b", "c"][row % 3]),\(row * 37 % 91).5,\(row * 53 % 87).25"
    }
    let draft = try draft(text) { $0.choices.answersQuestions = true }
    #expect(
      draft.questions.map(\.text) == [
        "a: which column is the longitude?", "a: which column decides the colours?",
      ])
    #expect(draft.questions.map { $0.answers.map(\.text) }.last == ["price", "rent", "kind"])
    var choices = PipelineDraft.Choices()
    draft.questions[0].answers[1].choose(&choices)
    draft.questions[1].answers[2].choose(&choices)
    #expect(choices.x == "c2" && choices.y == "c1" && choices.colorBy == "kind")
    let chosen = try self.draft(text) { $0.choices = choices }
    #expect(chosen.questions.isEmpty && chosen.text.contains("x: c2"), "\(chosen.text)")
    #expect(chosen.choices.first?.contains("coloured by 'kind'") == true)
  }
}
