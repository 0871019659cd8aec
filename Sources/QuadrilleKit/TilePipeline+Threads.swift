import Foundation

extension TilePipeline {
  /// Runs blocking work on a thread of its own, so that it takes none of the few threads that tasks
  /// share; the task's cancellation ends it.
  static func run<Value: Sendable>(
    _ work: @escaping @Sendable (RunCancellation) throws(QuadrilleError) -> Value
  ) async throws(QuadrilleError) -> Value {
    let cancellation = RunCancellation()
    let result: Result<Value, QuadrilleError> = await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let thread = Thread {
          let result = Result { () throws(QuadrilleError) in try work(cancellation) }
          continuation.resume(returning: result)
        }
        thread.name = "quadrille"
        // Decoding is recursive, up to the depth that documents may have.
        thread.stackSize = 8 << 20
        thread.start()
      }
    } onCancel: {
      cancellation.cancel()
    }
    return try result.get()
  }
}
