package import Runs

/// The progress of a whole run that builds archives: one share that only grows, and the time left.
///
/// Every stage has a fixed weight. A run that leaves out stages jumps ahead; one that repeats an
/// early stage stands still meanwhile.
package struct RunProgress: Sendable {
  /// The stages in their order: first those that all archives of a pipeline share, then those of
  /// each archive. The weights are the percentages of the time that the hotels of pipelines/ take at
  /// zoom 0 to 16 (README), with more for reading, since other data are read longer and drawn
  /// faster.
  private static let stages: [(name: String, weight: Double)] = [
    ("spool", 1), ("fetch", 3), ("frames", 0), ("parts", 1), ("ingest", 8), ("cluster", 2),
    ("decode", 1), ("scene", 7), ("estimate", 1), ("tiles", 46), ("index", 7), ("verify", 20),
    ("pictures", 1), ("compare", 1), ("publish", 4), ("delta", 1),
  ]

  private static let places = Dictionary(
    uniqueKeysWithValues: stages.enumerated().map { ($1.name, $0) })

  /// The weight of all stages before each, and of all.
  private static let starts: [Double] = stages.reduce(into: [0]) { starts, stage in
    starts.append(starts[starts.count - 1] + stage.weight)
  }

  /// The weight of the stages that archives share, and that of the stages of one archive.
  private static let shared = places["decode"].map { starts[$0] } ?? 0
  private static let own = starts[stages.count] - shared

  /// The number of pipelines, and the current one from 0.
  private let pipelines: Int
  private var pipeline = 0

  /// The number of archives of the current pipeline, and the current one from 0.
  private var archives = 1
  private var archive = 0

  /// The index of the current stage.
  private var stage = 0

  private let start: Double

  /// The share of the run that is done, 0…1; it never shrinks.
  package private(set) var share = 0.0

  /// - Parameter now: the time in seconds of any monotonic clock.
  package init(pipelines: Int = 1, now: Double) {
    self.pipelines = max(pipelines, 1)
    start = now
  }

  /// Begins a pipeline, counted from 0; those before it are done.
  package mutating func begin(pipeline: Int, archives: Int) {
    (self.pipeline, self.archives) = (pipeline, max(archives, 1))
    (archive, stage) = (0, 0)
    raise(to: 0)
  }

  /// Updates the share after an event.
  ///
  /// - Parameter stageShare: the share of the stage that is done; `nil` where it is not known.
  package mutating func update(_ event: ProgressEvent, stageShare: Double?) {
    let name: String
    var done = stageShare ?? 0
    switch event {
    case .began(let stage, _, _): name = stage
    case .advanced(let stage, let amount, _):
      name = stage
      // Each frame of a series is an archive.
      if stage == "frames" { archives = max(archives, amount) }
    case .ended(let time): (name, done) = (time.name, 1)
    }
    guard let place = Self.places[name] else { return }
    if case .began = event { enter(place) }
    guard place == stage else { return }
    raise(to: Self.starts[place] + Self.stages[place].weight * done)
  }

  /// Enters a stage; one that comes before the end of the current archive begins the next archive.
  private mutating func enter(_ place: Int) {
    let isLate = Self.stages[stage].name == "verify" || Self.stages[stage].name == "publish"
    if place < stage, isLate, archive < archives - 1 { archive += 1 }
    stage = place
  }

  /// Raises the share to what it is when stages of a weight are done for the current archive.
  private mutating func raise(to weight: Double) {
    let done = weight + Double(archive) * Self.own
    let inner = done / (Self.shared + Double(archives) * Self.own)
    share = max(share, min((Double(pipeline) + inner) / Double(pipelines), 1))
  }

  /// Returns the seconds that are left if the rest is as fast as what is done; `nil` where that is
  /// too little to tell.
  package func secondsLeft(now: Double) -> Double? {
    let elapsed = now - start
    guard elapsed > 2, share > 0.03, share < 1 else { return nil }
    return elapsed * (1 - share) / share
  }

  /// Formats the bar with the share, the time left and the current stage, for a terminal of `width`
  /// columns: `██████░░░░  61 %  8 s to go  tiles z14  277,000 of 455,000 tiles`.
  package func bar(now: Double, width: Int, stage: ProgressMeter) -> String {
    let left = secondsLeft(now: now).map { "\(ProgressMeter.rough($0)) to go" }
    let parts = ["\(Int(share * 100)) %", left, stage.position].compactMap(\.self)
    return ProgressMeter.bar(share, parts.joined(separator: "  "), width: width)
  }
}
