import Definition
import Features
import Fetching
import Foundation
import Ingest
import Inputs
import Runs
import SystemPackage
import TestSupport
import Testing

/// The answers of each way to get bytes.
struct DataOriginTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// Resolves the source of a pipeline in the folder.
  private func source(_ keys: String) throws -> ResolvedSource {
    let text = """
      version: 1
      sources:
        s: {\(keys)}
      layers:
        - {id: l, type: circle, source: s}
      """
    let definition = try PipelineDefinition(
      Document(bytes: Array(text.utf8), file: folder.path("x.yml"), environment: { _ in nil }))
    let resolver = InputResolver(of: definition, folder: FilePath(folder.url.path))
    return try #require(try resolver.located(definition).sources.first)
  }

  private func text(_ content: DataContent) throws -> String? {
    guard let input = try content.first() else { return nil }
    return String(decoding: input.head(), as: UTF8.self)
  }

  @Test("a local file is its own input, digest and size")
  func localFile() throws {
    let path = try folder.write("lng,lat\n1,2\n", to: "a.csv")
    let origin = try source("type: csv, data: a.csv").origin
    #expect(origin.name == path)
    #expect(origin.files == [InputFile(.data, path: path)])
    #expect(origin.digestParts == [.text("file"), .file(path)])
    #expect(origin.storedBytes == 12 && origin.readBytes == 12)
    #expect(origin.canBeReadAgain)
    #expect(try origin.path() == FilePath(path))
    #expect(try text(origin.content()) == "lng,lat\n1,2\n")
  }

  @Test("a file that is not there has no size, and cannot be read again")
  func missingFile() throws {
    let origin = try source("type: csv, data: none.csv").origin
    #expect(origin.storedBytes == nil)
    #expect(!origin.canBeReadAgain)
  }

  @Test("the member of a file that is no zip file fails when it is read, with its name")
  func memberOfPlainFile() throws {
    try folder.write("lng,lat\n", to: "a.zip")
    let origin = try source("type: csv, data: a.zip/b.csv").origin
    #expect(origin.name == folder.path("a.zip/b.csv"))
    #expect {
      try origin.content()
    } throws: { error in
      (error as? SourceError)?.message.contains("has no 'b.csv' in it") == true
    }
  }

  @Test("several files are read in the order of their names, and add up")
  func parts() throws {
    let b = try folder.write("lng,lat\n3,4\n", to: "b.csv")
    let a = try folder.write("lng,lat\n1,2\n", to: "a.csv")
    let origin = try source("type: csv, data: '*.csv'").origin
    #expect(origin.name == "\(a) and 1 more")
    #expect(origin.files.map(\.path) == [a, b])
    #expect(origin.storedBytes == 24 && origin.readBytes == 24)
    #expect(
      origin.digestParts == [
        .text("2 parts"), .text(a), .text("file"), .file(a), .text(b), .text("file"), .file(b),
      ])
    guard case .files(let parts) = try origin.content() else {
      Issue.record("the files are not parts")
      return
    }
    #expect(parts.map(\.name) == [a, b])
    #expect(try origin.path() == nil)
  }

  @Test("a pattern without a match is refused with the source")
  func noMatch() throws {
    #expect {
      try source("type: csv, data: 'none-*.csv'")
    } throws: { error in
      (error as? PipelineError)?.code == .missingInput
    }
  }

  @Test("an object in the pipeline file needs no file, and is not cached")
  func inline() throws {
    let origin = try source(
      "type: geojson, data: {type: Point, coordinates: [1, 2]}"
    ).origin
    #expect(origin.files.isEmpty)
    #expect(origin.digestParts == nil)
    #expect(try text(origin.content()) == #"{"type":"Point","coordinates":[1,2]}"#)
  }

  @Test("a packed file is stored packed and read unpacked, whose size is not known")
  func packed() throws {
    let path = folder.path("a.csv.gz")
    try Data(PackedSample.gzip(Array("lng,lat\n1,2\n".utf8))).write(to: URL(fileURLWithPath: path))
    let origin = try source("type: csv, data: a.csv.gz").origin
    #expect(origin.files == [InputFile(.data, path: path)])
    #expect(origin.readBytes == nil)
    #expect(origin.storedFile == FilePath(path))
    #expect(try text(origin.content()) == "lng,lat\n1,2\n")
    #expect(try origin.path() == nil, "a CSV reader needs no file of its own")
  }

  @Test("data that is elsewhere is missing until it is fetched")
  func remote() throws {
    let source = try source("type: csv, data: 'https://example.com/a.csv'")
    #expect(source.origin.digestParts == nil)
    #expect {
      try source.origin.content()
    } throws: { error in
      (error as? PipelineError)?.message == "the data of source 's' is not a file."
    }
  }

  @Test("the values of a pipeline follow its resolved sources")
  func inStep() throws {
    try folder.write("lng,lat\n", to: "a.csv")
    let source = try source("type: csv, data: a.csv")
    let text = "version: 1\nsources: {}\nlayers: []\n"
    let definition = try PipelineDefinition(
      Document(bytes: Array(text.utf8), file: folder.path("y.yml"), environment: { _ in nil }))
    var pipeline = ResolvedPipeline(definition, sources: [], sprites: [])
    pipeline.sources = [source]
    pipeline.sources[0].records?.maxErrors = 17
    #expect(pipeline.definition.sources.map(\.name) == ["s"])
    #expect(pipeline.definition.sources[0].records?.maxErrors == 17)
  }
}
