import Definition
import DefinitionSamples
import Features
import Foundation
import Runs
import TestSupport
import Testing

@Suite("Errors")
struct ErrorTests {
  @Test("every error code has its exit status")
  func exitCodes() {
    let expected: [(PipelineError.Code, Int32)] = [
      (.usage, 64), (.badData, 65), (.unexpected, 65), (.missingInput, 66), (.fetchFailed, 69),
      (.bug, 70), (.cannotCreate, 73), (.inputOutput, 74), (.locked, 75), (.permission, 77),
      (.definition, 78), (.outOfTime, 75), (.stalled, 76),
    ]
    for (code, status) in expected { #expect(PipelineError(code, "").exitCode == status) }
    #expect(PipelineError.interrupted(by: 2).exitCode == 130)
    #expect(PipelineError.interrupted(by: 15).exitCode == 143)
    #expect(expected.count + 1 == PipelineError.Code.allCases.count)
  }

  @Test(
    "a source's failure keeps its place and becomes the matching code",
    arguments: [
      (SourceError.Code.missing, PipelineError.Code.missingInput), (.permission, .permission),
      (.io, .inputOutput), (.badData, .badData), (.configuration, .definition),
    ])
  func sourceErrors(code: SourceError.Code, mapped: PipelineError.Code) {
    let source = SourceError(code: code, file: "a.csv", line: 3, column: 4, message: "no.")
    let error = PipelineError(source)
    #expect(error.code == mapped)
    #expect(error.description == "a.csv:3:4: no.")
    #expect(error.description == source.description)
  }

  @Test("a missing file and a folder are reported as such")
  func files() {
    for (path, words) in [
      ("/nowhere/x.yml", "/nowhere/x.yml: no such file. Check the path."),
      ("/", "/: this is a folder, not a file."),
    ] {
      do {
        _ = try Document(contentsOf: path, environment: { _ in nil })
        Issue.record("no error")
      } catch {
        #expect(error.description == words)
        #expect(error.exitCode == 66)
      }
    }
  }

  @Test(
    "an archive or database instead of a pipeline file is reported, whatever its size",
    arguments: [
      ("a.mbtiles", "SQLite format 3\0", "an MBTiles archive"),
      ("a.pmtiles", "PMTiles\u{3}", "a PMTiles archive"),
      ("b.yml", "PMTiles\u{3}", "a PMTiles archive"),
      ("a.db", "SQLite format 3\0", "a SQLite database"),
    ], [16, 3 << 20])
  func database(_ kind: (name: String, head: String, words: String), count: Int) throws {
    let folder = try TemporaryFolder()
    let bytes = Array(kind.head.utf8)
    let file = folder.url.appendingPathComponent(kind.name)
    try Data(bytes + [UInt8](repeating: 1, count: count - bytes.count)).write(to: file)
    do {
      _ = try Document(contentsOf: file.path, environment: { _ in nil })
      Issue.record("no error")
    } catch {
      #expect(
        error.description.contains(
          "\(kind.name): this is \(kind.words), where a pipeline or text file is needed."))
      #expect(
        error.description.contains("'quadrille inspect ") == kind.words.hasSuffix("archive"))
      #expect(error.exitCode == 78)
    }
  }

  @Test("the first signal counts, and ends the run at the next check")
  func cancellation() throws {
    let cancellation = Cancellation()
    try cancellation.check()
    cancellation.cancel(signal: 15)
    cancellation.cancel(signal: 2)
    #expect(cancellation.isCancelled)
    #expect(throws: PipelineError.interrupted(by: 15)) { try cancellation.check() }
  }

  @Test("a name is suggested only if it is similar")
  func suggestions() {
    for (typed, near) in [
      ("minzom: 0", "minzoom"), ("mniznoom: 0", "minzoom"), ("zooms: 0", nil),
      ("MINZOOM: 0", "minzoom"),
      ("bouns: [0]", "bounds"), ("colour: 1", nil), ("tilesize: 256", "tileSize"),
      ("fil: none", "fill"), ("snpa: 1", "snap"),
    ] as [(String, String?)] {
      let words = fault(minimal + "\ntiles: {\(typed)}")
      #expect(words.contains("unknown key"))
      #expect(words.contains("did you mean") == (near != nil))
      if let near { #expect(words.contains("did you mean '\(near)'?")) }
    }
  }
}
