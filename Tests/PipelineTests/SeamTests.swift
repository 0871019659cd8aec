import Features
import Foundation
import Ingest
import PipelineSamples
import SystemPackage
import TestSupport
import Testing
import Tiling

@testable import Baking
@testable import Definition
@testable import Inputs
@testable import Pipeline
@testable import Queries
@testable import Runs

/// What one piece must pass on to the next: readers over readers, options over stages.
@Suite("Seams between readers and stages")
struct SeamTests {
  private let points = "lng,lat,name\n1,1,A\n2,2,B\n"

  private func joined(_ keys: String = "") throws -> QuerySample {
    try QuerySample(
      [("p", "type: csv, data: p.csv, join: {data: o.csv, on: name}\(keys)")],
      files: [("p.csv", points), ("o.csv", "name,owner\nA,Ann\nB,Bob\n")])
  }

  @Test("coordinates of a joined CSV source are not properties")
  func joinedCoordinates() throws {
    let text = try joined().text()
    #expect(text.contains(#""properties":{"name":"A","owner":"Ann"}"#), "\(text)")
  }

  @Test("a column of a joined table can be selected")
  func selectedOfTable() throws {
    let sample = try joined(", select: [owner]")
    #expect(try sample.text().contains(#""properties":{"owner":"Bob"}"#))
    _ = try PipelineRunner.check(sample.definition, options: BuildOptions(), isQuick: true)
    let wrong = try QuerySample(
      [("p", "type: csv, data: p.csv, select: [nome], join: {data: o.csv, on: name, prefix: o_}")],
      files: [("p.csv", points), ("o.csv", "name,owner\nA,Ann\n")])
    #expect(wrong.fault { _ in }.contains("no column named 'nome'"))
    #expect(throws: PipelineError.self) {
      try PipelineRunner.check(wrong.definition, options: BuildOptions(), isQuick: true)
    }
  }

  @Test("a query overwrites no file that the pipeline reads, by whatever name")
  func output() throws {
    let sample = try joined()
    let folder = sample.folder
    try FileManager.default.createSymbolicLink(
      atPath: folder.path("link"), withDestinationPath: folder.path("p.csv"))
    for name in ["p.csv", "o.csv", "x.yml", "link"] {
      #expect(
        sample.fault { $0.output = folder.path(name) }.contains("Name another file"), "\(name)")
    }
    #expect(sample.fault { $0.output = folder.path("new.json") } == "none")
  }

  @Test(
    "a query's condition does not decide which of two records holds an id",
    arguments: [("first", 1), ("last", 2)])
  func holders(policy: String, kept: Int) throws {
    let source = try QuerySample(
      [("p", "type: csv, data: p.csv")], files: [("p.csv", "lng,lat,k,x\n1,1,a,1\n2,2,a,2\n")])
    let file = source.folder.path("p.gpkg")
    _ = try source.text { ($0.format, $0.output) = (.gpkg, file) }
    let sample = try QuerySample(
      [("p", "type: gpkg, data: \(file), id: k, onDuplicateId: \(policy)")], files: [])
    for x in 1...2 {
      let count = try sample.text { ($0.whereText, $0.countsOnly) = ("x = \(x)", true) }
      #expect(count == (x == kept ? "1\n" : "0\n"), "x = \(x)")
    }
  }

  @Test("clusters and shapes of one source keep their values under their own names")
  func columnsOfClusters() throws {
    let point = #"{"type":"Feature","geometry":{"type":"Point","coordinates":[1,1]}"#
    let line = #"{"type":"Feature","geometry":{"type":"LineString","coordinates":[[1,1],[2,2]]}"#
    let sample = try QuerySample(
      [("s", "type: geojsonseq, data: s.jsonl")],
      files: [
        (
          "s.jsonl",
          point + #","properties":{"a":1}}"# + "\n" + line + #","properties":{"b":2}}"# + "\n"
        )
      ])
    let lines = try sample.lines { ($0.clusterZoom, $0.format) = (3, .csv) }
    let names = lines[0].split(separator: ",", omittingEmptySubsequences: false)
    let last = lines[2].split(separator: ",", omittingEmptySubsequences: false)
    #expect(names.suffix(2) == ["a", "b"])
    #expect(last.suffix(2) == ["", "2"], "\(lines)")
    let selected = try sample.lines { ($0.clusterZoom, $0.format, $0.select) = (3, .csv, ["b"]) }
    #expect(selected[1].hasSuffix(",") && selected[2].hasSuffix(",2"), "\(selected)")
  }

  @Test("the responses to a template determine their form before the first record")
  func answers() throws {
    let texts = [points, "lng,lat,size\n1,1,7\n"]
    let parts = texts.map { text in
      ConcatenatingReader.Part(name: nil) { () throws(SourceError) in
        try CSVReader(try SourceInput.bytes(Array(text.utf8), name: "a").stream())
      }
    }
    var reader = try ConcatenatingReader(parts, hasRepeats: true)
    #expect(reader.geometryColumns == ["lng", "lat"])
    #expect(reader.propertyNames == ["lng", "lat", "name"])
    var batch = FeatureBatch()
    var values: [String] = []
    while try reader.read(into: &batch) {
      for row in 0..<batch.count {
        values.append(
          batch.columns.dropFirst(2).compactMap { column in
            column.text(row).map { "\(column.name)=\($0)" }
          }.joined(separator: " "))
      }
    }
    #expect(values == ["name=A", "name=B", "size=7"])
  }

  @Test(
    "a system error is not reported as a bug of ours",
    arguments: [(Errno.noSpace, Int32(74)), (.ioError, 74), (.permissionDenied, 77)])
  func systemError(error: Errno, status: Int32) {
    #expect(PipelineError(wrapping: error).exitCode == status)
  }

  @Test("a picture of a frame behind a url uses the fetcher, and leaves no temporary files")
  func frameOfURL() throws {
    let folder = try TemporaryFolder()
    let file = try folder.write(
      """
      version: 1
      sources:
        rain:
          type: image-series
          frames: [{time: 2014-01-19T06:00, image: 'http://127.0.0.1:9/a.png'}]
          bounds: [0, 0, 10, 10]
      layers: [{id: rain, type: raster, source: rain}]
      tiles: {maxzoom: 1}
      output: {path: rain.mbtiles}
      """, to: "x.yml")
    let definition = try PipelineDefinition(contentsOf: file, environment: { _ in nil })
    var options = BuildOptions()
    (options.offline, options.noCache) = (true, true)
    options.temporaryFolder = folder.path("")
    let error = #expect(throws: PipelineError.self) {
      try PipelineRunner.tile(
        definition, tile: TileCoord(z: 0, x: 0, y: 0), scale: 1, options: options,
        cancellation: Cancellation(), progress: { _ in })
    }
    #expect(error?.code == .fetchFailed, "\(error.map { "\($0)" } ?? "")")
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.path(""))
    #expect(!names.contains { $0.hasPrefix("quadrille-fetch") })
  }
}
