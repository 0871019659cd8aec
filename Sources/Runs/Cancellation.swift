import Files
import Synchronization
import Workers

/// A flag that ends a run early: after a signal, or when its time has run out.
///
/// Stages check it between batches. Once raised, by a signal or by the clock, it stays raised.
package final class Cancellation: Sendable {
  private let number = Atomic<Int32>(0)
  private let hasRunOut = Atomic<Bool>(false)
  private let failure = Mutex<PipelineError?>(nil)
  private let hasFailed = Atomic<Bool>(false)
  private let isEndingRest = Atomic<Bool>(false)

  /// The time limit of the run in seconds, measured from the creation of this object; `nil` for no
  /// limit.
  package let maxSeconds: Double?

  private let deadline: ContinuousClock.Instant?

  /// Whether there is a deadline, kept as a Boolean: loops over millions of tiles check it, and
  /// testing an optional of a type of another library takes ten times as long.
  private let hasDeadline: Bool

  /// The number of the machine's faults that were recorded before this run.
  private let earlierFaults = MachineFault.count

  package init(maxSeconds: Double? = nil) {
    self.maxSeconds = maxSeconds
    deadline = maxSeconds.map { ContinuousClock.now + .seconds($0) }
    hasDeadline = maxSeconds != nil
  }

  /// Requests the end of the run for the signal of this number; only the first signal counts.
  package func cancel(signal: Int32) {
    _ = number.compareExchange(expected: 0, desired: signal, ordering: .relaxed)
  }

  /// The number of the signal that arrived; 0 for none.
  package var signal: Int32 { number.load(ordering: .relaxed) }

  /// Whether the run goes on beyond its time limit: no tile is left to paint, and ending the rest
  /// takes a bounded time, which the next run would need again.
  package var endsRest: Bool {
    get { isEndingRest.load(ordering: .relaxed) }
    set { isEndingRest.store(newValue, ordering: .relaxed) }
  }

  /// Whether the time has run out; the clock is monotonic and cannot be set back.
  package var isDeadline: Bool {
    if isEndingRest.load(ordering: .relaxed) { return false }
    if hasRunOut.load(ordering: .relaxed) { return true }
    guard hasDeadline, let deadline, ContinuousClock.now >= deadline else { return false }
    runOut()
    return true
  }

  /// Ends the time of the run now, regardless of the clock.
  package func runOut() {
    hasRunOut.store(true, ordering: .relaxed)
  }

  /// Whether the run is to end, for any reason.
  package var isCancelled: Bool {
    signal != 0 || hasFailed.load(ordering: .relaxed) || MachineFault.count > earlierFaults
      || isDeadline
  }

  /// The value of ``isCancelled`` as a function, for modules that do not know about runs.
  package var isStopped: @Sendable () -> Bool {
    { self.isCancelled }
  }

  /// Returns the reason why the run is to end; `nil` while it may continue. A signal takes
  /// precedence over the clock.
  ///
  /// - Parameter place: the progress of the run, for the sentence.
  package func error(_ place: String? = nil) -> PipelineError? {
    if let failure = failureOfSystem { return failure }
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

  /// Ends the run with an error that cannot be thrown where it occurs; the first one counts.
  package func fail(_ error: PipelineError) {
    failure.withLock { $0 = $0 ?? error }
    hasFailed.store(true, ordering: .releasing)
  }

  /// The error with which a part of the run failed, or the machine's fault; `nil` for none.
  var failureOfSystem: PipelineError? {
    if hasFailed.load(ordering: .acquiring), let error = failure.withLock({ $0 }) { return error }
    return machineFault
  }

  /// The last fault of the machine that was noted in this run; `nil` for none.
  private var machineFault: PipelineError? {
    MachineFault.last(after: earlierFaults).map { PipelineError($0) }
  }

  /// Performs a whole run. If a fault of the machine was recorded meanwhile, the run ends with that
  /// fault, whatever result the work has. Statements on foreign databases stop when the run is
  /// cancelled.
  package func judging<Value>(
    _ work: () throws(PipelineError) -> Value
  ) throws(PipelineError) -> Value {
    let stop = RunStop(isStopped)
    let value: Value
    do throws(PipelineError) {
      value = try RunStop.$current.withValue(stop) {
        Result { () throws(PipelineError) in try work() }
      }.get()
    } catch {
      if !error.isStop, stop.wasHeard, let ended = self.error() { throw ended }
      guard !error.isStop, var fault = machineFault, fault != error else { throw error }
      fault.cause = fault.cause ?? (error.code == .inputOutput ? nil : error.message)
      throw fault
    }
    if let fault = machineFault { throw fault }
    return value
  }
}
