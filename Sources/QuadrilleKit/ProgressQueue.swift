import Synchronization

/// The events of a run between its threads and the task that takes them.
///
/// Memory is bounded: only the newest event of a stage's advance waits, and if more than ``limit``
/// events wait, the oldest are dropped.
final class ProgressQueue: Sendable {
  private struct State {
    var events: [BuildProgress] = []
    var waiting: [CheckedContinuation<BuildProgress?, Never>] = []
    var isOver = false
  }

  /// A build has about ten stages, each with two events beside those of its advance; a series has as
  /// many for each frame.
  static let limit = 1024

  private let state = Mutex(State())

  /// Adds an event.
  func append(_ event: BuildProgress) {
    let waiting = state.withLock { state -> CheckedContinuation<BuildProgress?, Never>? in
      if !state.waiting.isEmpty { return state.waiting.removeFirst() }
      if let last = state.events.last, event.replaces(last) { state.events.removeLast() }
      if state.events.count == Self.limit { state.events.removeFirst() }
      state.events.append(event)
      return nil
    }
    waiting?.resume(returning: event)
  }

  /// Ends the events; the ones that wait are still delivered.
  func end() {
    let waiting = state.withLock { state in
      state.isOver = true
      return state.waiting
    }
    for continuation in waiting { continuation.resume(returning: nil) }
  }

  /// Returns the next event, when there is one; `nil` after the last.
  func next() async -> BuildProgress? {
    await withCheckedContinuation { continuation in
      let next = state.withLock { state -> BuildProgress?? in
        if !state.events.isEmpty { return .some(state.events.removeFirst()) }
        if state.isOver { return .some(nil) }
        state.waiting.append(continuation)
        return nil
      }
      if let next { continuation.resume(returning: next) }
    }
  }
}

extension BuildProgress {
  /// Whether the event makes another, older one superfluous.
  fileprivate func replaces(_ other: BuildProgress) -> Bool {
    guard case .advanced(let stage, _) = self, case .advanced(let earlier, _) = other else {
      return false
    }
    return stage == earlier
  }
}
