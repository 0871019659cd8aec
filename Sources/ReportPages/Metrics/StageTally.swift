package import Runs
import Synchronization

/// The seconds and the peak memory of stages, summed from the events of a run in the order in which they first ended.
package final class StageTally: Sendable {
  private let sums = Mutex<[StageTime]>([])

  package init() {}

  /// Adds the time of a stage that ended; other events are ignored.
  package func add(_ event: ProgressEvent) {
    guard case .ended(let stage) = event else { return }
    sums.withLock { $0.add(stage) }
  }

  /// The stages, one entry for each name.
  package var stages: [StageTime] { sums.withLock { $0 } }
}
