import Runs
import Synchronization

/// A handle that ends blocking runs early, from any thread.
///
/// A run ends within about a second with the code ``QuadrilleError/Code/cancelled``, and leaves the
/// archive in place as it is. The async calls follow the cancellation of their task instead.
public final class RunCancellation: Sendable {
  private struct State {
    var isCancelled = false
    /// The flags of the runs in progress.
    var flags: [Cancellation] = []
  }

  private let state = Mutex(State())

  /// Creates a handle, for one run or several.
  public init() {}

  /// Ends the runs in progress; later ones with this handle end at their beginning.
  public func cancel() {
    let flags = state.withLock { state in
      state.isCancelled = true
      return state.flags
    }
    for flag in flags { Self.raise(flag) }
  }

  /// Whether ``cancel()`` was called.
  public var isCancelled: Bool { state.withLock { $0.isCancelled } }

  private static func raise(_ flag: Cancellation) {
    flag.fail(.cancelledByCaller)
  }

  /// Calls a run with a flag of its own.
  ///
  /// - Parameter maxSeconds: the time limit from now; `nil` for none.
  func run<Value>(
    maxSeconds: Double?, _ body: (Cancellation) throws(PipelineError) -> Value
  ) throws(PipelineError) -> Value {
    let flag = Cancellation(maxSeconds: maxSeconds)
    let isCancelled = state.withLock { state in
      state.flags.append(flag)
      return state.isCancelled
    }
    defer { state.withLock { $0.flags.removeAll { $0 === flag } } }
    if isCancelled { Self.raise(flag) }
    try flag.check()
    return try flag.judging { () throws(PipelineError) in try body(flag) }
  }
}

extension PipelineError {
  /// The error of a call that its caller cancelled.
  static let cancelledByCaller = PipelineError(
    .interrupted, "the run was cancelled; what was not finished stays as it was.")
}
