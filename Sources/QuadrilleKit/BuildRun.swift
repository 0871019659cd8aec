import Synchronization

/// A build in progress, with its events as a sequence.
///
/// ```swift
/// let run = pipeline.building()
/// for await event in run.progress { show(event) }
/// let results = try await run.results
/// ```
///
/// The run is cancelled with the task that waits for its events or its results, by ``cancel()``, and
/// when nobody holds it or its ``progress`` any more. The archive in place then stays as it is.
public final class BuildRun: Sendable {
  /// The events of a run, for one loop. They end when the run does, whatever its outcome.
  ///
  /// A loop that is slower than the run gets the newest event of a stage that advances; the beginning
  /// and the end of a stage are not left out.
  public struct Progress: AsyncSequence, Sendable {
    fileprivate let run: BuildRun

    /// Creates an iterator; the events that another one took do not come again.
    public func makeAsyncIterator() -> Iterator { Iterator(run: run) }

    /// The position in the events of a run.
    public struct Iterator: AsyncIteratorProtocol {
      fileprivate let run: BuildRun

      /// Returns the next event; `nil` after the run.
      public mutating func next() async -> BuildProgress? { await run.next() }
    }
  }

  private let events = ProgressQueue()
  private let outcome = Outcome()
  private let cancellation = RunCancellation()

  /// Starts a run on a thread of its own; if the system refuses one, on a thread of the tasks.
  init(
    _ body:
      @escaping @Sendable (RunCancellation, @escaping BuildProgressHandler) throws(QuadrilleError)
      -> [BuildResult]
  ) {
    // Without a reference to this object, which ends the run when it goes.
    let (events, outcome, cancellation) = (events, outcome, cancellation)
    TilePipeline.start {
      let result = Result { () throws(QuadrilleError) in
        try body(cancellation) { events.append($0) }
      }
      events.end()
      outcome.settle(result)
    }
  }

  deinit { cancellation.cancel() }

  /// The events of the run.
  public var progress: Progress { Progress(run: self) }

  /// The results of the run, one for each archive, when it has ended.
  ///
  /// - Throws: ``QuadrilleError``, with ``QuadrilleError/Code/cancelled`` if the run was cancelled.
  public var results: [BuildResult] {
    get async throws(QuadrilleError) {
      let result = await cancelling { await outcome.value }
      return try result.get()
    }
  }

  /// Ends the run within about a second.
  public func cancel() { cancellation.cancel() }

  private func next() async -> BuildProgress? { await cancelling { await events.next() } }

  /// Waits for something of the run; the run ends with the task that waits.
  private func cancelling<Value: Sendable>(
    _ wait: @Sendable () async -> Value
  ) async -> Value {
    await withTaskCancellationHandler {
      await wait()
    } onCancel: {
      cancellation.cancel()
    }
  }
}

/// The outcome of a run, for those that wait for it.
private final class Outcome: Sendable {
  typealias Value = Result<[BuildResult], QuadrilleError>

  private struct State {
    var value: Value?
    var waiting: [CheckedContinuation<Value, Never>] = []
  }

  private let state = Mutex(State())

  func settle(_ value: Value) {
    let waiting = state.withLock { state in
      state.value = value
      return state.waiting
    }
    for continuation in waiting { continuation.resume(returning: value) }
  }

  var value: Value {
    get async {
      await withCheckedContinuation { continuation in
        let value = state.withLock { state in
          if state.value == nil { state.waiting.append(continuation) }
          return state.value
        }
        if let value { continuation.resume(returning: value) }
      }
    }
  }
}

extension TilePipeline {
  /// Starts a build and returns at once; its events are a sequence.
  ///
  /// - Returns: the run, which ends early if it is not kept.
  public func building(_ settings: BuildSettings = BuildSettings()) -> BuildRun {
    BuildRun { (cancellation, progress) throws(QuadrilleError) in
      try build(settings, cancellation: cancellation, progress: progress)
    }
  }
}
