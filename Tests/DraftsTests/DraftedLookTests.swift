import Features
import PipelineSamples
import Styling
import TestSupport
import Testing

@testable import Definition
@testable import Drafts
@testable import Reports
@testable import Runs

/// Drafts whose clusters are donuts or hexagons, or whose points are shown through time.
@Suite("The look of drafted clusters") struct DraftedLookTests {
  private let sample: DraftSample

  init() throws { sample = try DraftSample() }

  /// A CSV file of places, most of which have one of four kinds.
  private func writePlaces(_ count: Int) throws {
    var random = SplitMix64(seed: 50)
    let kinds = ["café", "bar", "bar", "\"hotel, small\"", "museum", "bar", ""]
    var text = "place_id,lng,lat,kind\n"
    for row in 0..<count {
      let (x, y) = (random.number(in: 8..<8.4), random.number(in: 48..<48.3))
      text += "\(row + 100),\(x),\(y),\(kinds[random.below(kinds.count)])\n"
    }
    try sample.folder.write(text, to: "places.csv")
  }

  private func expectBuilt(_ draft: PipelineDraft, records: Int) throws {
    let report = try #require(try sample.build(draft).first)
    #expect(report.result == .published)
    #expect(report.sources.map(\.ledger.used) == [records], "\(draft.text)")
    #expect(report.notes.isEmpty, "\(report.notes)")
  }

  @Test("donuts have a slice for each value of a column, in the colours of single points")
  func donuts() throws {
    try writePlaces(600)
    let draft = try sample.draft("places.csv") { $0.choices.look = .donuts }
    let definition = try sample.definition(draft)
    #expect(definition.layers.map(\.type.rawValue) == ["circle", "chart", "symbol"])
    for property in ["kind-bar", "kind-museum", "kind-hotel-small", "kind-no-kind"] {
      #expect(draft.text.contains("\(property): [\"+\", [match, [get, kind], "), "\(draft.text)")
      #expect(draft.text.contains("value: [get, \(property)]"), "\(draft.text)")
    }
    #expect(draft.text.contains("[match, [get, kind], bar, 1, 0]"))
    #expect(draft.choices == ["places: chosen: donuts, coloured by 'kind'."])
    #expect(draft.text.split(separator: "\n").count < 80, "\(draft.text)")
    try expectBuilt(draft, records: 600)
  }

  @Test("hexagons have classes by their numbers of points, without single points")
  func hexagons() throws {
    try writePlaces(600)
    let draft = try sample.draft("places.csv") { $0.choices.look = .hexagons }
    let definition = try sample.definition(draft)
    #expect(definition.layers.map(\.type.rawValue) == ["fill"])
    #expect(draft.text.contains("clusterMethod: hexagon"))
    #expect(draft.text.contains("classes: {method: log, \"n\": 5}"), "\(draft.text)")
    #expect(draft.choices == ["places: chosen: hexagons, coloured by their number of points."])
    try expectBuilt(draft, records: 600)
  }

  @Test("a sentence offers donuts where a column has few values, and nothing where none has")
  func offers() throws {
    try writePlaces(5100)
    let offer = "Clusters can be donuts of 'kind': --look donuts."
    let choices = try sample.draft("places.csv").choices
    #expect(choices.count == 1 && choices[0].hasSuffix(offer), "\(choices)")
    try sample.writeShops(5100)
    #expect(try !sample.draft("shops.csv").choices.joined().contains("--look"))
  }

  @Test("a sentence offers hexagons above 200,000 points", .enabled(if: runsSlowTests))
  func offersHexagons() throws {
    try writePlaces(200_001)
    let choices = try sample.draft("places.csv").choices
    #expect(choices.count == 1 && choices[0].contains("--look hexagons"), "\(choices)")
  }

  /// A CSV file of sightings, one after the other at scattered places.
  private func writeSightings(_ times: [String]) throws {
    var random = SplitMix64(seed: 51)
    let rows = times.enumerated().map { row, time in
      "\(row + 7),\(random.number(in: -90..<90)),\(random.number(in: -60..<60)),\(time)"
    }
    try sample.folder.write(
      "sighting_id,lng,lat,seen\n" + rows.joined(separator: "\n") + "\n", to: "seen.csv")
  }

  /// Days of 2024, some with a time.
  private static let days = (0..<600).map { row in
    let (month, day) = (1 + row * 7 % 12, 1 + row * 11 % 28)
    return "2024-\(month < 10 ? "0" : "")\(month)-\(day < 10 ? "0" : "")\(day)"
  }

  @Test(
    "maps through time are offered where instants span days, and drafted on demand",
    arguments: [days, days.map { $0 + "T06:30:00Z" }])
  func time(times: [String]) throws {
    try writeSightings(times)
    let offers = try sample.draft("seen.csv").choices
    let offer = "The times in 'seen' span 362 days: --look time makes a map for each week."
    #expect(offers.count == 1 && offers[0].hasSuffix(offer), "\(offers)")
    let draft = try sample.draft("seen.csv") { $0.choices.look = .time }
    #expect(draft.text.contains(#"time: {property: seen, every: "7d"}"#), "\(draft.text)")
    #expect(draft.choices[0].contains("a map for each week of 'seen'"), "\(draft.choices)")
    let report = try #require(try sample.build(draft).first)
    #expect(report.series?.frames == 52 && report.sources.map(\.ledger.used) == [600])
    #expect(report.notes.isEmpty, "\(report.notes)")
  }

  @Test(
    "instants of a day and a half, and texts that are none, are no maps through time",
    arguments: [
      (0..<60).map { "2024-03-0\(1 + $0 % 2)T\(10 + $0 % 10):00:00Z" },
      days.prefix(60).enumerated().map { $0 == 50 ? "2024-13-41" : $1 },
      days.prefix(60).enumerated().map { $0 == 50 ? "" : $1 },
    ])
  func noTime(times: [String]) throws {
    try writeSightings(times)
    #expect(try !sample.draft("seen.csv").choices.joined().contains("--look"))
    let error = #expect(throws: PipelineError.self) {
      try sample.draft("seen.csv") { $0.choices.look = .time }
    }
    #expect(error?.message.contains("time for those with a column of instants") == true)
  }

  @Test("looks that the data cannot have are refused")
  func refusals() throws {
    try sample.writeShops(100)
    try sample.writeRoads()
    func refusal(_ name: String, _ look: PipelineDraft.Look) -> String {
      do {
        _ = try sample.draft(name) { $0.choices.look = look }
      } catch {
        return "\(error)"
      }
      return ""
    }
    #expect(refusal("shops.csv", .donuts).contains("'--look' is for points"))
    #expect(refusal("roads.geojsonl", .hexagons).contains("'--look' is for points"))
    #expect(refusal("shops.csv", .hexagons).isEmpty)
  }
}
