import Synchronization

/// A flag that a signal raises and that stages look at between batches.
package final class Cancellation: Sendable {
  private let number = Atomic<Int32>(0)

  package init() {}

  /// Asks the run to end, as the signal of this number does; the first one counts.
  package func cancel(signal: Int32) {
    _ = number.compareExchange(expected: 0, desired: signal, ordering: .relaxed)
  }

  /// The number of the signal that came, 0 if none did.
  package var signal: Int32 { number.load(ordering: .relaxed) }

  package var isCancelled: Bool { signal != 0 }

  /// Throws once the run is to end.
  ///
  /// - Throws: ``PipelineError`` with code `interrupted`.
  package func check() throws(PipelineError) {
    let signal = signal
    if signal != 0 { throw .interrupted(by: signal) }
  }
}
