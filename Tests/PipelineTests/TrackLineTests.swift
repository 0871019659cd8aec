import Features
import Foundation
import Ingest
import Inputs
import PipelineSamples
import Reuse
import SourceStages
import TestSupport
import Testing
import Tiling

@testable import Baking
@testable import Definition
@testable import Pipeline
@testable import Reports
@testable import Runs

@Suite("Lines from points")
struct TrackLineTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func definition(
    _ text: String, line: String, more: String = "", type: String = "csv"
  ) throws -> PipelineDefinition {
    try folder.write(text, to: "p.csv")
    let file = try folder.write(
      """
      version: 1
      name: tracks
      sources: {p: {type: \(type), data: p.csv, line: \(line)\(more)}}
      layers: [{id: a, type: line, source: p, paint: {line-width: 2, line-color: [get, c]}}]
      tiles: {maxzoom: 2, interactivity: {fields: [c]}}
      output: {path: out.mbtiles}
      """, to: "x.yml")
    return try PipelineDefinition(contentsOf: file, environment: { _ in nil })
  }

  private func load(_ definition: PipelineDefinition) throws -> LoadedSource {
    let build = try definition.build()
    return try build.reading.ingest(build.context.clock)[0]
  }

  /// The vertices of each line, as longitude and latitude.
  private func vertices(_ source: LoadedSource) -> [[String]] {
    let geometry = source.shapes.geometry
    return (0..<source.shapes.count).map { shape in
      geometry.partRange(shape).flatMap { geometry.positionRange($0) }.map {
        "\(geometry.positions[$0].longitude) \(geometry.positions[$0].latitude)"
      }
    }
  }

  static let orders: [(values: [String], order: [Int])] = [
    // Numbers, not texts; ties stay.
    (["10", "9", "10", "-1e1"], [3, 1, 0, 2]),
    // Instants of two zones.
    (
      ["2014-01-19T06:00:00Z", "2014-01-19T06:30:00+01:00", "2014-01-20", "2014-01-19"],
      [3, 1, 0, 2]
    ),
    // One that is no instant makes all of them texts.
    (["b", "a", "2014-01-19", "B"], [2, 3, 1, 0]),
    // One value says that days come first, or months.
    (["13/01/2014 06:00", "02/02/2014 05:00", "01/03/2014 06:00", "14/01/2014"], [0, 3, 1, 2]),
    (["1/13/2014 6:00 PM", "2/2/2014 5:00", "1/13/2014 6:00 AM", "12/1/2013 0:00"], [3, 2, 0, 1]),
    // Where none does, a log is in order.
    (["1.2.2024", "2.2.2024", "1.3.2024", "2.3.2024"], [0, 1, 2, 3]),
  ]

  @Test(
    "track lines follow numbers, instants or texts, whichever all values are", arguments: orders)
  func order(values: [String], order: [Int]) throws {
    let rows = values.enumerated().map { "\($0.offset),1,bus,\($0.element),red" }
    let definition = try definition(
      "lng,lat,id,t,c\n" + rows.joined(separator: "\n"), line: "{by: id, order: t}")
    let source = try load(definition)
    #expect(vertices(source) == [order.map { "\($0).0 1.0" }])
    #expect(source.points.count == 0 && source.shapes.records.id(0) == "bus")
  }

  @Test("the order of day and month is what 'dates' says, and a value of the other one is rejected")
  func dates() throws {
    let values = ["1.2.2024", "2.2.2024", "1.3.2024", "2.3.2024"]
    let rows = values.enumerated().map { "\($0.offset),1,bus,\($0.element),red\n" }
    func load(_ more: String, _ dates: String) throws -> LoadedSource {
      try self.load(
        definition(
          "lng,lat,id,t,c\n" + rows.joined() + more, line: "{by: id, order: t, dates: \(dates)}",
          more: ", onError: {max: 1}"))
    }
    let months = try load("", "month-first")
    #expect(vertices(months) == [[0, 2, 1, 3].map { "\($0).0 1.0" }])
    let days = try load("9,1,bus,1/13/2024,red\n", "day-first")
    #expect(vertices(days) == [[0, 1, 2, 3].map { "\($0).0 1.0" }])
    #expect(days.ledger.rejectedTotal == 1)
    #expect(days.ledger.examples.first?.message.contains("dates: day-first") == true)
    // Nothing is guessed, so nothing is noted.
    #expect(days.ledger.numbers.isEmpty && months.ledger.numbers.isEmpty)
    #expect(throws: PipelineError.self) {
      try self.load(definition("lng,lat,id,t\n", line: "{by: id, dates: day-first}"))
    }
  }

  @Test("without a property of tracks, all points are one line")
  func single() throws {
    let definition = try definition(
      "lng,lat,t,c\n0,0,2,red\n1,1,1,blue\n2,2,3,red\n", line: "{order: t}")
    let source = try load(definition)
    #expect(vertices(source) == [["1.0 1.0", "0.0 0.0", "2.0 2.0"]])
    #expect(source.ledger.used == 3 && source.points.count == 0)
  }

  @Test("track lines have the properties of their first vertex, and every record is counted")
  func ledger() throws {
    let definition = try definition(
      """
      lng,lat,id,t,c
      0,0,a,2,blue
      170,1,b,1,green
      1,0,a,1,red
      -170,2,b,2,green
      5,5,alone,1,red
      6,6,,1,red
      7,7,a,,red
      8,8,filtered,1,red

      """, line: "{by: id, order: t}",
      more: ", onError: {max: 2}, where: \"id <> 'filtered' OR id IS NULL\"")
    let source = try load(definition)
    #expect(vertices(source) == [["1.0 0.0", "0.0 0.0"], ["170.0 1.0", "190.0 2.0"]])
    let colors = try #require(source.shapes.records.columns.first { $0.name == "c" })
    #expect((0..<2).map { colors.text($0) } == ["red", "green"])
    let ledger = source.ledger
    #expect(ledger.balances && ledger.read == 8 && ledger.used == 4 && ledger.filtered == 1)
    #expect(ledger.noGeometry == 1 && ledger.rejected == [.noTrack: 2])
    #expect(ledger.examples.first?.message.contains("no 'id'") == true)
  }

  @Test("track lines without an order keep that of the file, and may have the id of their points")
  func fileOrder() throws {
    let definition = try definition(
      "lng,lat,id,c\n3,0,a,red\n1,0,a,red\n2,0,a,red\n", line: "{by: id}", more: ", id: id")
    #expect(vertices(try load(definition)) == [["3.0 0.0", "1.0 0.0", "2.0 0.0"]])
  }

  static let faults: [(line: String, more: String, says: String, code: Int32)] = [
    ("{by: id}", ", cluster: true", "Keep one of them", 78),
    ("{by: nobody}", "", "no property named 'nobody'", 78),
    ("{by: id, order: nothing}", "", "no property named 'nothing'", 78),
    ("{by: c}", "", "no 'c', which 'line' asks for", 65),
    ("{x: t}", "", "Set both", 78),
    ("{x: t, 'y': t, by: id}", "", "Keep one of them", 78),
    ("{x: t, 'y': t}", ", crs: 'EPSG:25832'", "has a 'crs'", 78),
    ("{x: t, 'y': north}", "", "no property named 'north'", 78),
    ("{x: t, 'y': c}", "", "no 'c', which 'line' asks for", 65),
  ]

  @Test("impossible track lines are refused", arguments: faults)
  func refused(line: String, more: String, says: String, code: Int32) throws {
    let text = "lng,lat,id,t,c\n1,2,a,1,\n3,4,a,2,red\n"
    let error = #expect(throws: PipelineError.self) {
      do {
        _ = try PipelineRunner.build(
          definition(text, line: line, more: more), options: BuildOptions(),
          cancellation: Cancellation(), progress: { _ in })
      } catch {
        throw PipelineError(wrapping: error)
      }
    }
    #expect(error?.exitCode == code, "\(error?.description ?? "")")
    #expect(error?.description.contains(says) == true, "\(error?.description ?? "")")
  }

  @Test(
    "points with a second place are great circles, which keep their ids and cross the antimeridian")
  func greatCircles() throws {
    let definition = try definition(
      """
      lng,lat,id,x,v,c
      -122.4,37.6,a,140.4,35.8,red
      8,47,b,8.1,47.1,blue
      8,47,c,8,47,blue
      8,47,d,,47,blue
      8,47,e,9,91,blue

      """, line: "{x: x, 'y': v}", more: ", id: id, onError: {max: 2}")
    let source = try load(definition)
    let ledger = source.ledger
    #expect(ledger.balances && ledger.used == 2 && ledger.noGeometry == 1)
    #expect(ledger.rejected == [.noTrack: 1, .latitudeOutOfRange: 1])
    #expect((0..<2).map { source.shapes.records.id($0) } == ["a", "b"])
    let geometry = source.shapes.geometry
    let ways = (0..<2).map { shape in
      geometry.partRange(shape).flatMap { geometry.positionRange($0) }.map {
        geometry.positions[$0]
      }
    }
    #expect(ways[1].map(\.longitude) == [8, 8.1])
    let (first, last) = (try #require(ways[0].first), try #require(ways[0].last))
    #expect(first.longitude == -122.4 && abs(last.longitude - (140.4 - 360)) < 1e-9)
    // The way over the Pacific passes south of the Aleutians.
    #expect((47.5...49).contains(ways[0].map(\.latitude).max() ?? 0))
    for (one, next) in zip(ways[0], ways[0].dropFirst()) {
      #expect(abs(one.longitude - next.longitude) < 1)
    }
  }

  @Test("track lines are the same from the cache, and others if the key of the source changes")
  func cached() throws {
    var random = SplitMix64(seed: 4)
    let rows = (0..<600).map { row in
      "\(random.below(300) - 150),\(random.below(100) - 50),v\(row % 20),\(random.below(1000)),red"
    }
    let text = "lng,lat,id,t,c\n" + rows.joined(separator: "\n")
    func bytes(_ line: String, cold: Bool) throws -> [UInt8] {
      var options = BuildOptions()
      options.noCache = cold
      options.force = true
      let reports = try PipelineRunner.build(
        definition(text, line: line), options: options, cancellation: Cancellation(),
        progress: { _ in })
      #expect(reports.first?.sources.first?.ledger.used == 600)
      return try Array(folder.bytes("out.mbtiles"))
    }
    let first = try bytes("{by: id, order: t}", cold: false)
    let other = try bytes("{by: id}", cold: false)
    #expect(first != other)
    #expect(try bytes("{by: id, order: t}", cold: false) == first)
    #expect(try bytes("{by: id, order: t}", cold: true) == first)
  }

  /// A GeoJSON feature with the property `id`.
  private static func feature(_ id: String?, _ geometry: String) -> String {
    let properties = id.map { #"{"id":"\#($0)","c":"red"}"# } ?? #"{"c":"red"}"#
    return #"{"type":"Feature","properties":\#(properties),"geometry":\#(geometry)}"#
  }

  private static func point(_ x: Int) -> String { #"{"type":"Point","coordinates":[\#(x),0]}"# }

  @Test("track lines are distinguished by their values' bytes, even if these spell the same letter")
  func composedLetters() throws {
    let features = ["\u{e9}", "e\u{301}", "\u{e9}", "e\u{301}"].enumerated().map {
      Self.feature($0.element, Self.point($0.offset))
    }
    let definition = try definition(
      features.joined(separator: "\n"), line: "{by: id}", type: "geojsonseq")
    #expect(try vertices(load(definition)) == [["0.0 0.0", "2.0 0.0"], ["1.0 0.0", "3.0 0.0"]])
  }

  @Test("records with lines of their own are used, whatever becomes of their points")
  func collections() throws {
    let own = #"{"type":"LineString","coordinates":[[5,5],[9,9]]}"#
    func both(_ x: Int) -> String {
      #"{"type":"GeometryCollection","geometries":[\#(Self.point(x)),\#(own)]}"#
    }
    // On one line of the file, where the line does not tell records apart.
    let features = [
      Self.feature("bus", Self.point(0)), Self.feature("lone", both(1)), Self.feature(nil, both(2)),
      Self.feature("bus", both(3)), Self.feature("alone", Self.point(4)),
      Self.feature(nil, Self.point(5)),
    ]
    let definition = try definition(
      #"{"type":"FeatureCollection","features":[\#(features.joined(separator: ","))]}"#,
      line: "{by: id}", more: ", onError: {max: 1}", type: "geojson")
    let source = try load(definition)
    let line = ["5.0 5.0", "9.0 9.0"]
    #expect(vertices(source) == [line, line, line, ["0.0 0.0", "3.0 0.0"]])
    let ledger = source.ledger
    #expect(ledger.balances && ledger.read == 6 && ledger.used == 4)
    #expect(ledger.noGeometry == 1 && ledger.rejected == [.noTrack: 1])
  }

  @Test("records with lines of their own are used even if earlier ones were replaced by them")
  func replacedCollections() throws {
    func both(_ x: Int) -> String {
      #"{"type":"GeometryCollection","geometries":[\#(Self.point(x)),{"type":"LineString","#
        + #""coordinates":[[5,5],[9,9]]}]}"#
    }
    func keyed(_ key: Int, _ text: String) -> String {
      text.replacing(#""c":"red""#, with: #""c":"red","key":\#(key)"#)
    }
    let features = [
      keyed(1, Self.feature("bus", Self.point(0))), keyed(2, Self.feature("a", both(1))),
      keyed(1, Self.feature("bus", Self.point(2))), keyed(3, Self.feature("bus", Self.point(3))),
      keyed(4, Self.feature("b", both(4))), keyed(5, Self.feature("c", Self.point(5))),
    ]
    let definition = try definition(
      features.joined(separator: "\n"), line: "{by: id}",
      more: ", id: key, onDuplicateId: last, onError: {max: 1}", type: "geojsonseq")
    let source = try load(definition)
    #expect(vertices(source).last == ["2.0 0.0", "3.0 0.0"])
    let ledger = source.ledger
    #expect(ledger.balances && ledger.read == 6 && ledger.used == 4)
    #expect(ledger.noGeometry == 1 && ledger.rejected == [.duplicateKey: 1])
  }
}
