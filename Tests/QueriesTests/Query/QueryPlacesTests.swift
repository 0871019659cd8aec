import Columns
import Foundation
import PipelineSamples
import TestSupport
import Testing
import Tiling

@testable import Definition
@testable import Inputs
@testable import Queries
@testable import Reuse
@testable import Runs

/// `query --bbox` by the places that an earlier query has found has the answer, the counts and the
/// notes of one that reads everything.
@Suite("A query for a box by places of records")
struct QueryPlacesTests {
  private static let format = "onError: {max: 500}"

  /// The rows of a CSV file with all that makes records hard to find.
  private static func rows(_ count: Int, seed: UInt64 = 1) -> [String] {
    var random = SplitMix64(seed: seed)
    return (0..<count).map { row in
      let lng = random.number(in: -181..<181)
      let lat = random.number(in: -60..<60)
      return switch row % 29 {
      case 3: "\(lng),\(lat),k\(row % 7),\"two\nlines, \"\"quoted\"\"\",\(row)"
      case 5: "\(lng),\(lat),k\(row)"
      case 7: "x,\(lat),k\(row),bad,1"
      case 11: ",,k\(row),nowhere,2"
      case 13: ""
      case 17: "\(lng),88,k\(row),beyond,3"
      case 19: "\(lng),\(lat),k\(row),text,about \(row)"
      case 23: "5,5,k1,\"ä\",0"
      default: "\(lng),\(lat),k\(row % 200),Place \(row % 40),\(row % 9)"
      }
    }
  }

  private static func table(
    end: String = "\n", mark: String = "", last: String = "\n", count: Int = 600
  ) -> String {
    mark + (["lng,lat,key,name,rooms"] + rows(count)).joined(separator: end) + last
  }

  /// Features of every kind, some of which cross the antimeridian.
  private static func features(_ count: Int) -> [String] {
    var random = SplitMix64(seed: 2)
    return (0..<count).map { row in
      let x = random.number(in: -185..<185)
      let y = random.number(in: -60..<60)
      let geometry =
        switch row % 11 {
        case 1, 2:
          #"{"type":"Polygon","coordinates":[[[\#(x),\#(y)],[\#(x + 9),\#(y)],[\#(x),\#(y + 5)],[\#(x),\#(y)]]]}"#
        case 3: #"{"type":"LineString","coordinates":[[\#(x),\#(y)],[\#(x - 20),\#(y + 1)]]}"#
        case 4: "null"
        case 5: #"{"type":"MultiPoint","coordinates":[[\#(x),\#(y)],[\#(-x),\#(-y)]]}"#
        case 6: #"{"type":"Point","coordinates":["a"]}"#
        case 7: #"{"type":"Polygon","coordinates":[[[179,0],[181,0],[181,4],[179,4],[179,0]]]}"#
        default: #"{"type":"Point","coordinates":[\#(x),\#(y)]}"#
        }
      let late = row > count / 2 ? #","late\#(row / 100)":\#(row)"# : ""
      let id = row % 3 == 0 ? "" : #","id":"\#(row % 5 == 0 ? "7-1" : "\(row % 40)")""#
      return
        #"{"type":"Feature"\#(id),"properties":{"name":"P \#(row % 40)","rooms":\#(row % 9)\#(late)},"#
        + #""geometry":\#(geometry)}"#
    }
  }

  private static var files: [(name: String, text: String)] {
    let features = features(500)
    return [
      ("a.csv", table()), ("crlf.csv", table(end: "\r\n")),
      ("mark.csv", table(mark: "\u{FEFF}", last: "")), ("cr.csv", table(end: "\r")),
      (
        "a.geojson",
        "{\"type\":\"FeatureCollection\",\"features\":[\n"
          + features.joined(separator: ",\n") + "]}"
      ),
      ("a.geojsonl", features.joined(separator: "\n")),
      (
        "two.geojsonl",
        features.joined(separator: "\n") + "\n"
          + #"{"type":"FeatureCollection","features":[\#(features[0]),\#(features[1])]}"#
      ),
    ]
  }

  private static let sources = [
    "type: csv, data: a.csv", "type: csv, data: crlf.csv, id: key, onDuplicateId: last",
    "type: csv, data: mark.csv, id: key, onDuplicateId: first, missingFields: 'null'",
    "type: csv, data: cr.csv, where: rooms > 3, types: {rooms: number}",
    "type: csv, data: a.csv, filter: ['>', [get, rooms], 2], select: [name, rooms]",
    "type: geojson, data: a.geojson",
    "type: geojson, data: a.geojson, id: rooms, onDuplicateId: last",
    "type: geojsonseq, data: a.geojsonl", "type: geojsonseq, data: two.geojsonl",
  ]

  private static func sample(_ source: String) throws -> QuerySample {
    try QuerySample([("s", "\(source), \(format)")], files: files)
  }

  /// The queries that are compared, for a box.
  private static let queries: [@Sendable (inout QueryOptions) -> Void] = [
    { _ in }, { $0.format = .geojsonseq }, { $0.format = .csv }, { $0.countsOnly = true },
    { $0.limit = 3 }, { ($0.limit, $0.format) = (2, .csv) }, { $0.whereText = "rooms >= 4" },
    { ($0.whereText, $0.limit) = ("rooms >= 4", 2) }, { $0.whereText = "nothing = 1" },
    { ($0.select, $0.format) = (["rooms", "name"], .csv) },
    { $0.order = [SortRule("name:desc")].compactMap(\.self) },
    { $0.ids = ["7", "7-1", "k3"] },
  ]

  @Test("has the answer, counts and notes of one that reads everything", arguments: sources)
  func equality(source: String) throws {
    let sample = try Self.sample(source)
    var random = SplitMix64(seed: 3)
    var boxes = ["170,-20,-170,20", "179,-1,182,1", "5,5,5,5", "-181,-5,-175,5", "1,1,1.1,1.1"]
    for _ in 0..<4 {
      let (west, south) = (random.number(in: -190..<190), random.number(in: -60..<60))
      boxes.append("\(west),\(south),\(west + random.number(in: 0..<20)),\(south + 9)")
    }
    for box in boxes {
      let bounds = try #require(GeoBounds(box))
      for (number, query) in Self.queries.enumerated() {
        func ask(_ change: (inout BuildOptions) -> Void = { _ in }) throws -> QuerySample.Answer {
          try sample.answer(change) {
            query(&$0)
            $0.bounds = bounds
          }
        }
        let plain = try ask { $0.noCache = true }
        for run in 1...2 {
          let answer = try ask()
          #expect(answer.text == plain.text, "\(box), query \(number), run \(run)")
          #expect(answer.summary == plain.summary, "\(box), query \(number), run \(run)")
        }
      }
    }
  }

  @Test("reads only the records near the box", arguments: sources)
  func bytes(source: String) throws {
    let sample = try Self.sample(source)
    func bytes() throws -> Int {
      try sample.answer { $0.bounds = GeoBounds(west: 0, south: 0, east: 30, north: 30) }.bytes
    }
    let size = try bytes()
    #expect(size > 4096)
    // A text of two features has no place of its own.
    let isLocated = !source.contains("two.geojsonl")
    let last = try bytes()
    #expect(isLocated ? last < size / 4 : last == size, "\(last) of \(size)")
  }

  @Test("leaves nothing behind without a box, with --no-cache and for little data")
  func cache() throws {
    let sample = try Self.sample(Self.sources[0])
    _ = try sample.answer { _ in }
    _ = try sample.answer({ $0.noCache = true }) { $0.bounds = .world }
    _ = try sample.answer { ($0.bounds, $0.limit) = (.world, 2) }
    #expect(sample.artifacts.isEmpty)
    let small = try QuerySample(
      [("s", "type: csv, data: b.csv")], files: [("b.csv", "lng,lat\n1,2\n")])
    _ = try small.answer { $0.bounds = .world }
    #expect(small.artifacts.isEmpty)
    _ = try sample.answer { $0.bounds = .world }
    #expect(sample.artifacts.count == 1)
    #expect(sample.artifacts.allSatisfy { $0.hasPrefix("places-") })
  }

  @Test("a file that changes in place and keeps its size and time is read again")
  func change() throws {
    let sample = try Self.sample(Self.sources[0])
    let bounds = GeoBounds(west: 4, south: 4, east: 6, north: 6)
    func names() throws -> String {
      try sample.answer { ($0.bounds, $0.format) = (bounds, .csv) }.text
    }
    let before = try names()
    #expect(try names() == before)
    let path = sample.folder.path("a.csv")
    let time = try #require(
      FileManager.default.attributesOfItem(atPath: path)[.modificationDate] as? Date)
    let text = String(decoding: try sample.folder.bytes("a.csv"), as: UTF8.self)
    let file = try #require(FileHandle(forWritingAtPath: path))
    try file.write(contentsOf: Data(text.replacing("\n5,5,k1", with: "\n7,5,k1").utf8))
    try file.close()
    try FileManager.default.setAttributes([.modificationDate: time], ofItemAtPath: path)
    let after = try names()
    #expect(before.contains("ä") && !after.contains("ä"))
    #expect(try names() == after)
  }

  @Test("damaged places are found again", arguments: ["flip", "cut", "empty", "foreign"])
  func damage(kind: String) throws {
    let sample = try Self.sample(Self.sources[5])
    let bounds = GeoBounds(west: -20, south: -20, east: 0, north: 0)
    let before = try sample.answer { $0.bounds = bounds }
    let name = try #require(sample.artifacts.first)
    let path = sample.artifactFolder + "/" + name
    var bytes = [UInt8](try Data(contentsOf: URL(filePath: path)))
    switch kind {
    case "flip": bytes[bytes.count / 2] ^= 1
    case "cut": bytes.removeLast(bytes.count / 3)
    case "empty": bytes = []
    default: bytes = Array("SQLite format 3\0".utf8) + bytes
    }
    try Data(bytes).write(to: URL(filePath: path))
    let again = try sample.answer { $0.bounds = bounds }
    #expect(again.text == before.text && again.bytes == before.bytes)
    let last = try sample.answer { $0.bounds = bounds }
    #expect(last.text == before.text && last.bytes < before.bytes / 4)
  }

  @Test("places that are not those of the records end the query, and are not used twice")
  func lies() throws {
    let sample = try Self.sample(Self.sources[0])
    let bounds = GeoBounds(west: -20, south: -20, east: 0, north: 0)
    let before = try sample.answer { $0.bounds = bounds }
    let source = try #require(try sample.definition.located().sources.first)
    let key = try #require(source.placesKey(ReadRequest()))
    let cache = ArtifactCache(
      besideArchive: sample.definition.output.path, options: BuildOptions())
    var places = try #require(
      cache.value(key) { reader throws(ArtifactDamage) in
        try RecordPlaces(&reader)
      })
    places.begins = Column(places.begins.dropFirst() + [places.begins[0]])
    cache.store(key, places.writer)
    #expect(sample.fault { $0.bounds = bounds }.contains("changed while it was read"))
    #expect(try sample.answer { $0.bounds = bounds } == before)
  }
}
