import Foundation
import PipelineSamples
import SQLite
import TestSupport
import Testing

@testable import Definition
@testable import Pipeline
@testable import Reports

@Suite("A replaced archive") struct ReplacedArchiveTests {
  private let sample: BuildSample
  private let archive: String

  init() throws {
    sample = try BuildSample(rows: 5, tiles: "{maxzoom: 1}")
    try sample.build()
    archive = sample.folder.path("out.mbtiles")
  }

  /// The notes of a build that makes the archive anew.
  private func notes() throws -> [String] {
    var options = BuildOptions()
    options.noCache = true
    return try sample.build(options).flatMap(\.notes)
  }

  private func removeReport() throws {
    try FileManager.default.removeItem(atPath: sample.folder.path("out.report.json"))
  }

  @Test("an archive of the same pipeline, with or without its report, is replaced without a note")
  func own() throws {
    #expect(try notes() == [])
    try removeReport()
    #expect(try notes() == [])
  }

  @Test(
    "an archive without a report is told to be of another name or program",
    arguments: [
      (
        "UPDATE metadata SET value = 'other' WHERE name = 'name'", "another pipeline, named 'other'"
      ),
      ("DELETE FROM metadata WHERE name LIKE 'quadrille:%'", "made by another program"),
    ])
  func foreign(change: String, words: String) throws {
    try removeReport()
    try Database(path: archive, mode: .readWrite).execute(change)
    let told = try notes()
    #expect(told.count == 1 && told[0].contains(words), "\(told)")
    #expect(try notes() == [])
  }
}
