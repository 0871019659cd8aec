import ArchiveDeltas
import Files
import Foundation
import MBTiles
import PipelineSamples
import SystemPackage
import TestSupport
import Testing

@testable import Archives
@testable import Definition
@testable import Pipeline
@testable import Reports
@testable import Runs

/// Commands on an archive while a build publishes another under its name.
@Suite("An archive that is replaced while it is read")
struct HeldArchiveTests {
  /// Two sound archives, of which the second takes the name of the first.
  private struct Pair {
    let folder: TemporaryFolder
    let path: FilePath
    let digest: String
    let sha256: String

    init() throws {
      folder = try TemporaryFolder()
      path = FilePath(folder.path("a.mbtiles"))
      let samples = [try BuildSample(rows: 60), try BuildSample(rows: 40)]
      let reports = try samples.map { try #require(try $0.build().first) }
      for (sample, name) in zip(samples, ["a", "b"]) {
        for suffix in ["mbtiles", "report.json"] {
          try FileManager.default.copyItem(
            atPath: sample.folder.path("out.\(suffix)"), toPath: folder.path("\(name).\(suffix)"))
        }
      }
      digest = reports[0].archive.digest
      sha256 = reports[0].archive.sha256
      try #require(digest != reports[1].archive.digest)
    }

    /// Publishes the second archive, if that was not done.
    func replace() {
      for suffix in ["mbtiles", "report.json"] {
        let (from, to) = (folder.path("b.\(suffix)"), folder.path("a.\(suffix)"))
        try? DurableFile.rename(FilePath(from), to: FilePath(to))
      }
    }
  }

  @Test("a verification reads one archive to its end, whatever takes its name")
  func verified() throws {
    let pair = try Pair()
    var verifier = ArchiveVerifier(level: .full)
    verifier.imageCheck = { _ in
      pair.replace()
      return nil
    }
    let verification = verifier.verify(pair.path)
    #expect(verification.findings.map(\.message) == [])
    #expect(verification.summary?.hashes?.digest == pair.digest)
    #expect(ArchiveVerifier().verify(pair.path).summary?.hashes?.digest != pair.digest)
  }

  @Test("a verified archive is not compared with the report of the one that took its name")
  func report() throws {
    let pair = try Pair()
    let held = try HeldFile(pair.path)
    // Equal tiles in another file, as after a change of the metadata.
    let report = String(decoding: try pair.folder.bytes("a.report.json"), as: UTF8.self)
    pair.replace()
    try pair.folder.write(
      report.replacing(pair.sha256, with: String(repeating: "0", count: 64)), to: "a.report.json")
    let summary = try ArchiveInspection(pair.path.string).verify(held, Cancellation())
    #expect(summary.faults == [] && summary.conclusion.hasSuffix(pair.digest))
  }

  @Test("a delta names the file that was compared, whatever took its name")
  func delta() throws {
    let pair = try Pair()
    let old = try BuildSample(rows: 50)
    try old.build()
    let delta = pair.folder.path("x.delta")
    let clock = StageClock(
      progress: { event in
        if case .began(stage: "hash", _, _) = event { pair.replace() }
      }, cancellation: Cancellation())
    _ = try ArchiveDifference(
      old: old.folder.path("out.mbtiles"), new: pair.path.string, output: delta, clock: clock
    ).run { _ in }
    let facts = try DeltaReader(FilePath(delta)).facts
    #expect(facts.sha256 == pair.sha256 && facts.end.tiles == pair.digest)
  }

  @Test("a series that is published again while it is verified is verified as it is then")
  func series() throws {
    let sample = try SeriesSample()
    try sample.build()
    let inspection = try SeriesInspection(sample.folder.path("rain.frames.json"))
    try sample.write(7, SeriesSample.picture(3))
    try sample.remove(SeriesSample.name(6))
    try sample.build()
    let summary = try inspection.verify(Cancellation())
    #expect(summary.faults == [] && summary.conclusion == "sound: 2 archives")
  }
}
