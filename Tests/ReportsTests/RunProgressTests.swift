import Reports
import Runs
import Testing

@Suite("The progress of a run")
struct RunProgressTests {
  /// The stages of a build of two archives, the second of which takes the sources of the first.
  private static let stages = [
    "ingest", "cluster", "scene", "scene", "estimate", "tiles", "index", "verify", "publish",
    "estimate", "tiles", "index", "verify", "publish",
  ]

  /// Sends the events of stages that advance in four steps, a second each.
  ///
  /// - Returns: the share after each event.
  private func shares(
    _ stages: [String], of run: inout RunProgress, now: inout Double
  ) -> [Double] {
    var meter = ProgressMeter()
    var shares: [Double] = []
    for stage in stages {
      let steps = (1...4).map { ProgressEvent.advanced(stage: stage, done: $0, zoom: nil) }
      for event in [.began(stage: stage, total: 4, unit: .tiles)] + steps + [
        .ended(StageTime(name: stage, seconds: 4))
      ] {
        now += 1
        meter.update(event, now: now)
        run.update(event, stageShare: meter.share)
        shares.append(run.share)
      }
    }
    return shares
  }

  @Test("grows from 0 to 1 over all stages, archives and pipelines, and never shrinks")
  func growth() {
    var now = 0.0
    var run = RunProgress(pipelines: 2, now: now)
    run.begin(pipeline: 0, archives: 2)
    let first = shares(Self.stages, of: &run, now: &now)
    #expect(first == first.sorted() && first[0] < 0.05)
    #expect((0.45...0.5).contains(run.share))
    run.begin(pipeline: 1, archives: 2)
    #expect(run.share == 0.5)
    let second = shares(Self.stages, of: &run, now: &now)
    #expect(second == second.sorted() && (0.95...1).contains(run.share))
  }

  @Test("stands still where early stages are repeated, and jumps over those that are left out")
  func repetition() {
    var now = 0.0
    var run = RunProgress(now: now)
    run.begin(pipeline: 0, archives: 1)
    _ = shares(["ingest", "cluster", "scene"], of: &run, now: &now)
    let share = run.share
    #expect(Set(shares(["ingest", "scene"], of: &run, now: &now)) == [share])
    _ = shares(["verify", "publish", "tiles", "publish", "no such stage"], of: &run, now: &now)
    #expect(run.share > 0.95)
  }

  @Test("a frame of a series counts as an archive")
  func series() {
    var now = 0.0
    var run = RunProgress(now: now)
    run.begin(pipeline: 0, archives: 1)
    let all = shares(
      ["frames", "decode", "ingest", "tiles", "verify", "decode", "tiles", "verify"], of: &run,
      now: &now)
    // Two of four frames are done but for publishing.
    #expect(all == all.sorted() && (0.45...0.55).contains(run.share))
  }

  @Test("the time left is what the rest takes at the speed so far, once that is known")
  func time() throws {
    var run = RunProgress(now: 100)
    run.begin(pipeline: 0, archives: 1)
    #expect(run.secondsLeft(now: 200) == nil)
    run.update(.began(stage: "tiles", total: 10, unit: .tiles), stageShare: 0)
    #expect(run.secondsLeft(now: 101) == nil)
    let left = try #require(run.secondsLeft(now: 110))
    #expect(abs(left - 10 * (1 - run.share) / run.share) < 1e-9)
  }

  @Test("the bar shows the share of the run, the time left and the stage, and fits the terminal")
  func bar() {
    var meter = ProgressMeter()
    var run = RunProgress(now: 0)
    for event in [
      ProgressEvent.began(stage: "tiles", total: 1000, unit: .tiles),
      .advanced(stage: "tiles", done: 500, zoom: 7),
    ] {
      meter.update(event, now: 1)
      run.update(event, stageShare: meter.share)
    }
    let bar = run.bar(now: 10, width: 120, stage: meter)
    let percent = Int(run.share * 100)
    #expect(bar.contains("░  \(percent) %  "), "\(bar)")
    #expect(bar.hasSuffix(" s to go  tiles z7  500 of 1,000 tiles"), "\(bar)")
    for width in [20, 40, 60, 80] {
      #expect(run.bar(now: 10, width: width, stage: meter).count < width)
    }
  }
}
