import QuadrilleKit
import Synchronization

/// The events of a run, collected from its threads.
final class Events: Sendable {
  private let events = Mutex<[BuildProgress]>([])

  func append(_ event: BuildProgress) { events.withLock { $0.append(event) } }

  /// The names of the stages that began, in order.
  var stages: [String] {
    events.withLock { events in
      events.compactMap { event in
        if case .began(let stage, _, _) = event { stage } else { nil }
      }
    }
  }
}
