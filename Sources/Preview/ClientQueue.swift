import Dispatch
import Runs
import Synchronization

/// The program that waits for an answer of the preview.
package struct PreviewClient: Sendable {
  /// The name that it gives itself; a browser with all its pages is one client.
  package var name: String

  /// Whether it still waits.
  package var isThere: @Sendable () -> Bool

  /// Whether it may wait for work; otherwise only what is there is answered.
  package var mayWait: Bool

  package init(
    name: String = "", mayWait: Bool = true, isThere: @escaping @Sendable () -> Bool = { true }
  ) {
    self.name = name
    self.mayWait = mayWait
    self.isThere = isThere
  }
}

/// The refusal of work for a client that asks for too much at a time; answered with 503.
package struct BusyPreview: Error, Hashable {
  static let sentence =
    "Too many tiles are asked for at a time. Ask for some of them, and for the others later."
}

/// The work that clients of the preview wait for: first come, first served, and nothing for a client that
/// is gone.
package final class ClientQueue: Sendable {
  private struct Job: Sendable {
    let client: PreviewClient

    /// Does the work, or reports that it is not done.
    let end: @Sendable (_ isDone: Bool) -> Void
  }

  private struct State {
    var jobs: [Job] = []

    /// The numbers of jobs of each client that wait or are being done.
    var counts: [String: Int] = [:]

    mutating func end(_ job: Job) {
      let count = (counts[job.client.name] ?? 1) - 1
      counts[job.client.name] = count > 0 ? count : nil
    }

    /// Removes the jobs of clients that are gone, and returns them.
    mutating func removeUnwanted() -> [Job] {
      let isWanted = jobs.map { $0.client.isThere() }
      let gone = zip(jobs, isWanted).filter { !$0.1 }.map(\.0)
      jobs = zip(jobs, isWanted).filter(\.1).map(\.0)
      for job in gone { end(job) }
      return gone
    }
  }

  /// The most jobs of a client at a time; a browser has six connections to a server.
  package static let limit = 32

  private let state = Mutex(State())
  private let count = DispatchSemaphore(value: 0)

  package init() {}

  /// Does work on one of the threads that ``serve()`` the queue, and waits for it.
  ///
  /// - Throws: ``BusyPreview`` for a client that has too much work or is gone, and the errors of the
  ///   work.
  package func done<Value: Sendable>(
    for client: PreviewClient, _ work: @escaping @Sendable () throws -> Value
  ) throws -> Value {
    guard client.mayWait else { throw BusyPreview() }
    let answer = Answer<Value>()
    let job = Job(client: client) { isDone in
      answer.give(isDone ? Result(catching: work) : .failure(BusyPreview()))
    }
    let (isTaken, gone) = state.withLock { state -> (Bool, [Job]) in
      var gone: [Job] = []
      if state.counts[client.name] ?? 0 >= Self.limit { gone = state.removeUnwanted() }
      guard state.counts[client.name] ?? 0 < Self.limit else { return (false, gone) }
      state.counts[client.name, default: 0] += 1
      state.jobs.append(job)
      return (true, gone)
    }
    for job in gone { job.end(false) }
    guard isTaken else { throw BusyPreview() }
    count.signal()
    return try answer.wait()
  }

  /// The number of jobs that wait.
  var waiting: Int { state.withLock { $0.jobs.count } }

  /// Does the jobs, one after the other, for ever; any number of threads may.
  package func serve() -> Never {
    while true { serveNext() }
  }

  /// Waits for a job and does it, unless its client is gone.
  package func serveNext() {
    count.wait()
    // Jobs of clients that are gone may have been removed.
    guard let job = state.withLock({ $0.jobs.isEmpty ? nil : $0.jobs.removeFirst() }) else {
      return
    }
    defer { state.withLock { $0.end(job) } }
    job.end(job.client.isThere())
  }

  /// A value that another thread waits for.
  private final class Answer<Value: Sendable>: Sendable {
    private let value = Mutex<Result<Value, any Error>?>(nil)
    private let isThere = DispatchSemaphore(value: 0)

    func give(_ result: Result<Value, any Error>) {
      value.withLock { $0 = result }
      isThere.signal()
    }

    func wait() throws -> Value {
      isThere.wait()
      guard let result = value.withLock({ $0 }) else {
        throw PipelineError(.bug, "a tile was not painted.")
      }
      return try result.get()
    }
  }
}
