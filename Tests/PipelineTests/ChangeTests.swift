import Definition
import DefinitionSamples
import Features
import Ingest
import OrderedCollections
import Pipeline
import RecordChanges
import Reports
import Runs
import TestSupport
import Testing

@Suite("Edits and joins of a pipeline")
struct ChangeTests {
  private func pipeline(_ keys: String, type: String = "csv", id: String = "id: key") -> String {
    """
    version: 1
    sources:
      shops:
        type: \(type)
        data: shops.csv
        \(id)
        \(keys)
    layers:
      - {id: dot, type: circle, source: shops}
    tiles: {maxzoom: 2}
    """
  }

  private func changes(_ keys: String) throws -> ChangeDefinition {
    try #require(try definition(pipeline(keys)).sources[0].records).changes
  }

  @Test("an edit log is one file, several, or an object with options")
  func edits() throws {
    #expect(try changes("select: [a]").isEmpty)
    let one = try #require(try changes("edits: log.csv").edits)
    #expect(one.files.map(\.path) == ["pipelines/log.csv"])
    #expect(one.files.map(\.form) == [.csv])
    #expect(one.operation == "op" && one.time == "time")
    let two = try #require(try changes("edits: [a.CSV, b.geojsonl]").edits)
    #expect(two.files.map(\.form) == [.csv, .geojsonseq])
    let more = try #require(
      try changes("edits: {data: [a.log, b.log], type: csv, op: _op, time: at}").edits)
    #expect(more.files.map(\.form) == [.csv, .csv])
    #expect(more.operation == "_op" && more.time == "at")
  }

  @Test("a missing optional edit log counts as empty, with a note", arguments: [true, false])
  func optionalLog(isOptional: Bool) throws {
    let folder = try TemporaryFolder()
    try folder.write("lng,lat,key\n1,1,a\n2,2,b\n", to: "shops.csv")
    let file = try folder.write(
      pipeline("edits: {data: log.csv, optional: \(isOptional)}")
        + "\noutput: {path: out.mbtiles}\n", to: "x.yml")
    func build() throws -> BuildReport {
      try #require(
        PipelineRunner.build(
          PipelineDefinition(contentsOf: file, environment: { _ in nil }),
          options: BuildOptions(), cancellation: Cancellation(), progress: { _ in }
        ).first)
    }
    guard isOptional else {
      let error = #expect(throws: PipelineError.self) { try build() }
      #expect(error?.code == .missingInput && error?.message.contains("optional: true") == true)
      return
    }
    let first = try build()
    #expect(first.sources[0].ledger.used == 2)
    #expect(first.notes.contains { $0.contains("is not there yet") })
    #expect(try build().result == .unchanged)
    try folder.write("op,key,lng,lat\ndelete,a,,\n", to: "log.csv")
    let second = try build()
    #expect(second.result == .published && second.sources[0].ledger.used == 1)
    #expect(!second.notes.contains { $0.contains("is not there yet") })
  }

  @Test("a table is joined on one name or two")
  func joins() throws {
    let join = try changes("join: {data: o.csv, on: bbl, select: [owner], prefix: o_}").joins[0]
    #expect(join.path == "pipelines/o.csv")
    #expect((join.options.left, join.options.right) == ("bbl", "bbl"))
    #expect(join.options.select == ["owner"] && join.options.prefix == "o_")
    let joins = try changes(
      """
      join:
            - {data: a.csv, on: {left: BBL, right: bbl}, onDuplicate: last}
            - {data: b.tsv, on: owner, delimiter: tab, types: {zip: string}}
      """
    ).joins
    #expect((joins[0].options.left, joins[0].options.right) == ("BBL", "bbl"))
    #expect(joins[0].options.onDuplicate == .last)
    #expect(joins[1].options.csv.delimiter == UInt8(ascii: "\t"))
    #expect(joins[1].options.csv.types["zip"] == .string)
  }

  @Test(
    "invalid edits and joins are refused with their place",
    arguments: [
      ("edits: log.txt.gz", "does not show the form of this log"),
      ("edits: {data: a.csv, op: x, time: x}", "'op' and 'time' are both 'x'"),
      ("edits: https://example.com/a.csv", "must be local files"),
      ("edits: {file: a.csv}", "unknown key 'file' in edits"),
      ("join: {data: a.csv}", "has no 'on'"),
      ("join: {data: a.csv, on: {left: x}}", "has no 'right'"),
      ("join: {data: a.csv, on: x, delimiter: ab}", "'delimiter' must be one ASCII character"),
    ])
  func faults(keys: String, words: String) {
    let error = #expect(throws: PipelineError.self) { try changes(keys) }
    #expect(error.map { "\($0)".contains(words) } == true, "\(error.map { "\($0)" } ?? "")")
  }

  @Test("an edit log needs the key column, unless the format has ids")
  func key() throws {
    let error = #expect(throws: PipelineError.self) {
      try definition(pipeline("edits: log.csv", id: ""))
    }
    #expect(error.map { "\($0)".contains("'edits' needs 'id'") } == true)
    #expect(throws: Never.self) {
      try definition(pipeline("edits: log.csv", type: "geojson", id: ""))
    }
  }
}
