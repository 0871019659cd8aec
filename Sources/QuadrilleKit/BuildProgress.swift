import Runs

/// An event of a run in progress.
///
/// A build has the stages `fetch` (for urls), `ingest`, `cluster`, `scene`, `estimate`, `tiles`,
/// `index`, `verify` and `publish`; names may be added.
public enum BuildProgress: Hashable, Sendable {
  /// A stage begins.
  ///
  /// - Parameters:
  ///   - total: the amount of its work; `nil` where it is not known.
  ///   - unit: `bytes`, `records`, `points`, `tiles` or `rows`.
  case began(stage: String, total: Int?, unit: String)

  /// A stage has done some of its work.
  case advanced(stage: String, done: Int)

  /// A stage is over, after this time.
  case ended(stage: String, seconds: Double)

  init(_ event: ProgressEvent) {
    switch event {
    case .began(let stage, let total, let unit):
      self = .began(stage: stage, total: total, unit: unit.rawValue)
    case .advanced(let stage, let done, _): self = .advanced(stage: stage, done: done)
    case .ended(let time): self = .ended(stage: time.name, seconds: time.seconds)
    }
  }
}

/// A function that receives the events of a run: from any thread, one call at a time. It should
/// return soon, since the run waits for it.
public typealias BuildProgressHandler = @Sendable (BuildProgress) -> Void
