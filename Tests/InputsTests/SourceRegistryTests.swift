import DefinitionSamples
import TestSupport
import Testing

@testable import Definition
@testable import Pipeline
@testable import Runs

@Suite("Formats of records")
struct SourceRegistryTests {
  @Test(
    "a type with or without its reader's version finds the reader",
    arguments: [
      ("csv", "csv"), ("csv.1", "csv"), ("geojson.1", "geojson"), ("geojsonseq", "geojsonseq"),
    ])
  func found(text: String, name: String) throws {
    #expect(try #require(SourceRegistry.type(text)).type == name)
  }

  @Test(
    "unknown types find no reader", arguments: ["", "csv.", "csv.2", "CSV", "image", "csv.1.1"])
  func notFound(text: String) {
    #expect(SourceRegistry.type(text) == nil)
  }

  @Test("every reader is listed under one name and version")
  func unique() {
    let spellings = SourceRegistry.types.map { "\($0.type).\($0.version)" }
    #expect(Set(spellings).count == spellings.count)
  }

  @Test(
    "a format refuses files that are certainly of another",
    arguments: [
      ("{\"type\":\"FeatureCollection\"}", ["geojson", "geojsonseq"]),
      ("\u{FEFF}\n {", ["geojson", "geojsonseq"]),
      ("\u{1E}{\"type\"", ["geojsonseq"]),
      ("lng,lat,name\n", ["csv"]), ("[{\"height\": 137}]", []), ("<!doctype html>", []),
    ])
  func sniffed(head: String, names: [String]) {
    let found = SourceRegistry.sniffed(Array(head.utf8))
    #expect(found.filter { $0 != "gpkg" } == names)
  }

  @Test(
    "a file of another format is refused with the likely format",
    arguments: [
      ("type: geojson", "lng,lat\n1,2\n", ". The file begins like csv"),
      (
        "type: csv", "{\"type\": \"FeatureCollection\", \"features\": []}",
        ". The file begins like geojson"
      ),
    ])
  func wrongType(type: String, text: String, words: String) throws {
    let folder = try TemporaryFolder()
    try folder.write(text, to: "data")
    let definition = try definition(
      """
      version: 1
      sources: {s: {\(type), data: \(folder.path("data"))}}
      output: {path: \(folder.path("a.mbtiles"))}
      """)
    let error = #expect(throws: PipelineError.self) {
      try PipelineRunner.check(definition, options: BuildOptions(), isQuick: true)
    }
    #expect(error?.description.contains(words) == true)
  }
}
