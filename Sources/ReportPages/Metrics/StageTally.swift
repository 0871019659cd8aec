package import Runs
import Synchronization

/// A sum of the seconds of stages from the events of a run, in the order in which they first ended.
package final class StageTally: Sendable {
  private let seconds = Mutex<[StageTime]>([])

  package init() {}

  /// Adds the time of a stage that ended; other events are ignored.
  package func add(_ event: ProgressEvent) {
    guard case .ended(let stage, let duration) = event else { return }
    seconds.withLock { stages in
      if let index = stages.firstIndex(where: { $0.name == stage }) {
        stages[index].seconds += duration
      } else {
        stages.append(StageTime(name: stage, seconds: duration))
      }
    }
  }

  /// The stages, one entry for each name.
  package var stages: [StageTime] { seconds.withLock { $0 } }
}
