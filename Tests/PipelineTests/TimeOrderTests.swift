import Examination
import Features
import Foundation
import Ingest
import PipelineSamples
import Queries
import SourceStages
import TestSupport
import Testing
import Tiling

@testable import Baking
@testable import Definition
@testable import Pipeline
@testable import Reports
@testable import Reuse
@testable import Runs
@testable import Scenes
@testable import Styling

/// One reader decides what a time is, for tracks, conditions and `check`.
@Suite("Times in the order of tracks and in conditions")
struct TimeOrderTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func definition(_ values: [String], _ keys: String = "") throws -> PipelineDefinition {
    let rows = values.enumerated().map { "\($0.offset),\($0.offset),a,\($0.element)" }
    try folder.write("lng,lat,id,t\n" + rows.joined(separator: "\n") + "\n", to: "m.csv")
    let file = try folder.write(
      """
      version: 1
      sources:
        m: {type: csv, data: m.csv\(keys)}
      layers:
        - {id: a, type: line, source: m}
      tiles: {maxzoom: 1}
      output: {path: out.mbtiles}
      """, to: "x.yml")
    return try PipelineDefinition(contentsOf: file, environment: { _ in nil })
  }

  private func notes(_ definition: PipelineDefinition) throws -> [String] {
    var options = BuildOptions()
    options.force = true
    return try PipelineRunner.build(
      definition, options: options, cancellation: Cancellation(), progress: { _ in }
    )[0].notes.map { $0.replacing(folder.url.path + "/", with: "") }
  }

  /// The order in which a track visits the rows.
  private func order(_ values: [String]) throws -> [Int] {
    let definition = try definition(values, ", line: {by: id, order: t}")
    let build = try definition.build()
    let clock = StageClock(progress: { _ in }, cancellation: Cancellation())
    let shapes = try build.reading.ingest(clock)[0].shapes
    return shapes.geometry.positions.map { Int($0.longitude) }
  }

  private static let orders: [(values: [String], order: [Int])] = [
    (["2024-10-09 10:00", "2024-10-09 9:00", "2024-10-09 11:00"], [1, 0, 2]),
    (["2024-10-09T10:00+02:00", "2024-10-9 9:00", "2024-10-09 08:30 UTC"], [0, 2, 1]),
    (["1700000000000000002", "1700000000000000001", "1700000000000000003"], [1, 0, 2]),
    (["10", "9", "1e1"], [1, 0, 2]),
  ]

  @Test("a track follows times and numbers by value, in whatever form", arguments: orders)
  func follows(test: (values: [String], order: [Int])) throws {
    #expect(try order(test.values) == test.order)
    let definition = try definition(test.values, ", line: {by: id, order: t}")
    #expect(try notes(definition).allSatisfy { !$0.contains("orders by") })
  }

  private static let fallbacks: [(values: [String], words: String)] = [
    (
      ["2024-10-09 10:00", "9/10/2024 9:00", "2024-10-09 11:00"],
      "1 of 3 values is no time, such as '9/10/2024 9:00' (m.csv:3)."
    ),
    (["10", "9", "\"1,200\""], "1 of 3 values is no number, such as '1,200' (m.csv:4)."),
    (["b", "a"], "2 of 2 values are neither a number nor a time, such as 'b' (m.csv:2)."),
  ]

  @Test("an order that falls back to texts has a note and a hint", arguments: fallbacks)
  func fallsBack(test: (values: [String], words: String)) throws {
    let definition = try definition(test.values, ", line: {by: id, order: t}")
    let found = try notes(definition).filter { $0.contains("orders by 't' as texts") }
    #expect(found.count == 1 && found[0].hasPrefix("x.yml:3:"), "\(found)")
    #expect(found.first?.contains("since \(test.words)") == true, "\(found)")
    let hints = try PipelineRunner.check(definition, options: BuildOptions()).findings
      .filter { $0.kind == .textsAmongNumbers }
    #expect(hints.count == 1 && hints[0].message.contains("orders by 't' as texts"))
  }

  @Test("an order by days and months is a guess only where no value has a day beyond 12")
  func daysAndMonths() throws {
    let unsure = try definition(["1/2/2024 10:00", "2/2/2024 9:00"], ", line: {by: id, order: t}")
    let found = try notes(unsure).filter { $0.contains("whether the day or the month comes first") }
    #expect(found.count == 1 && found[0].contains("such as '1/2/2024 10:00' (m.csv:2)"), "\(found)")
    for values in [["1/2/2024 10:00", "13/2/2024 9:00"], ["1/2/2024", "2/13/2024"]] {
      let sure = try definition(values, ", line: {by: id, order: t}")
      #expect(try notes(sure).allSatisfy { !$0.contains("orders by 't'") })
    }
    let mixed = try definition(["14/2/2024", "2/13/2024"], ", line: {by: id, order: t}")
    #expect(try notes(mixed).contains { $0.contains("orders by 't' as texts") })
  }

  @Test("a condition on times reads what check calls times, and notes what it does not read")
  func conditions() throws {
    let sample = try QuerySample(
      [("m", "type: csv, data: m.csv")],
      files: [
        (
          "m.csv",
          "lng,lat,name,t\n1,1,a,2024-10-09 9:00\n2,2,b,2024-10-09 11:00\n3,3,c,10/9/2024 12:00\n"
        )
      ])
    let condition = "T_AFTER(t, TIMESTAMP('2024-10-09T08:00:00Z'))"
    #expect(try sample.names { $0.whereText = condition } == ["a", "b"])
    let notes = try sample.notes { $0.whereText = condition }
    #expect(
      notes.count == 1
        && notes[0].contains("uses 't' as a time, but 1 of 3 values is no time, such as '10/9/2024"),
      "\(notes)")
  }

  @Test("a column of type number has the numbers that its check accepts")
  func typedNumbers() throws {
    let sample = try QuerySample(
      [("m", "type: csv, data: m.csv, types: {v: number}")],
      files: [("m.csv", "lng,lat,name,v\n1,1,a,+5\n2,2,b,.5\n3,3,c,007\n4,4,d,2.50\n")])
    #expect(try sample.names { $0.whereText = "v > 0" } == ["a", "b", "c", "d"])
    let text = try sample.text()
    for value in ["5}", "0.5}", "7}", "2.50}"] { #expect(text.contains("\"v\":" + value)) }
  }
}
