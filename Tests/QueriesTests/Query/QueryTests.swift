import PipelineSamples
import TestSupport
import Testing
import Tiling

@testable import Queries

/// `query`: conditions, order, limits, keys.
@Suite struct QueryTests {
  private let sample: QuerySample

  init() throws {
    sample = try QuerySample(
      [
        ("places", "type: csv, data: places.csv, id: code"),
        ("shapes", "type: geojson, data: shapes.json"),
      ],
      files: [
        (
          "places.csv",
          """
          lng,lat,code,name,rooms
          1,1,a,Alpha,10
          2,2,b,Beta,
          175,3,c,Gamma,30
          ,,d,Nowhere,5
          """
        ),
        (
          "shapes.json",
          """
          {"type": "FeatureCollection", "features": [
          {"type": "Feature", "id": 7, "properties": {"name": "square", "rooms": 20},
           "geometry": {"type": "Polygon", "coordinates": [[[0,0],[0,4],[4,4],[4,0],[0,0]]]}},
          {"type": "Feature", "id": "7", "properties": {"name": "line", "rooms": null},
           "geometry": {"type": "LineString", "coordinates": [[-10,-10],[10,20]]}},
          {"type": "Feature", "properties": {"name": "two", "rooms": "many"},
           "geometry": {"type": "MultiPoint", "coordinates": [[50,50],[3,3]]}},
          {"type": "Feature", "properties": {"name": "twin"}, "geometry": null},
          {"type": "Feature", "properties": {"name": "twin"}, "geometry": null}
          ]}
          """
        ),
      ])
  }

  static let all = [
    "Alpha", "Beta", "Gamma", "Nowhere", "square", "line", "two", "twin", "twin",
  ]

  @Test("a query yields all records of all sources in order, including those without geometry")
  func everything() throws {
    #expect(try sample.names() == Self.all)
    #expect(try sample.names { $0.sources = ["shapes", "places"] } == Self.all)
    #expect(try sample.names { $0.sources = ["places"] } == Array(Self.all.prefix(4)))
    #expect(try sample.text { $0.countsOnly = true } == "9\n")
    #expect(try sample.text { ($0.countsOnly, $0.limit) = (true, 4) } == "4\n")
    for limit in 0...10 {
      #expect(try sample.names { $0.limit = limit } == Array(Self.all.prefix(limit)))
    }
  }

  @Test(
    "a query's box takes what touches it, edges included, and nothing without geometry",
    arguments: [
      ("0,0,3,3", ["Alpha", "Beta", "square", "two"]), ("1,1,2,2", ["Alpha", "Beta", "square"]),
      ("1,1,1,1", ["Alpha", "square"]), ("535,3,535,3", ["Gamma"]), ("170,-10,190,10", ["Gamma"]),
      ("-190,-10,-170,10", ["Gamma"]), ("361,1,362,2", ["Alpha", "Beta", "square"]),
      ("-1,2,1,9", ["square", "line"]),
      ("1,0,2,1", ["Alpha", "square"]), ("3.5,-9,9,0.5", ["square"]),
      ("3,2,4,3", ["square", "two"]), ("170,-10,-170,10", ["Gamma"]),
      ("-180,-90,180,90", ["Alpha", "Beta", "Gamma", "square", "line", "two"]),
      ("4,4,9,5", ["square"]),
      ("-999,-999,999,999", ["Alpha", "Beta", "Gamma", "square", "line", "two"]),
    ])
  func bounds(box: String, expected: [String]) throws {
    #expect(try sample.names { $0.bounds = GeoBounds(box) } == expected)
  }

  @Test(
    "all conditions of a query must hold",
    arguments: [
      ("rooms > 5", nil, nil, ["Alpha", "Gamma", "square"]),
      ("rooms > 5", #"["<", ["get", "rooms"], 30]"#, nil, ["Alpha", "square"]),
      (nil, #"["==", "$type", "LineString"]"#, nil, ["line"]),
      ("name LIKE '%a%'", nil, "0,0,3,3", ["Alpha", "Beta", "square"]),
      ("geometry IS NULL", nil, nil, ["Nowhere", "twin", "twin"]),
      ("FALSE", nil, nil, []),
    ] as [(String?, String?, String?, [String])])
  func conditions(cql2: String?, filter: String?, box: String?, expected: [String]) throws {
    let names = try sample.names {
      $0.whereText = cql2
      $0.filterText = filter
      $0.bounds = box.flatMap { GeoBounds($0) }
    }
    #expect(names == expected)
  }

  @Test(
    "a query orders by properties, nulls last, with a stable sort",
    arguments: [
      (["rooms"], "Nowhere Alpha square Gamma two Beta line twin twin"),
      (["rooms:desc"], "two Gamma square Alpha Nowhere Beta line twin twin"),
      (["name:desc"], "two twin twin square line Nowhere Gamma Beta Alpha"),
      (["nosuch", "name"], "Alpha Beta Gamma Nowhere line square twin twin two"),
      (["nosuch:asc"], "Alpha Beta Gamma Nowhere square line two twin twin"),
    ])
  func order(rules: [String], expected: String) throws {
    let names = expected.split(separator: " ").map(String.init)
    let order = rules.compactMap { SortRule($0) }
    #expect(try sample.names { $0.order = order } == names)
    for limit in 0...9 {
      #expect(
        try sample.names { ($0.order, $0.limit) = (order, limit) } == Array(names.prefix(limit)))
    }
  }

  @Test("a query finds features by their keys and by plain ids")
  func ids() throws {
    let lines = try sample.lines { $0.format = .geojsonseq }
    let keys = lines.compactMap { $0.firstMatch(of: #/"key":"([^"]+)"/#).map { String($0.1) } }
    #expect(keys.count == 9)
    // The second of two features with the id 7 has a key of its own, too.
    #expect(Set(keys).count == 9)
    #expect(keys[0] == "cGxhY2Vz..YQ" && keys[4] == "c2hhcGVz..Nw")
    for (index, key) in keys.enumerated() {
      let found = try sample.lines { ($0.format, $0.ids) = (.geojsonseq, [key]) }
      #expect(found == [lines[index]])
    }
    #expect(try sample.names { $0.ids = ["7"] } == ["square", "line"])
    #expect(try sample.names { $0.ids = ["7", "a"] } == ["Alpha", "square", "line"])
    #expect(try sample.names { ($0.ids, $0.limit) = (["7", "a"], 2) } == ["Alpha", "square"])
    #expect(try sample.names { $0.ids = ["nosuch"] } == [])
    #expect(try sample.text { ($0.ids, $0.countsOnly) = ([keys[8]], true) } == "1\n")
  }

  @Test("a query writes the key as the feature's id, and the file's id beside it")
  func writtenIDs() throws {
    let text = try sample.text()
    #expect(text.contains(#""sourceId":7,"key""#) && text.contains(#""sourceId":"7","key""#))
    #expect(
      text.contains(
        #""id":"cGxhY2Vz..YQ","sourceId":"a","key":"cGxhY2Vz..YQ","geometry":{"type":"Point""#))
  }

  @Test("a query writes only the selected properties, in order")
  func select() throws {
    let lines = try sample.lines {
      ($0.format, $0.select) = (.geojsonseq, ["rooms", "name", "lng"])
    }
    #expect(lines[0].hasSuffix(#""properties":{"rooms":10,"name":"Alpha","lng":1}}"#))
    #expect(lines[7].hasSuffix(#""properties":{"name":"twin"}}"#))
    #expect(
      try sample.lines { $0.format = .geojsonseq }[0].hasSuffix(
        #""properties":{"code":"a","name":"Alpha","rooms":10}}"#))
  }

  @Test("a query refuses invalid options")
  func faults() {
    let cases: [(change: (inout QueryOptions) -> Void, start: String)] = [
      (
        { $0.sources = ["x"] }, "usage: there is no source 'x'; sources are places, shapes."
      ),
      ({ @Sendable in $0.format = .gpkg }, "usage: a GeoPackage needs a file. Name one with -o."),
      ({ @Sendable in $0.filterText = "[" }, "usage: --filter at 1:2:"),
      ({ @Sendable in $0.filterText = #"["nosuch", 1]"# }, "usage: --filter[0]: "),
      ({ @Sendable in $0.whereText = "name =" }, "usage: --where at 1:7: "),
      (
        { @Sendable in ($0.clusterZoom, $0.ids) = (3, ["a"]) },
        "usage: --clusters takes neither --id nor --order-by."
      ),
    ]
    for (change, start) in cases {
      #expect(sample.fault(change).hasPrefix(start), "\(sample.fault(change))")
    }
  }

  @Test(
    "a condition on a property that no record has gets a note with a similar name",
    arguments: [
      ("nme = 'x'", nil, nil, ["'nme'; did you mean 'name'?"]),
      (
        #"name = "Alpha""#, nil, nil,
        ["'Alpha'. In --where a text stands in single quotes: 'Alpha'."]
      ),
      (nil, #"["==", ["get", "nme"], 1]"#, nil, ["'nme'; did you mean 'name'?"]),
      ("qqqqqq = 1 AND rooms > 1", nil, nil, ["'qqqqqq'."]),
      (nil, #"["has", "nme"]"#, nil, []),
      (nil, #"["==", ["coalesce", ["get", "nme"], 1], 1]"#, nil, []),
      // Only the CSV file has it; of all sources one does.
      ("code = 'a'", nil, nil, []), ("name = 'nobody'", nil, nil, []),
      // What was not read to its end is not known.
      ("nme IS NULL", nil, 1, []), ("nme IS NULL", nil, nil, ["'nme'; did you mean 'name'?"]),
    ] as [(String?, String?, Int?, [String])])
  func unknownNames(cql2: String?, filter: String?, limit: Int?, expected: [String]) throws {
    for (format, counts) in [(QueryFormat.geojson, false), (.csv, false), (.csv, true)] {
      let notes = try sample.notes {
        ($0.whereText, $0.filterText, $0.limit) = (cql2, filter, limit)
        ($0.format, $0.countsOnly) = (format, counts)
      }.filter { !$0.hasPrefix("--where uses 'rooms' as a number") }
      #expect(notes == expected.map { "no feature that was read has a property named " + $0 })
    }
  }

  @Test("a query never overwrites its own data")
  func output() throws {
    let path = sample.folder.path("./places.csv")
    #expect(sample.fault { $0.output = path }.contains("is the data of source 'places'"))
    let archive = try sample.folder.write(
      "SQLite format 3" + String(repeating: "\0", count: 85), to: "old.mbtiles")
    #expect(sample.fault { $0.output = archive }.contains("is a database"))
    #expect(sample.fault { $0.output = sample.folder.path("no/such/x.json") }.hasPrefix("cannot"))
    _ = try sample.text { $0.output = sample.folder.path("out.json") }
    #expect(try sample.folder.bytes("out.json") == Array(sample.text().utf8))
    _ = try sample.text {
      ($0.format, $0.whereText, $0.output) = (.geojsonseq, "FALSE", sample.folder.path("none"))
    }
    #expect(try sample.folder.bytes("none").isEmpty)
    #expect(try sample.folder.names().allSatisfy { !$0.contains("tmp") })
  }

  @Test("a query yields clusters as they are drawn, and shapes beside them")
  func clusters() throws {
    let names = try sample.names { ($0.clusterZoom, $0.sources) = (1, ["shapes"]) }
    #expect(names.sorted() == ["line", "square", "two", "two"])
    #expect(
      try sample.text {
        ($0.clusterZoom, $0.countsOnly, $0.bounds) = (1, true, GeoBounds("0,0,9,9"))
      } == "5\n")
  }
}

/// What becomes of records that break rules.
@Suite struct QueryLedgerTests {
  private func sample(_ keys: String) throws -> QuerySample {
    try QuerySample(
      [("places", "type: csv, data: places.csv, \(keys)")],
      files: [
        (
          "places.csv",
          """
          lng,lat,code,name
          1,1,a,one
          2,95,b,north
          3,3,a,three
          4,4,,four
          5,5,,five
          x,5,c,six
          7,7,a,seven
          """
        )
      ])
  }

  @Test(
    "duplicate ids and broken records follow the pipeline's rules in a query",
    arguments: [
      ("onError: {max: 9}", ["one", "three", "four", "five", "seven"]),
      ("onError: {max: 9}, id: code, onDuplicateId: first", ["one", "four", "five"]),
      ("onError: {max: 9}, id: code, onDuplicateId: last", ["four", "five", "seven"]),
      ("onError: {max: 9}, where: name <> 'one'", ["three", "four", "five", "seven"]),
      (
        "onError: {max: 9}, where: name <> 'one', id: code, onDuplicateId: first",
        ["three", "four", "five"]
      ),
    ])
  func rules(keys: String, expected: [String]) throws {
    let sample = try sample(keys)
    #expect(try sample.names() == expected)
    #expect(try sample.text { $0.countsOnly = true } == "\(expected.count)\n")
    // The query's own condition comes after: it brings no other record of the same id to light.
    #expect(
      try sample.names { $0.whereText = "name <> 'one'" } == expected.filter { $0 != "one" })
  }

  @Test("too many broken records end a query like a build")
  func faults() throws {
    #expect(
      try sample("onError: {max: 1}").fault { _ in }
        == "badData: latitude 95.0 is beyond ±90°; 2 rejected so far "
        + "(1 invalid_coordinate, 1 latitude_out_of_range) and 1 tolerated. "
        + "Fix the file or raise 'onError: {max: …}'.")
    #expect(
      try sample("onError: {max: 9}, id: code").fault { _ in }
        == "badData: the id 'a' is also that of line 2. Set 'onDuplicateId: first' or 'last' to "
        + "keep one of them.")
    #expect(
      try sample("select: [nosuch]").fault { _ in }.hasPrefix(
        "definition: no column named 'nosuch' in "))
  }
}
