package import Runs
import Synchronization

/// Adds up the seconds of stages from the events of a run, in the order in which they first ended.
package final class StageTally: Sendable {
  private let seconds = Mutex<[StageTime]>([])

  package init() {}

  /// Takes note of the end of a stage; other events are nothing to it.
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

  /// One entry for each stage.
  package var stages: [StageTime] { seconds.withLock { $0 } }
}
