import Dispatch
import Synchronization

/// Bodies that another thread does one after the other while more are submitted; the submitting
/// thread does them where the system refuses another.
package final class SerialWork: Sendable {
  private struct State {
    var waiting: [WorkerThreads.Body] = []
    /// Whether a thread takes what waits.
    var isWorking = false
  }

  private let state = Mutex(State())
  private let group = DispatchGroup()

  package init() {}

  /// Adds the next body. The number of those that wait, and so the memory, is up to the caller.
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
