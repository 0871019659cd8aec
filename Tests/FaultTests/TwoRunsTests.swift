import Foundation
import Platform
import TestSupport
import Testing

/// Runs that meet: one publishes, the others say that it does.
@Suite("Two runs at once")
struct TwoRunsTests {
  /// A sample whose build takes seconds, and what it makes.
  private static func long() throws -> Sample {
    var settings = Sample.Settings()
    settings.source = "cluster: false"
    settings.tiles = "maxzoom: 11"
    return try Sample(rows: 2000, settings)
  }

  /// Returns once the run holds the lock and writes.
  private func waitForWriting(_ run: Program.Run, _ sample: Sample) throws {
    while run.process.isRunning {
      if try sample.folder.names().contains(where: { $0.hasPrefix(".out.mbtiles.tmp-") }) { return }
      usleep(2000)
    }
    throw SampleFailure(message: "the run ended: \(try run.finish().errors)")
  }

  @Test("a suspended run holds the lock, which gives the other 75, and continues when resumed")
  func stopped() throws {
    let sample = try Self.long()
    let run = try Program.Run(["build", "-q", sample.pipeline])
    try waitForWriting(run, sample)
    let process = run.process.processIdentifier
    kill(process, SIGSTOP)
    for _ in 0..<2 {
      let other = try Program.run("build", "-q", sample.pipeline)
      #expect(other.status == 75 && other.errorLines.count == 1, "\(other.status) \(other.errors)")
    }
    #expect(try sample.folder.names().contains { $0.hasPrefix(".out.mbtiles.tmp-\(process)") })
    kill(process, SIGCONT)
    let outcome = try run.finish()
    #expect(outcome.status == 0, "\(outcome.errors)")
    #expect(try Program.run("verify", sample.archive).status == 0)
  }

  @Test("after a killed run the next one has the lock at once and cleans up")
  func killed() throws {
    let sample = try Self.long()
    let run = try Program.Run(["build", "-q", sample.pipeline])
    try waitForWriting(run, sample)
    kill(run.process.processIdentifier, SIGKILL)
    // The system frees the lock when the process is gone, which takes a moment.
    #expect(try run.finish().status == -9)
    let next = try Program.run("build", "-q", sample.pipeline)
    #expect(next.status == 0, "\(next.errors)")
    #expect(try Program.run("verify", sample.archive).status == 0)
    #expect(try sample.folder.names().allSatisfy { !$0.contains(".tmp-") && !$0.contains(".lock") })
  }

  @Test("of many concurrent runs each publishes, finds nothing to do, or reports the lock")
  func many() throws {
    let expected = try Sample(rows: 100)
    try expected.build("--no-cache")
    let sample = try Sample(rows: 100)
    for _ in 0..<(runsSlowTests ? 10 : 2) {
      let runs = try (0..<4).map { _ in
        try Program.Run(["build", "-q", "--force", sample.pipeline])
      }
      let outcomes = try runs.map { try $0.finish() }
      #expect(outcomes.allSatisfy { [0, 75].contains($0.status) }, "\(outcomes)")
      #expect(outcomes.contains { $0.status == 0 })
      #expect(try sample.folder.bytes("out.mbtiles") == expected.folder.bytes("out.mbtiles"))
    }
    #expect(try sample.folder.names().allSatisfy { !$0.contains(".tmp-") && !$0.contains(".lock") })
  }

  @Test("two pipelines that share a cache folder both publish what they publish alone")
  func sharedCache() throws {
    let sample = try Sample(rows: 200)
    var settings = Sample.Settings()
    settings.output = "path: other.mbtiles"
    settings.layers = settings.layers.replacing("circle-radius: 6", with: "circle-radius: 9")
    let second = try sample.folder.write(Sample.yaml(settings), to: "other.yml")
    let pipelines = [sample.pipeline, second]
    let names = ["out.mbtiles", "other.mbtiles"]
    for pipeline in pipelines {
      #expect(try Program.run("build", "-q", "--no-cache", pipeline).status == 0)
    }
    let expected = try names.map { try sample.folder.bytes($0) }
    for round in 0..<(runsSlowTests ? 10 : 2) {
      // The same data in another order of rows has the same archives, yet other artifacts.
      var random = SplitMix64(seed: UInt64(round))
      try sample.folder.write(
        Sample.csv(Sample.rows(200).shuffled(using: &random)), to: "places.csv")
      let runs = try pipelines.map { try Program.Run(["build", "-q", "--force", $0]) }
      for run in runs {
        let outcome = try run.finish()
        #expect(outcome.status == 0, "\(outcome.errors)")
      }
      let digests = try names.map { try sample.folder.bytes($0).count }
      #expect(digests == expected.map(\.count))
      for name in names {
        #expect(try Program.run("verify", sample.folder.path(name)).status == 0)
      }
    }
  }
}
