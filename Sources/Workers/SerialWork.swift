import Dispatch
import Synchronization

/// A queue of bodies that another thread performs one after the other. If the system refuses that
/// thread, the submitting thread performs them.
package final class SerialWork: Sendable {
  private struct State {
    var waiting: [WorkerThreads.Body] = []
    /// Whether a thread is performing the waiting bodies.
    var isWorking = false
  }

  private let state = Mutex(State())
  private let group = DispatchGroup()

  package init() {}

  /// Adds the next body. The caller limits the number of waiting bodies, and so the memory.
  package func submit(_ body: @escaping WorkerThreads.Body) {
    group.enter()
    let isFirst = state.withLock { state in
      state.waiting.append(body)
      defer { state.isWorking = true }
      return !state.isWorking
    }
    if isFirst, !WorkerThreads.run({ self.work() }) { work() }
  }

  private func work() {
    while let body = next() {
      body()
      group.leave()
    }
  }

  private func next() -> WorkerThreads.Body? {
    state.withLock { state in
      guard state.waiting.isEmpty else { return state.waiting.removeFirst() }
      state.isWorking = false
      return nil
    }
  }

  /// Waits for all bodies.
  package func wait() { group.wait() }
}
