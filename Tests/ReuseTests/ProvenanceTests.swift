import Features
import Foundation
import Ingest
import Inputs
import JSON
import MBTiles
import PipelineSamples
import SystemPackage
import TestSupport
import Testing

@testable import Archives
@testable import Definition
@testable import Pipeline
@testable import Reports
@testable import Reuse
@testable import Runs

@Suite("The provenance of an archive")
struct ProvenanceTests {
  private func metadata(_ folder: TemporaryFolder, _ name: String = "out.mbtiles") throws
    -> StoredMetadata
  {
    try ArchiveReader(FilePath(folder.path(name))).metadata
  }

  private func parsed(_ text: String) throws -> PropertyValue {
    try JSONValueParser.parse(Array(text.utf8))
  }

  @Test("provenance names each input with its SHA-256 and rows, and is valid")
  func told() throws {
    let sample = try BuildSample(rows: 30, tiles: "{maxzoom: 1, snap: 1}")
    _ = try sample.build()
    let path = sample.folder.path("out.mbtiles")
    let text = try #require(try metadata(sample.folder)[Provenance.key])
    let digest = try InputDigests().sha256(of: sample.folder.path("places.csv"))
    #expect(text.contains("\"name\": \"places.csv\", \"sha256\": \"\(digest)\""))
    #expect(text.contains("\"rows\": 30"))
    #expect(text.contains("\"version\": \"\(PipelineVersion.current)\""))
    #expect(!text.contains(sample.folder.url.path))
    #expect(try ArchiveInspection(path).verify().faults == [])
    let lines = try ArchiveInspection(path).text().split(separator: "\n")
    #expect(lines.contains { $0.contains("places") && $0.contains("30") && $0.contains(digest) })
  }

  @Test("provenance contains no value of a variable")
  func secret() throws {
    let folder = try TemporaryFolder()
    try folder.write("lng,lat\n1,2\n", to: "hushhush.csv")
    try folder.write(
      """
      version: 1
      sources: {p: {type: csv, data: "${KEY}.csv"}}
      layers: [{id: p, type: circle, source: p}]
      tiles: {maxzoom: 0}
      output: {path: out.mbtiles}
      """, to: "a.yml")
    let definition = try PipelineDefinition(contentsOf: folder.path("a.yml")) {
      $0 == "KEY" ? "hushhush" : nil
    }
    _ = try PipelineRunner.build(
      definition, options: BuildOptions(), cancellation: Cancellation(), progress: { _ in })
    let metadata = try metadata(folder)
    #expect(metadata.entries.allSatisfy { !$0.value.contains("hushhush") })
    #expect(metadata[Provenance.key]?.contains("\"name\": \"***.csv\"") == true)
  }

  @Test("provenance depends only on names and contents, not on folders")
  func folders() throws {
    let archives = try (0..<2).map { _ in
      let sample = try BuildSample(rows: 30, tiles: "{maxzoom: 1, snap: 1}")
      _ = try sample.build()
      return try sample.folder.bytes("out.mbtiles")
    }
    #expect(archives[0] == archives[1])
  }

  @Test("provenance of a frame names its image")
  func frame() throws {
    let sample = try SeriesSample(hours: [6, 7])
    try sample.build()
    let metadata = try metadata(sample.folder, "rain/2014-01-19T0700Z.mbtiles")
    let text = try #require(metadata[Provenance.key])
    #expect(text.contains("2014011907.png") && !text.contains("2014011906.png"))
    #expect(ProvenanceForm(try parsed(text)).fault(ledger: nil, version: nil) == nil)
  }

  @Test("provenance of thousands of files, or of forbidden names, stays short and allowed")
  func limits() throws {
    let digest = String(repeating: "a", count: 64)
    let names = ["C:\\x", "a=/b/c", "tab\tname", "bell\u{7}", "über.csv", "~/x", ""]
    var provenance = Provenance(program: digest, options: digest, sources: [], fonts: [])
    provenance.sources = [
      .init(name: "few", files: names.map { .init(role: .data, name: $0, sha256: digest) }),
      .init(
        name: "many",
        files: (0..<5000).map { .init(role: .data, name: "frame \($0)", sha256: digest) }),
    ]
    let line = provenance.json(rows: ["many": 7]).line
    #expect(ArchiveMetadata.mayHold(line) && line.utf8.count < 3000)
    let ledger = try parsed("{\"many\": {\"read\": 7}}")
    #expect(ProvenanceForm(try parsed(line)).fault(ledger: ledger, version: nil) == nil)
    provenance.sources[1].files[4999].sha256 = String(repeating: "b", count: 64)
    #expect(provenance.json(rows: ["many": 7]).line != line)
  }

  @Test("a ledger with an invalid number of records is a fault")
  func ledger() throws {
    for read in ["1e300", "-1e300", "1.5", "\"x\""] {
      let ledger = try parsed("{\"a\": {\"read\": \(read), \"used\": 2}}")
      #expect(LedgerForm.fault(in: ledger)?.contains("no number of records") == true)
    }
  }

  @Test(
    "malformed provenance in an archive is a fault",
    arguments: [
      ("[]", "is no object"), ("{}", "is no object"),
      ("{\"program\": {\"version\": \"9\"}, \"sources\": {}}", "another version"),
      ("{\"program\": {\"version\": \"1\", \"sha256\": 5}, \"sources\": {}}", "of the program"),
      ("{\"program\": {\"version\": \"1\"}, \"sources\": {}}", "of the options"),
      ("{\"program\": {\"version\": \"1\"}, \"options\": \"#\", \"sources\": {\"a\": 1}}", "'a'"),
      (
        "{\"program\": {\"version\": \"1\"}, \"options\": \"#\", \"sources\": {\"a\": {\"files\": "
          + "[{\"name\": \"x\", \"sha256\": \"00\"}]}}}", "'a'"
      ),
      (
        "{\"program\": {\"version\": \"1\"}, \"options\": \"#\", \"sources\": {\"a\": {\"files\": "
          + "[], \"rows\": 4}}}", "has 4 rows of source 'a', but the ledger says that 5 were read"
      ),
      (
        "{\"program\": {\"version\": \"1\"}, \"options\": \"#\", \"sources\": {\"a\": {\"files\": "
          + "{\"count\": 1.5, \"sha256\": \"#\"}, \"rows\": 5}}}", "'a'"
      ),
    ])
  func faults(json: String, words: String) throws {
    let text = json.replacing("#", with: String(repeating: "0", count: 64))
    let fault = ProvenanceForm(try parsed(text)).fault(
      ledger: try parsed("{\"a\": {\"read\": 5}}"), version: "1")
    #expect(fault?.contains(words) == true, "\(fault ?? "none")")
  }
}
