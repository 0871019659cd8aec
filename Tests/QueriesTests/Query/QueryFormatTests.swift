import PipelineSamples
import TestSupport
import Testing
import Tiling

@testable import Queries

/// The forms of a query's answer.
@Suite struct QueryFormatTests {
  /// Geometries of all types and values of all kinds, one feature a line.
  static let features = [
    #"{"type":"Feature","id":1,"geometry":{"type":"Point","coordinates":[1.5,-2e-7]},"properties":{"a":"x, \"y\"","n":0.1}}"#,
    #"{"type":"Feature","geometry":{"type":"MultiPoint","coordinates":[[1,2],[3,4]]},"properties":{"a":"","n":null}}"#,
    #"{"type":"Feature","geometry":{"type":"LineString","coordinates":[[0,0],[1,1]]},"properties":{"a":" b ","b":true}}"#,
    #"{"type":"Feature","geometry":{"type":"MultiLineString","coordinates":[[[0,0],[1,1]],[[2,2],[3,3]]]},"properties":{"c":[1,{"d":null}]}}"#,
    #"{"type":"Feature","geometry":{"type":"Polygon","coordinates":[[[0,0],[4,0],[4,4],[0,4],[0,0]],[[1,1],[1,2],[2,2],[2,1],[1,1]]]},"properties":{"a":"line\nbreak"}}"#,
    #"{"type":"Feature","geometry":{"type":"MultiPolygon","coordinates":[[[[0,0],[1,0],[1,1],[0,0]]],[[[5,5],[6,5],[6,6],[5,5]]]]},"properties":{}}"#,
    #"{"type":"Feature","geometry":{"type":"GeometryCollection","geometries":[{"type":"Point","coordinates":[9,9]},{"type":"LineString","coordinates":[[0,0],[1,1]]}]},"properties":{"n":7}}"#,
    #"{"type":"Feature","id":"ü","geometry":null,"properties":{"n":"7","😀":1e+21}}"#,
  ]

  private func sample(_ lines: [String] = Self.features) throws -> QuerySample {
    try QuerySample(
      [("s", "type: geojsonseq, data: s.jsonl")],
      files: [("s.jsonl", lines.joined(separator: "\n"))])
  }

  /// An answer's lines without the keys, and with the ids of the source.
  private func withoutKeys(_ lines: [String]) -> [String] {
    lines.map {
      $0.replacing(#/,"(key|id)":"[^"]*"/#, with: "").replacing(#/"sourceId":/#, with: #""id":"#)
    }
  }

  @Test("GeoJSON is returned unchanged, on lines or in a collection")
  func geojson() throws {
    let lines = try sample().lines { $0.format = .geojsonseq }
    #expect(withoutKeys(lines) == Self.features)
    let collection = try sample().text()
    #expect(
      collection == #"{"type":"FeatureCollection","features":["# + "\n"
        + lines.joined(separator: ",\n") + "\n]}\n")
    #expect(try sample([]).text() == #"{"type":"FeatureCollection","features":["# + "\n]}\n")
    // The answer is a source again; its features' ids are the keys now.
    let second = try sample(lines).lines { $0.format = .geojsonseq }
    let keys = lines.compactMap { $0.firstMatch(of: #/"id":"([^"]*)"/#)?.1 }
    #expect(second.compactMap { $0.firstMatch(of: #/"sourceId":"([^"]*)"/#)?.1 } == keys)
    #expect(
      withoutKeys(second).map { $0.replacing(#/,"id":"[^"]*"/#, with: "") }
        == Self.features.map { $0.replacing(#/,"id":("[^"]*"|1)/#, with: "") })
    let again = try QuerySample(
      [("s", "type: geojson, data: s.json")], files: [("s.json", collection)])
    #expect(
      try again.text().matches(of: #/"geometry":.*/#).map(\.output)
        == collection.matches(of: #/"geometry":.*/#).map(\.output))
  }

  @Test(
    "rings have the winding order of RFC 7946",
    arguments: [
      ("[[[0,0],[0,4],[4,4],[0,0]]]", "[[[0,0],[4,4],[0,4],[0,0]]]"),
      (
        "[[[0,0],[9,0],[9,9],[0,0]],[[4,1],[5,1],[5,2],[4,1]]]",
        "[[[0,0],[9,0],[9,9],[0,0]],[[4,1],[5,2],[5,1],[4,1]]]"
      ),
      ("[[[1,1],[2,2],[3,3],[1,1]]]", "[[[1,1],[2,2],[3,3],[1,1]]]"),
      ("[[[170,0],[170,9],[190,9],[170,0]]]", "[[[170,0],[190,9],[170,9],[170,0]]]"),
    ])
  func winding(given: String, written: String) throws {
    let sample = try sample([
      #"{"type":"Feature","geometry":{"type":"Polygon","coordinates":\#(given)},"properties":{}}"#
    ])
    #expect(try sample.text().contains("\"coordinates\":\(written)}"))
  }

  @Test("CSV output has a header, quotes where needed, and each kind of geometry")
  func csv() throws {
    let text = try sample().text { $0.format = .csv }
    let expected = [
      "id,lng,lat,wkt,a,n,b,c,😀", #"1,1.5,-2e-7,,"x, ""y""",0.1,,,"#,
      #",,,"MULTIPOINT((1 2),(3 4))","",,,,"#, #",,,"LINESTRING(0 0,1 1)"," b ",,true,,"#,
      #",,,"MULTILINESTRING((0 0,1 1),(2 2,3 3))",,,,"[1,{""d"":null}]","#,
      #",,,"POLYGON((0 0,4 0,4 4,0 4,0 0),(1 1,1 2,2 2,2 1,1 1))","# + "\"line\nbreak\",,,,",
      #",,,"MULTIPOLYGON(((0 0,1 0,1 1,0 0)),((5 5,6 5,6 6,5 5)))",,,,,"#,
      #",,,"GEOMETRYCOLLECTION(POINT(9 9),LINESTRING(0 0,1 1))",,7,,,"#, "ü,,,,,7,,,1e+21",
    ]
    #expect(text == expected.map { $0 + "\r\n" }.joined())
  }

  @Test("the columns of CSV output follow the features, and names stay unique")
  func csvColumns() throws {
    let points = [
      #"{"type":"Feature","geometry":{"type":"Point","coordinates":[1,2]},"properties":{"lng":5,"id":"q"}}"#,
      #"{"type":"Feature","id":3,"geometry":null,"properties":{}}"#,
    ]
    #expect(
      try sample(points).text { $0.format = .csv }
        == "id_2,lng_2,lat,lng,id\r\n,1,2,5,q\r\n3,,,,\r\n")
    #expect(
      try sample(points).text { ($0.format, $0.select) = (.csv, ["id", "lng"]) }
        == "id_2,lng_2,lat,id,lng\r\n,1,2,q,5\r\n3,,,,\r\n")
    #expect(try sample([]).text { $0.format = .csv } == "lng,lat\r\n")
  }

  @Test("clusters have their position in lng and lat, and no property repeats it")
  func clusterPlaces() throws {
    let sample = try QuerySample(
      [("p", "type: csv, data: c.csv, cluster: true")],
      files: [("c.csv", "lng,lat,name\n1,1,a\n1.01,1,b\n50,50,c\n")])
    let lines = try sample.lines { ($0.clusterZoom, $0.format) = (2, .csv) }
    #expect(lines.count == 3 && lines[0].hasPrefix("id,lng,lat,"))
    #expect(!lines[0].contains("lng_2") && lines[0].contains(",name"))
    let cells = try #require(lines.first { $0.contains("true") }).split(separator: ",")
    #expect(try #require(Double(cells[1])).rounded() == 1)
    #expect(!(try sample.text { $0.clusterZoom = 2 }).contains(#""lng""#))
    let selected = try sample.text { ($0.clusterZoom, $0.select) = (2, ["lat"]) }
    #expect(selected.contains(#""properties":{"lat":50}"#))
  }

  @Test("several sources share the columns of CSV output")
  func csvSources() throws {
    let sample = try QuerySample(
      [
        ("a", "type: csv, data: a.csv"),
        ("b", "type: csv, data: b.csv, header: false, columns: [y, x, n]"),
      ],
      files: [("a.csv", "lng,lat,n,m\n1,2,x,01\n"), ("b.csv", "3,4,5\n")])
    #expect(
      try sample.text { $0.format = .csv } == "source,lng,lat,n,m\r\na,1,2,x,01\r\nb,4,3,5,\r\n")
    #expect(
      try sample.text { ($0.format, $0.order) = (.csv, [SortRule("n")].compactMap { $0 }) }
        == "source,lng,lat,n,m\r\nb,4,3,5,\r\na,1,2,x,01\r\n")
  }

  @Test("the answer is the same for CSV, GeoJSON, one feature per line, and record separators")
  func sameAnswers() throws {
    var random = SplitMix64(seed: 12)
    let rows = (0..<300).map { index in
      (
        lng: Double(random.below(3600)) / 10 - 180, lat: Double(random.below(1600)) / 10 - 80,
        name: ["Bär", "a", "b\"c", "10", ""][random.below(5)],
        rooms: random.below(3) == 0 ? nil : random.below(9)
      )
    }
    let csv = rows.map { row in
      let name = row.name.isEmpty ? "" : "\"\(row.name.replacing("\"", with: "\"\""))\""
      return "\(row.lng),\(row.lat),\(name),\(row.rooms.map { "\($0)" } ?? "")"
    }
    let json = rows.map { row in
      let name = row.name.isEmpty ? "null" : "\"\(row.name.replacing("\"", with: "\\\""))\""
      // The text 10 is a number in a CSV file.
      return """
        {"type":"Feature","geometry":{"type":"Point","coordinates":[\(row.lng),\(row.lat)]},\
        "properties":{"name":\(row.name == "10" ? "10" : name),\
        "rooms":\(row.rooms.map { "\($0)" } ?? "null")}}
        """
    }
    let files: [(keys: String, text: String)] = [
      ("type: csv", "lng,lat,name,rooms\n" + csv.joined(separator: "\n")),
      (
        "type: geojson",
        #"{"type":"FeatureCollection","features":["# + json.joined(separator: ",") + "]}"
      ),
      ("type: geojsonseq", json.joined(separator: "\n")),
      ("type: geojsonseq", json.map { "\u{1E}\($0)\n" }.joined()),
    ]
    let samples = try files.map { file in
      try QuerySample([("s", "\(file.keys), data: s.dat")], files: [("s.dat", file.text)])
    }
    let queries: [(inout QueryOptions) -> Void] = [
      { _ in }, { $0.whereText = "rooms > 3 AND name >= 'a'" }, { $0.whereText = "name = 10" },
      { $0.bounds = GeoBounds("-50,-20,70,40") }, { $0.format = .csv },
      { $0.order = [SortRule("rooms:desc"), SortRule("name")].compactMap { $0 } },
      { ($0.format, $0.limit) = (.geojsonseq, 17) }, { $0.countsOnly = true },
    ]
    for query in queries {
      let answers = try samples.map { try $0.text(query) }
      #expect(Set(answers).count == 1)
      #expect(answers[0].utf8.count > 1)
    }
  }
}
