import Examination
import Features
import Foundation
import PipelineSamples
import SourceStages
import TestSupport
import Testing

@testable import Baking
@testable import Definition
@testable import Ingest
@testable import Overlays
@testable import Pipeline
@testable import Reports
@testable import Runs

@Suite("Sources of several files") struct PartsTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    try FileManager.default.createDirectory(
      atPath: folder.path("parts"), withIntermediateDirectories: true)
  }

  private static let header = "id,lng,lat,size\n"

  /// The rows of a table; the fields have no commas.
  private static func rows(_ range: Range<Int>) -> String {
    range.map { "\($0),\($0 % 170).25,\($0 % 80).5,\($0 * 7 % 90)\n" }.joined()
  }

  private func definition(_ source: String) throws -> PipelineDefinition {
    let file = try folder.write(
      """
      version: 1
      sources: {s: {\(source)}}
      layers:
        - {id: a, type: circle, source: s, paint: {circle-radius: [step, [get, size], 3, 45, 6]}}
      tiles: {maxzoom: 3}
      output: {path: out.mbtiles}
      """, to: "x.yml")
    return try PipelineDefinition(contentsOf: file, environment: { _ in nil })
  }

  @discardableResult
  private func build(
    _ source: String, _ change: (inout BuildOptions) -> Void = { _ in }
  ) throws -> BuildReport {
    var options = BuildOptions()
    change(&options)
    return try #require(
      try PipelineRunner.build(
        definition(source), options: options, cancellation: Cancellation(), progress: { _ in }
      ).first)
  }

  private func write(_ bytes: [UInt8], to name: String) throws {
    try Data(bytes).write(to: folder.url.appendingPathComponent(name))
  }

  @Test("a table in parts, however they are named and packed, has the tiles of the whole")
  func whole() throws {
    try folder.write(Self.header + Self.rows(0..<900), to: "whole.csv")
    let whole = try build("type: csv, data: whole.csv, id: id").archive.digest
    try folder.write(Self.header + Self.rows(0..<300), to: "parts/a.csv")
    // Other columns in another order: they go by their names.
    try folder.write(
      "note,lat,size,lng,id\n"
        + Self.rows(300..<700).split(separator: "\n").map { row in
          let fields = row.split(separator: ",")
          return "n,\(fields[2]),\(fields[3]),\(fields[1]),\(fields[0])\n"
        }.joined(), to: "parts/b.csv")
    let last = Array((Self.header + Self.rows(700..<900)).utf8)
    try write(PackedSample.gzip(last), to: "parts/c.csv.gz")
    for data in [
      "parts/*", "[parts/c.csv.gz, parts/a.csv, parts/b.csv]", "'parts/[a-c].csv*'",
      "[parts/*.csv, parts/*.gz, parts/a.csv]", "'p*/**'",
    ] {
      let report = try build("type: csv, data: \(data), id: id")
      #expect(report.archive.digest == whole, "\(data)")
      #expect(report.sources.first?.ledger.used == 900)
    }
    try write(
      PackedSample.zip([
        .init("in/b.csv", Array((Self.header + Self.rows(300..<900)).utf8)),
        .init("in/readme.txt", Array("no".utf8)),
        .init("in/a.csv", Array((Self.header + Self.rows(0..<300)).utf8)),
      ]), to: "all.zip")
    #expect(try build("type: csv, data: all.zip/in/*.csv, id: id").archive.digest == whole)
  }

  @Test("rejected records and errors name the part they are in")
  func places() throws {
    try folder.write(Self.header + Self.rows(0..<20), to: "parts/a.csv")
    try folder.write(Self.header + Self.rows(20..<30) + "x,east,5,6\n", to: "parts/b.csv")
    let error = #expect(throws: PipelineError.self) { try build("type: csv, data: parts/*.csv") }
    #expect(
      error?.description.contains("parts/b.csv:12:3: ") == true, "\(error?.description ?? "")")
    let report = try build("type: csv, data: parts/*.csv, onError: {max: 1}")
    let ledger = try #require(report.sources.first?.ledger)
    #expect(ledger.used == 30 && ledger.rejectedTotal == 1 && ledger.balances)
    #expect(ledger.examples.first?.file?.hasSuffix("parts/b.csv") == true)
    #expect(ledger.examples.first?.line == 12)

    try folder.write(Self.header + Self.rows(7..<8), to: "parts/c.csv")
    let twice = #expect(throws: PipelineError.self) {
      try build("type: csv, data: [parts/a.csv, parts/c.csv], id: id")
    }
    #expect(twice?.description.contains("parts/c.csv:2") == true, "\(twice?.description ?? "")")
  }

  @Test("parts that change, appear or go are found, and the archive is that of a full build")
  func changes() throws {
    let source = "type: csv, data: parts/*.csv, id: id"
    for (index, name) in ["a", "b", "c"].enumerated() {
      try folder.write(
        Self.header + Self.rows(index * 300..<(index + 1) * 300), to: "parts/\(name).csv")
    }
    try build(source)
    #expect(try build(source).result == .unchanged)
    func compare() throws {
      #expect(try build(source).result == .published)
      let incremental = try folder.bytes("out.mbtiles")
      try build(source) { ($0.force, $0.noCache) = (true, true) }
      #expect(try folder.bytes("out.mbtiles") == incremental)
    }
    try folder.write(Self.header + Self.rows(0..<250), to: "parts/a.csv")
    try compare()
    try folder.write(Self.header + Self.rows(2000..<2050), to: "parts/d.csv")
    try compare()
    try FileManager.default.removeItem(atPath: folder.path("parts/b.csv"))
    try compare()
  }

  @Test("edits apply to the records of all parts, and each keeps its place")
  func edits() throws {
    try folder.write(Self.header + Self.rows(0..<40), to: "parts/a.csv")
    try folder.write(Self.header + Self.rows(40..<80), to: "parts/b.csv")
    try folder.write(
      "op,id,lng,lat,size\nupsert,50,1.5,2.5,9\ndelete,3,,,\nupsert,500,4,5,6\n", to: "edits.csv")
    let report = try build("type: csv, data: parts/*.csv, id: id, edits: edits.csv")
    #expect(report.sources.first?.ledger.used == 80)
    try folder.write(
      Self.header + Self.rows(0..<3) + Self.rows(4..<50) + "50,1.5,2.5,9\n" + Self.rows(51..<80)
        + "500,4,5,6\n", to: "whole.csv")
    #expect(try build("type: csv, data: whole.csv, id: id").archive.digest == report.archive.digest)
  }

  @Test("GeoJSON in parts, and columns that only one part has")
  func kinds() throws {
    for (name, x) in [("a", 1), ("b", 2)] {
      try folder.write(
        #"{"type":"Feature","properties":{"\#(name)":\#(x),"size":\#(x)},"#
          + #""geometry":{"type":"Point","coordinates":[\#(x),\#(x)]}}"#,
        to: "parts/\(name).geojson")
    }
    let report = try build("type: geojson, data: parts/*.geojson, select: [a, b, size]")
    #expect(report.sources.first?.ledger.used == 2)
    try folder.write("lng,lat,size\n1,2,3\n", to: "parts/a.csv")
    try folder.write("lng,lat,more\n1,2,3\n", to: "parts/b.csv")
    let selected = try build("type: csv, data: parts/*.csv, select: [size, more]")
    #expect(selected.sources.first?.ledger.used == 2)
    let unknown = #expect(throws: PipelineError.self) {
      try build("type: csv, data: parts/*.csv, select: [size, other]")
    }
    #expect(unknown?.description.contains("no column named 'other'") == true)
    let check = try PipelineRunner.check(
      definition("type: csv, data: parts/*.csv"), options: BuildOptions())
    #expect(check.failure == nil && check.sources.first?.examination?.ledger.used == 2)
  }

  @Test("what 'check' says of records names their files")
  func checked() throws {
    try folder.write("id,lng,lat,size\n1,2,3,4\n2,x,4,5\n", to: "parts/a.csv")
    try folder.write("id,lng,lat,size\n1,5,6,7\n", to: "parts/b.csv")
    let check = try PipelineRunner.check(
      definition("type: csv, data: parts/*.csv, id: id, onError: {max: 5}"),
      options: BuildOptions())
    #expect(check.failure?.place?.file.hasSuffix("parts/b.csv") == true)
    let samples = check.findings.flatMap { $0.samples }
    #expect(samples.contains { $0.file?.hasSuffix("parts/b.csv") == true && $0.line == 2 })
  }

  @Test("an answer is not written over a file that a pattern matches")
  func targets() throws {
    try folder.write(Self.header + Self.rows(0..<3), to: "parts/a.csv")
    let guarded = TargetGuard(try definition("type: csv, data: parts/*.csv"))
    #expect(throws: PipelineError.self) { try guarded.check(folder.path("parts/a.csv")) }
    try guarded.check(folder.path("parts/a.json"))
  }

  @Test(
    "what names no files is refused in one sentence",
    arguments: [
      ("parts/*.csv", "no file matches"),
      ("[a.csv, 'http://127.0.0.1/b.csv']", "none of this machine"),
      ("[a.csv, parts]", "is a folder"), ("[a.csv, gone.csv]", "does not exist"),
      ("[a.csv, '-']", "none of this machine"), ("'a.zip/*.csv'", "does not exist"),
      ("'parts/[a.csv'", "not closed"),
    ])
  func refusals(data: String, words: String) throws {
    try folder.write("lng,lat,size\n1,2,3\n", to: "a.csv")
    let error = #expect(throws: PipelineError.self) { try build("type: csv, data: \(data)") }
    #expect(error?.description.contains(words) == true, "\(error?.description ?? "")")
  }

  @Test(
    "a glob matches paths by their steps",
    arguments: [
      ("*.csv", "a.csv", true), ("*.csv", "in/a.csv", false), ("in/*.csv", "in/a.csv", true),
      ("**/*.csv", "a.csv", true), ("**/*.csv", "x/y/a.csv", true), ("x/**", "x/y/a.csv", true),
      ("x/**/a.csv", "x/a.csv", true), ("x/?.csv", "x/ab.csv", false), ("a.csv", "a.csv", true),
      ("[a-c].csv", "d.csv", false), ("a/b", "a", false),
    ])
  func globs(glob: String, path: String, isMatch: Bool) throws {
    #expect(try FileGlob(glob).matches(path) == isMatch)
  }
}
