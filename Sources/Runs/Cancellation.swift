import Synchronization

/// Whether a run is to end early: a signal came, or the time that it was given is over.
///
/// Stages look at it between batches. What a signal raises and what the clock raises stay raised.
package final class Cancellation: Sendable {
  private let number = Atomic<Int32>(0)
  private let hasRunOut = Atomic<Bool>(false)

  /// Seconds that the run may take, counted from the making of this object; `nil` for no limit.
  package let maxSeconds: Double?

  private let deadline: ContinuousClock.Instant?

  package init(maxSeconds: Double? = nil) {
    self.maxSeconds = maxSeconds
    deadline = maxSeconds.map { ContinuousClock.now + .seconds($0) }
  }

  /// Asks the run to end, as the signal of this number does; the first one counts.
  package func cancel(signal: Int32) {
    _ = number.compareExchange(expected: 0, desired: signal, ordering: .relaxed)
  }

  /// The number of the signal that came, 0 if none did.
  package var signal: Int32 { number.load(ordering: .relaxed) }

  /// Whether the time is over; the clock is monotonic, so that nobody can turn it back.
  package var isDeadline: Bool {
    if hasRunOut.load(ordering: .relaxed) { return true }
    guard let deadline, ContinuousClock.now >= deadline else { return false }
    runOut()
    return true
  }

  /// Ends the time of the run now, whatever the clock says.
  package func runOut() {
    hasRunOut.store(true, ordering: .relaxed)
  }

  /// Whether the run is to end, for whatever reason.
  package var isCancelled: Bool { signal != 0 || isDeadline }

  /// The same as a function for parts that know nothing of runs.
  package var isStopped: @Sendable () -> Bool {
    { self.isCancelled }
  }

  /// Why the run is to end; `nil` while it may go on. A signal comes before the clock.
  ///
  /// - Parameter place: how far the run is, for the sentence.
  package func error(_ place: String? = nil) -> PipelineError? {
    let signal = signal
    if signal != 0 { return .interrupted(by: signal, place) }
    return isDeadline ? .outOfTime(after: maxSeconds ?? 0, place) : nil
  }

  /// Throws once the run is to end.
  ///
  /// - Throws: ``PipelineError`` with code `interrupted` or `outOfTime`.
  package func check() throws(PipelineError) {
    if let error = error() { throw error }
  }
}
