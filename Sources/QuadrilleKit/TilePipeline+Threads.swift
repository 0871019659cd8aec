import Workers

extension TilePipeline {
  /// Runs blocking work on a thread of its own, so that it takes none of the few threads that tasks
  /// share, unless the system refuses one.
  static func start(_ work: @escaping @Sendable () -> Void) {
    if !WorkerThreads.run(work) { Task.detached { work() } }
  }

  /// Runs blocking work as ``start(_:)`` does; the task's cancellation ends it.
  static func run<Value: Sendable>(
    _ work: @escaping @Sendable (RunCancellation) throws(QuadrilleError) -> Value
  ) async throws(QuadrilleError) -> Value {
    let cancellation = RunCancellation()
    let result: Result<Value, QuadrilleError> = await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        start {
          continuation.resume(
            returning: Result { () throws(QuadrilleError) in try work(cancellation) })
        }
      }
    } onCancel: {
      cancellation.cancel()
    }
    return try result.get()
  }
}
