import Examination
import Foundation
import Ingest
import PipelineSamples
import SourceStages
import TestSupport
import Testing

@testable import Baking
@testable import Definition
@testable import Pipeline
@testable import Queries
@testable import Reports
@testable import Runs

/// Faults that people run into first, and the words that lead out of them.
@Suite("A first fault says what to write")
struct MessageTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    try folder.write("lng,lat,name\n1,1,a\n2,2,b\n", to: "t.csv")
  }

  private func file(source: String, layer: String) throws -> String {
    try folder.write(
      """
      version: 1
      sources:
        p: {\(source)}
      layers:
        - {\(layer)}
      tiles: {maxzoom: 1}
      output: {path: out.mbtiles}
      """, to: "x.yml")
  }

  /// What ends a build and what `check` ends with, without folders.
  private func failures(
    _ file: String
  ) -> (build: String?, check: String?) {
    func words(_ work: (PipelineDefinition) throws -> PipelineError?) -> String? {
      do {
        let error = try work(PipelineDefinition(contentsOf: file, environment: { _ in nil }))
        return error.map(plain)
      } catch {
        return plain(error)
      }
    }
    return (
      words { definition in
        _ = try PipelineRunner.build(
          definition, options: BuildOptions(), cancellation: Cancellation(), progress: { _ in })
        return nil
      },
      words { try PipelineRunner.check($0, options: BuildOptions()).failure }
    )
  }

  private func plain(_ error: any Error) -> String {
    "\(error)".replacing(folder.url.path + "/", with: "")
  }

  @Test(
    "a column that is not there is set at the key's place in the pipeline file",
    arguments: [
      (
        "x: lon", "t.csv:1: no column named 'lon' in t.csv; columns are lng, lat, name.", "'x:'",
        31
      ),
      (
        "select: [nam]", "t.csv:1: no column named 'nam' in t.csv; columns are lng, lat, name.",
        "'select:'", 31
      ),
      // A build does not read all columns.
      ("id: nobody", "t.csv: no property named 'nobody' in t.csv; properties are ", "'id:'", 31),
      (
        "join: {data: o.csv, on: {left: name, right: nobody}}",
        "o.csv:1: no column named 'nobody' in o.csv; columns are name, owner.", "'on:'", 51
      ),
    ])
  func unknownColumn(source: String, problem: String, key: String, column: Int) throws {
    try folder.write("name,owner\na,Ann\n", to: "o.csv")
    let path = try file(
      source: "type: csv, data: t.csv, \(source)",
      layer: "id: a, type: circle, source: p, paint: {circle-radius: [length, [get, name]]}")
    let failures = failures(path)
    for message in [failures.build, failures.check] {
      #expect(message?.hasPrefix(problem) == true)
      #expect(message?.hasSuffix(". Set \(key) at x.yml:3:\(column).") == true)
    }
  }

  @Test(
    "a colour that YAML takes for a comment is reported at its place",
    arguments: [
      ("      circle-color: #ff5f2a", "9:21"), ("      circle-color:    #abc", "9:24"),
      (
        "      circle-color:\n        - match\n        - [get, name]\n        - a\n        - #f00",
        "13:11"
      ),
    ])
  func commentedColor(line: String, place: String) throws {
    let file = try folder.write(
      """
      version: 1
      sources:
        p: {type: csv, data: t.csv}
      layers:
        - id: a
          type: circle
          source: p
          paint:
      \(line)
      output: {path: out.mbtiles}
      """, to: "x.yml")
    let found = failures(file)
    #expect(
      found.build == "x.yml:\(place): '#' begins a comment here. Put the colour in quotes.")
    #expect(found.check == found.build)
  }

  @Test("a comment behind a key with its value on the lines below is a comment")
  func comment() throws {
    let file = try folder.write(
      """
      version: 1
      sources: #fade
        p: {type: csv, data: t.csv}
      layers: [{id: a, type: circle, source: p}]
      tiles: {maxzoom: 1}
      output: {path: out.mbtiles} #abc
      """, to: "x.yml")
    let found = failures(file)
    #expect(found.build == nil && found.check == nil, "\(found)")
  }

  @Test(
    "a key of another type is reported with the key to write",
    arguments: [
      (
        "type: csv, url: t.csv",
        "'url' in source 'p' is not a key of type csv. Write 'data: t.csv'."
      ),
      (
        "type: csv, file: t.csv",
        "'file' in source 'p' is not a key of type csv. Write 'data: t.csv'."
      ),
      (
        "type: image, data: a.png",
        "'data' in source 'p' is not a key of type image. Write 'url: a.png'."
      ),
      (
        "type: image, file: a.png",
        "'file' in source 'p' is not a key of type image. Write 'url: a.png'."
      ),
      (
        "type: image-series, url: a.json",
        "'url' in source 'p' is not a key of type image-series. Write 'frames: a.json'."
      ),
      (
        "type: csv, data: t.csv, url: t.csv",
        "'url' in source 'p' is not a key of type csv; it belongs to image."
      ),
    ])
  func keyOfAnotherType(source: String, words: String) throws {
    let found = failures(try file(source: source, layer: "id: a, type: circle, source: p"))
    #expect(found.build?.hasSuffix(words) == true, "\(found)")
    #expect(found.check == found.build)
  }

  @Test(
    "a text condition under 'filter' is redirected to 'where'",
    arguments: [
      ("type: csv, data: t.csv, filter: \"city = 'Berlin'\"", "id: a, type: circle, source: p"),
      ("type: csv, data: t.csv", "id: a, type: circle, source: p, filter: \"city = 'Berlin'\""),
    ])
  func conditionAsFilter(source: String, layer: String) throws {
    let found = failures(try file(source: source, layer: layer))
    #expect(found.build?.contains("where: \"city = 'Berlin'\"") == true, "\(found)")
    #expect(found.check == found.build)
  }

  @Test("a paint property beside 'paint' is redirected into it")
  func propertyOutside() throws {
    let found = failures(
      try file(
        source: "type: csv, data: t.csv", layer: "id: a, type: circle, source: p, circle-radius: 4")
    )
    #expect(
      found.build
        == "x.yml:5:38: 'circle-radius' in layer 'a' is not a key of type circle. "
        + "Write it within 'paint'."
    )
  }

  @Test("a GeoPackage with several tables mentions that all of them can be read")
  func allTables() throws {
    var query = QueryOptions()
    query.format = .gpkg
    query.output = folder.path("two.gpkg")
    let two = try folder.write(
      """
      version: 1
      sources:
        p: {type: csv, data: t.csv}
        q: {type: csv, data: t.csv}
      layers: [{id: a, type: circle, source: p}]
      tiles: {maxzoom: 1}
      output: {path: out.mbtiles}
      """, to: "two.yml")
    _ = try PipelineRunner.query(
      PipelineDefinition(contentsOf: two, environment: { _ in nil }), query: query,
      options: BuildOptions(), cancellation: Cancellation(), progress: { _ in },
      write: { _ in })
    let found = failures(
      try file(source: "type: gpkg, data: two.gpkg", layer: "id: a, type: circle, source: p"))
    #expect(
      found.build?.contains("Set 'table:' to one, or to \"*\" for all of them; tables are") == true,
      "\(found)")
  }

  /// Files that are no records, by their first bytes, and part of the line that converts each.
  static let foreign: [(name: String, head: [UInt8], words: String, line: String)] = [
    (
      "a.shp", [0, 0, 0x27, 0x0A] + Array(repeating: 0, count: 96), "a shapefile", "type: ogr"
    ),
    ("a.fgb", Array("fgb\u{3}fgb\0rest".utf8), "a FlatGeobuf file", "type: ogr"),
    ("a.parquet", Array("PAR1\u{15}\u{4}".utf8) + [0xFF], "a Parquet file", "duckdb"),
    ("a.arrow", Array("ARROW1\0\0".utf8), "an Arrow file", "ogr2ogr -f GPKG"),
    (
      "a.xlsx", Array("PK\u{3}\u{4}[Content_Types].xml PK\u{3}\u{4}xl/workbook.xml".utf8),
      "a spreadsheet", "type: csv"
    ),
    ("a.zip", Array("PK\u{3}\u{4}roads.shp".utf8), "a zip archive with a shapefile", "type: ogr"),
    ("a.kmz", Array("PK\u{3}\u{4}doc.kml".utf8), "a KMZ file", "type: ogr"),
    ("a.gif", Array("GIF89a".utf8) + [1, 0, 0xFF], "a GIF image", "gdal_translate -of PNG"),
    (
      "a.tif", Array("II*\0".utf8) + [8, 0, 0, 0], "a TIFF image",
      "It is a source of 'type: image'."
    ),
    (
      "f.json", Array(#"[{"type":"Feature","properties":{},"geometry":null}]"#.utf8),
      "a JSON array",
      "jq -c '.[]'"
    ),
  ]

  @Test(
    "a file of a foreign format is recognized by its bytes, with the command that converts it",
    arguments: foreign, ["csv", "geojson", "geojsonseq", "gpkg"])
  func foreignFile(
    file: (name: String, head: [UInt8], words: String, line: String), type: String
  ) throws {
    try Data(file.head).write(to: folder.url.appendingPathComponent(file.name))
    let found = failures(
      try self.file(
        source: "type: \(type), data: \(file.name)", layer: "id: a, type: circle, source: p"))
    #expect(found.build?.hasPrefix("\(file.name): The file is \(file.words)") == true, "\(found)")
    #expect(found.build?.contains(file.line) == true && found.build?.contains("iconv") == false)
    #expect(found.check == found.build)
  }

  @Test(
    "an image of a foreign format is reported with the command that converts it",
    arguments: ["gif", "tif"])
  func foreignImage(name: String) throws {
    let head = try #require(Self.foreign.first { $0.name == "a.\(name)" }).head
    try Data(head).write(to: folder.url.appendingPathComponent("a.\(name)"))
    let found = failures(
      try file(
        source: "type: image, url: a.\(name), bounds: [0, 0, 1, 1]",
        layer: "id: a, type: raster, source: p"))
    #expect(found.build?.contains("Convert it: gdal_translate -of PNG") == true, "\(found)")
    #expect(found.check == found.build)
  }

  @Test("swapped coordinates are named by the build like by check")
  func swapped() throws {
    try folder.write(
      "lng,lat,name\n" + (0..<30).map { "\(30 + $0 % 9).5,1\($0 + 10).25,a\n" }.joined(),
      to: "s.csv")
    let refused = failures(
      try file(source: "type: csv, data: s.csv", layer: "id: a, type: circle, source: p"))
    let words = "Longitude and latitude seem to be exchanged: 30 of 30 latitudes are beyond ±90°"
    #expect(refused.build?.contains(words) == true, "\(refused)")
    #expect(refused.build?.contains("Set 'x: lat' and 'y: lng'.") == true)
    #expect(refused.check == refused.build)
    let tolerated = failures(
      try file(
        source: "type: csv, data: s.csv, onError: {max: 50}",
        layer: "id: a, type: circle, source: p"))
    #expect(tolerated.build?.contains(words) == true, "\(tolerated)")
    #expect(tolerated.check == tolerated.build)
  }

  @Test("swapped column names are a note of the build, like in check")
  func swappedByName() throws {
    try folder.write("lat,lng,name\n47.5,8.5,a\n48.25,9.5,b\n", to: "n.csv")
    let definition = try PipelineDefinition(
      contentsOf: file(
        source: "type: csv, data: n.csv, x: lat, y: lng", layer: "id: a, type: circle, source: p"),
      environment: { _ in nil })
    let report = try #require(
      try PipelineRunner.build(
        definition, options: BuildOptions(), cancellation: Cancellation(), progress: { _ in }
      ).first)
    let finding = try #require(
      try PipelineRunner.check(definition, options: BuildOptions()).findings
        .first { $0.kind == .swappedCoordinates })
    #expect(report.notes.count == 1)
    #expect(report.notes.first?.hasSuffix("source 'p': \(finding.sentence)") == true)
  }
}
