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

  @Test("a build stopped repeatedly paints nothing twice, and tells of more tiles each time")
  func again() throws {
    let tileset = try EditedTileset(records: 400, seed: 22, maxZoom: 8, snap: 0)
    let whole = try tileset.wholeArchive()
    let scenes = try tileset.build(noCache: true, output: "count.mbtiles").tiles.rendered
    var last = 0
    for done in [20, 60, 100] {
      let error = try stop(tileset, in: "tiles", after: done, threads: 1)
      #expect(error?.code == .outOfTime)
      let reach = try #require(error?.reach)
      #expect(reach.stage == RunReach.tiles && reach.done > last)
      last = reach.done
    }
    let report = try tileset.build()
    #expect(report.tiles.rendered > 0 && report.tiles.rendered + report.tiles.reused == scenes)
    #expect(try tileset.archive() == whole)
  }

  @Test("a build whose time is over with its last picture publishes")
  func lastPicture() throws {
    let tileset = try EditedTileset(records: 120, seed: 26, maxZoom: 7, snap: 0)
    let whole = try tileset.wholeArchive()
    let rows = try tileset.build(noCache: true, output: "count.mbtiles").tiles.planned
    _ = try stop(tileset, in: "tiles", after: 10, threads: 1)
    let cancellation = Cancellation(maxSeconds: 3600)
    let ends = Atomic<Int>(0)
    _ = try tileset.build(threads: 1, cancellation: cancellation) { event in
      guard case .advanced("tiles", rows, _) = event else { return }
      ends.add(1, ordering: .relaxed)
      cancellation.runOut()
    }
    #expect(ends.load(ordering: .relaxed) > 0)
    #expect(try tileset.archive() == whole)
  }

  @Test(
    "a build whose tiles are painted ends what remains beyond its time",
    arguments: ["dedup", "flat"], ["index", "verify", "publish"])
  func rest(layout: String, stage: String) throws {
    let tileset = try EditedTileset(records: 120, seed: 25, maxZoom: 7, snap: 0)
    try tileset.replace("layout: dedup", by: "layout: \(layout)")
    let whole = try tileset.wholeArchive()
    _ = try stop(tileset, in: "tiles", after: 10, threads: 1)
    let cancellation = Cancellation(maxSeconds: 3600)
    _ = try tileset.build(cancellation: cancellation) { event in
      if case .began(stage, _, _) = event { cancellation.runOut() }
    }
    #expect(try tileset.archive() == whole)
    #expect(try tileset.artifacts("painted").isEmpty && tileset.artifacts("progress").isEmpty)
  }

  @Test(
    "a build with taps is done after some runs, though its time is over soon in each",
    arguments: ["compact", "utfgrid"], ["1", "[1, 2]"])
  func taps(format: String, scale: String) throws {
    let tileset = try EditedTileset(records: 400, seed: 27, maxZoom: 8, snap: 0)
    try tileset.replace(
      "snap: 0,", by: "snap: 0, scale: \(scale), interactivity: {format: \(format)},")
    let whole = try tileset.wholeArchive()
    // Each run may paint so much, then its time is over.
    let runs = try runsUntilDone(tileset) { event in
      if case .advanced("tiles", let done, _) = event { return done }
      return nil
    }
    #expect(runs > 2)
    #expect(try tileset.archive() == whole)
  }

  /// Builds until an archive is published, each time with a limit after the second step beyond the last
  /// run's.
  private func runsUntilDone(
    _ tileset: EditedTileset, step: @escaping @Sendable (ProgressEvent) -> Int?
  ) throws -> Int {
    let farthest = Atomic<Int>(0)
    for run in 1...60 {
      let cancellation = Cancellation(maxSeconds: 3600)
      let steps = Atomic<Int>(0)
      let start = farthest.load(ordering: .relaxed)
      do {
        _ = try tileset.build(cancellation: cancellation) { event in
          guard let done = step(event), done > start else { return }
          farthest.store(done, ordering: .relaxed)
          if steps.add(1, ordering: .relaxed).newValue == 2 { cancellation.runOut() }
        }
        return run
      } catch let error as PipelineError {
        #expect(error.code == .outOfTime, "\(error)")
      }
    }
    Issue.record("no archive after 60 runs")
    return 60
  }

  @Test("a build whose scenes take longer than its time keeps the tiles of each zoom")
  func zooms() throws {
    let tileset = try EditedTileset(records: 120, seed: 28, maxZoom: 7, snap: 0)
    let whole = try tileset.wholeArchive()
    #expect(try stop(tileset, in: "scene", after: 0, threads: 1)?.code == .outOfTime)
    var runs = 0
    while runs < 20 {
      runs += 1
      let cancellation = Cancellation(maxSeconds: 3600)
      do {
        _ = try tileset.build(cancellation: cancellation) { event in
          if case .ended(let stage) = event, stage.name == "tiles" { cancellation.runOut() }
        }
        break
      } catch let error as PipelineError {
        #expect(error.code == .outOfTime && error.reach?.stage == RunReach.zooms)
      }
    }
    // A zoom in each; the last one ends beyond its time.
    #expect(runs == 6)
    #expect(try tileset.archive() == whole)
    #expect(try tileset.artifacts("painted").isEmpty && tileset.artifacts("progress").isEmpty)
  }

  @Test(
    "a build that got no farther than an earlier one has an error of its own, until its input changes",
    arguments: ["ingest", "cluster"])
  func stalled(stage: String) throws {
    var tileset = try EditedTileset(records: 60, seed: 29, maxZoom: 5, snap: 0)
    #expect(try stop(tileset, in: stage, after: 0, threads: 1)?.code == .outOfTime)
    let error = try stop(tileset, in: stage, after: 0, threads: 1)
    #expect(error?.code == .stalled && error?.exitCode == 76)
    #expect(error?.message.contains("Raise --max-seconds") == true)
    try tileset.make(.add)
    #expect(try stop(tileset, in: stage, after: 0, threads: 1)?.code == .outOfTime)
    _ = try tileset.build()
    #expect(try tileset.artifacts("progress").isEmpty)
  }

  @Test("a run on a slower machine is none that the next one follows, a second one is")
  func slower() throws {
    let tileset = try EditedTileset(records: 400, seed: 30, maxZoom: 8, snap: 0)
    #expect(try stop(tileset, in: "tiles", after: 20, threads: 1)?.code == .outOfTime)
    #expect(try stop(tileset, in: "cluster", after: 0, threads: 1)?.code == .outOfTime)
    #expect(try stop(tileset, in: "cluster", after: 0, threads: 1)?.code == .stalled)
    // What got farther counts anew.
    #expect(try stop(tileset, in: "tiles", after: 60, threads: 1)?.code == .outOfTime)
    #expect(try stop(tileset, in: "cluster", after: 0, threads: 1)?.code == .outOfTime)
  }

  @Test("a build whose time is over before any scene paints something in each run, and ends")
  func scenes() throws {
    let tileset = try EditedTileset(records: 120, seed: 32, maxZoom: 7, snap: 0)
    let whole = try tileset.wholeArchive()
    #expect(try stop(tileset, in: "scene", after: 0, threads: 1)?.code == .outOfTime)
    var reaches: [RunReach] = []
    while reaches.count < 100 {
      let cancellation = Cancellation(maxSeconds: 3600)
      do {
        _ = try tileset.build(threads: 1, cancellation: cancellation) { event in
          if case .began("scene", _, _) = event { cancellation.runOut() }
        }
        break
      } catch let error as PipelineError {
        #expect(error.code == .outOfTime, "\(error)")
        reaches.append(try #require(error.reach))
      }
    }
    #expect((2..<100).contains(reaches.count))
    #expect(zip(reaches, reaches.dropFirst()).allSatisfy { $0 < $1 })
    #expect(try tileset.archive() == whole)
  }

  @Test("a run whose scenes take too long after tiles were painted is followed by one zoom by zoom")
  func slowerScenes() throws {
    let tileset = try EditedTileset(records: 400, seed: 31, maxZoom: 8, snap: 0)
    let whole = try tileset.wholeArchive()
    #expect(try stop(tileset, in: "tiles", after: 20, threads: 1)?.code == .outOfTime)
    #expect(try stop(tileset, in: "scene", after: 0, threads: 1)?.code == .outOfTime)
    var runs = 0
    while runs < 20 {
      runs += 1
      let cancellation = Cancellation(maxSeconds: 3600)
      do {
        _ = try tileset.build(cancellation: cancellation) { event in
          if case .ended(let stage) = event, stage.name == "tiles" { cancellation.runOut() }
        }
        break
      } catch let error as PipelineError {
        #expect(error.code == .outOfTime && error.reach?.stage == RunReach.zooms)
      }
    }
    #expect((2..<20).contains(runs))
    #expect(try tileset.archive() == whole)
  }

  @Test("a series is done after as many runs as it has frames, if each has time for one")
  func frames() throws {
    let sample = try SeriesSample()
    let whole = try SeriesSample()
    try whole.build()
    for run in 1...3 {
      let cancellation = Cancellation(maxSeconds: 3600)
      let build = {
        try PipelineRunner.build(
          try sample.definition(), options: BuildOptions(), cancellation: cancellation,
          progress: { event in
            if case .ended(let stage) = event, stage.name == "verify" { cancellation.runOut() }
          })
      }
      guard run < 3 else {
        _ = try build()
        break
      }
      #expect(#expect(throws: PipelineError.self) { try build() }?.code == .outOfTime)
    }
    #expect(try sample.outputs() == whole.outputs())
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
