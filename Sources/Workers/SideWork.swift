import Dispatch
import Synchronization

/// Work on another thread whose result is needed later. If the system refuses a thread,
/// ``wait(unless:)`` does the work.
package final class SideWork<Output: Sendable>: Sendable {
  /// The work, until a thread takes it.
  private let body: Mutex<(@Sendable () -> Output)?>
  private let output = Mutex<Output?>(nil)
  private let isDone = DispatchSemaphore(value: 0)

  /// Starts the work.
  package init(_ body: @escaping @Sendable () -> Output) {
    self.body = Mutex(body)
    // If no thread starts, `wait()` does the work.
    _ = WorkerThreads.run { self.perform() }
  }

  /// Does the work unless another thread has taken it.
  private func perform() {
    guard let body = body.withLock({ $0.take() }) else { return }
    let made = body()
    output.withLock { $0 = made }
    isDone.signal()
  }

  /// Waits for the result.
  ///
  /// - Parameter isStopped: whether the run should stop; the result is then abandoned.
  /// - Returns: `nil` only for abandoned work.
  package func wait(unless isStopped: () -> Bool = { false }) -> Output? {
    perform()
    while isDone.wait(timeout: .now() + .milliseconds(100)) == .timedOut {
      if isStopped() { return nil }
    }
    // Lets the next call of `wait` return, too.
    isDone.signal()
    return output.withLock { $0 }
  }
}
