import Synchronization

/// The wish of a run to end, for code that may be held up by hostile data and that no run reaches by
/// an argument: queries of foreign databases.
///
/// It holds for the thread that performs the run and for the threads that this one starts.
package final class RunStop: Sendable {
  /// The run for which the present thread works; `nil` outside of one.
  @TaskLocal package static var current: RunStop?

  private let isStopped: @Sendable () -> Bool
  private let heard = Atomic<Bool>(false)

  /// - Parameter isStopped: whether the run is to end.
  package init(_ isStopped: @escaping @Sendable () -> Bool) {
    self.isStopped = isStopped
  }

  /// Whether something ended because of it, whose error then says nothing of the data.
  package var wasHeard: Bool { heard.load(ordering: .relaxed) }

  /// Returns whether the run is to end; whoever asks ends if it is.
  package func hears() -> Bool {
    guard isStopped() else { return false }
    heard.store(true, ordering: .relaxed)
    return true
  }
}
