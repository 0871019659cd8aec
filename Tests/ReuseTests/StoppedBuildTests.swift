import Foundation
import PipelineSamples
import Synchronization
import TestSupport
import Testing

@testable import Definition
@testable import Pipeline
@testable import Reports
@testable import Runs

@Suite("A build whose time is over")
struct StoppedBuildTests {
  /// Runs a build that ends in a stage, once so much of it is done.
  private func stop(
    _ tileset: EditedTileset, in stage: String, after done: Int, threads: Int
  ) throws -> PipelineError? {
    let cancellation = Cancellation(maxSeconds: 3600)
    return #expect(throws: PipelineError.self) {
      try tileset.build(
        threads: threads, cancellation: cancellation,
        progress: { event in
          switch event {
          case .began(stage, _, _) where done == 0: cancellation.runOut()
          case .advanced(stage, let count, _) where count >= done && done > 0: cancellation.runOut()
          default: break
          }
        })
    }
  }

  @Test(
    "a build stopped by its time limit keeps what it painted, and the next run paints the rest",
    arguments: [1, 2])
  func goesOn(threads: Int) throws {
    let tileset = try EditedTileset(records: 120, seed: 21, maxZoom: 7, snap: 0)
    let whole = try tileset.wholeArchive()
    let scenes = try tileset.build(noCache: true, output: "count.mbtiles").tiles.rendered
    #expect(try stop(tileset, in: "tiles", after: 10, threads: threads)?.code == .outOfTime)
    #expect(try !tileset.artifacts("painted").isEmpty)
    let report = try tileset.build()
    #expect(report.tiles.reused > 0 && report.tiles.rendered > 0)
    #expect(report.tiles.reused + report.tiles.rendered == scenes)
    #expect(try tileset.archive() == whole)
    #expect(try tileset.artifacts("painted").isEmpty)
  }

  @Test("a build stopped repeatedly paints nothing twice")
  func again() throws {
    let tileset = try EditedTileset(records: 120, seed: 22, maxZoom: 7, snap: 0)
    let whole = try tileset.wholeArchive()
    _ = try stop(tileset, in: "tiles", after: 20, threads: 1)
    let first = try tileset.artifacts("painted").count
    _ = try stop(tileset, in: "tiles", after: 60, threads: 1)
    #expect(try tileset.artifacts("painted").count == first + 1)
    _ = try stop(tileset, in: "verify", after: 0, threads: 1)
    #expect(try tileset.build().tiles.rendered == 0)
    #expect(try tileset.archive() == whole)
  }

  @Test("a build stopped before it publishes keeps what it made", arguments: ["dedup", "flat"])
  func made(layout: String) throws {
    let tileset = try EditedTileset(records: 60, seed: 25, maxZoom: 6, snap: 0)
    try tileset.replace("layout: dedup", by: "layout: \(layout)")
    let whole = try tileset.wholeArchive()
    _ = try stop(tileset, in: "tiles", after: 10, threads: 1)
    #expect(try stop(tileset, in: "publish", after: 0, threads: 1)?.code == .outOfTime)
    #expect(try tileset.build().tiles.rendered == 0)
    #expect(try tileset.archive() == whole)
    #expect(try tileset.artifacts("painted").isEmpty)
  }

  @Test("a stopped build of a series keeps the finished frames")
  func series() throws {
    let sample = try SeriesSample()
    let whole = try SeriesSample()
    try whole.build()
    let cancellation = Cancellation(maxSeconds: 3600)
    let began = Atomic<Int>(0)
    #expect(throws: PipelineError.self) {
      try PipelineRunner.build(
        try sample.definition(), options: BuildOptions(), cancellation: cancellation,
        progress: { event in
          guard case .began("tiles", _, _) = event else { return }
          if began.add(1, ordering: .relaxed).newValue == 3 { cancellation.runOut() }
        })
    }
    #expect(throws: (any Error).self) { try sample.manifest() }
    let cache = sample.folder.path(".quadrille-cache/artifacts")
    func painted() throws -> [String] {
      try FileManager.default.contentsOfDirectory(atPath: cache).filter {
        $0.hasPrefix("painted-")
      }
    }
    #expect(try painted().count == 2)
    let report = try PipelineRunner.build(
      try sample.definition(), options: BuildOptions(), cancellation: Cancellation(),
      progress: { _ in })[0]
    #expect(report.tiles.reused > 0 && report.tiles.rendered > 0)
    #expect(try sample.outputs() == whole.outputs())
    #expect(try painted().isEmpty)
  }

  @Test(
    "a build ended by a signal, or without caches, keeps nothing", arguments: [true, false])
  func signal(noCache: Bool) throws {
    let tileset = try EditedTileset(records: 60, seed: 23, maxZoom: 6)
    let cancellation = Cancellation(maxSeconds: 3600)
    #expect(throws: PipelineError.self) {
      try tileset.build(
        noCache: noCache, cancellation: cancellation,
        progress: { event in
          guard case .advanced("tiles", _, _) = event else { return }
          if noCache { cancellation.runOut() } else { cancellation.cancel(signal: 15) }
        })
    }
    #expect(try tileset.artifacts("painted").isEmpty)
  }

  @Test("a build does not use what was damaged after it was stopped")
  func damage() throws {
    let tileset = try EditedTileset(records: 60, seed: 24, maxZoom: 7, snap: 0)
    let whole = try tileset.wholeArchive()
    _ = try stop(tileset, in: "tiles", after: 10, threads: 1)
    for path in try tileset.artifacts("painted") {
      var bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
      bytes[bytes.count * 3 / 4] ^= 8
      try Data(bytes).write(to: URL(fileURLWithPath: path))
    }
    #expect(try tileset.build().tiles.reused == 0)
    #expect(try tileset.archive() == whole)
  }
}
