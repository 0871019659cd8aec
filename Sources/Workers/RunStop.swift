import Synchronization

/// A request to stop a run, for code that hostile data may hold up and that gets no argument from
/// the run: queries of foreign databases.
///
/// It applies to the thread that performs the run and to the threads that this one starts.
package final class RunStop: Sendable {
  /// The stop of the run that the current thread works for; `nil` outside a run.
  @TaskLocal package static var current: RunStop?

  private let isStopped: @Sendable () -> Bool
  private let heard = Atomic<Bool>(false)

  /// - Parameter isStopped: whether the run is to end.
  package init(_ isStopped: @escaping @Sendable () -> Bool) {
    self.isStopped = isStopped
  }

  /// Whether some work ended because of the request, so that its error says nothing about the
  /// data.
  package var wasHeard: Bool { heard.load(ordering: .relaxed) }

  /// Returns whether the run is to stop; if so, the caller must end its work.
  package func hears() -> Bool {
    guard isStopped() else { return false }
    heard.store(true, ordering: .relaxed)
    return true
  }
}
