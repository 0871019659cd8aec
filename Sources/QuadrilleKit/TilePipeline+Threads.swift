import Workers

extension TilePipeline {
  /// Runs blocking work on a thread of its own, so that it takes none of the few threads that tasks
  /// share, unless the system refuses one; the task's cancellation ends it.
  static func run<Value: Sendable>(
    _ work: @escaping @Sendable (RunCancellation) throws(QuadrilleError) -> Value
  ) async throws(QuadrilleError) -> Value {
    let cancellation = RunCancellation()
    let result: Result<Value, QuadrilleError> = await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let body: WorkerThreads.Body = {
          let result = Result { () throws(QuadrilleError) in try work(cancellation) }
          continuation.resume(returning: result)
        }
        if !WorkerThreads.run(body) { body() }
      }
    } onCancel: {
      cancellation.cancel()
    }
    return try result.get()
  }
}
