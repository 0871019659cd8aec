import Dispatch
import Foundation
import Synchronization

/// A scheduler that runs jobs on worker threads and delivers their results in the order of the
/// jobs.
///
/// At most `limit` jobs are in flight, so memory is bounded, and the consumer sees the same order
/// on any number of threads. Jobs are made and results are consumed on the calling thread.
package struct OrderedWork<Job: Sendable, Output: Sendable> {
  /// The number of worker threads; with one, everything runs on the calling thread.
  package let threads: Int

  /// The maximum number of jobs in flight.
  package let limit: Int

  package init(threads: Int, limit: Int) {
    self.threads = threads
    self.limit = limit
  }

  /// A job in flight, with the slot for its result.
  private final class Ticket: Sendable {
    let job: Job
    let result = Mutex<Result<Output, any Error>?>(nil)
    let isDone = DispatchSemaphore(value: 0)

    init(job: Job) {
      self.job = job
    }
  }

  /// The queue of waiting jobs, with its workers.
  private final class Queue: Sendable {
    private struct State {
      var tickets: [Ticket?] = []
      var hasWorkers = false
      var isClosed = false
    }

    private let state = Mutex(State())
    private let count = DispatchSemaphore(value: 0)
    private let ended = DispatchGroup()

    /// Whether any worker has started.
    var hasWorkers: Bool { state.withLock { $0.hasWorkers } }

    /// Adds a ticket; `nil` ends one worker.
    func push(_ ticket: Ticket?) {
      state.withLock { $0.tickets.append(ticket) }
      count.signal()
    }

    /// Waits for a ticket.
    func pop() -> Ticket? {
      count.wait()
      return first()
    }

    /// Returns a ticket that is already waiting; `nil` if the queue is empty.
    func popWaiting() -> Ticket? { count.wait(timeout: .now()) == .success ? first() : nil }

    private func first() -> Ticket? {
      state.withLock { $0.tickets.isEmpty ? nil : $0.tickets.removeFirst() }
    }

    /// Counts a worker that starts; `false` if the work is already over.
    func begin() -> Bool {
      state.withLock { state in
        guard !state.isClosed else { return false }
        state.hasWorkers = true
        ended.enter()
        return true
      }
    }

    /// Counts a worker that has ended.
    func end() { ended.leave() }

    /// Drops waiting tickets, and waits for the workers that have started; there are at most
    /// `threads`.
    func close(threads: Int) {
      state.withLock { state in
        state.isClosed = true
        state.tickets.removeAll()
      }
      for _ in 0..<threads { push(nil) }
      ended.wait()
    }
  }

  /// Runs until the last job is done.
  ///
  /// - Parameters:
  ///   - worker: makes the function of one worker; its captures belong to that worker alone.
  ///   - next: the next job, `nil` at the end.
  ///   - consume: receives the results in order.
  /// - Throws: the first error in the order of the jobs; later jobs are dropped.
  package func run(
    worker: @escaping @Sendable () throws -> (Job) throws -> Output,
    next: () throws -> Job?, consume: (Output) throws -> Void
  ) throws {
    guard threads > 1 else {
      let work = try worker()
      while let job = try next() { try consume(try work(job)) }
      return
    }
    let queue = Queue()
    for _ in 0..<threads { start(worker, queue) }
    defer { queue.close(threads: threads) }
    var ownWork: ((Job) throws -> Output)?
    var inFlight: [Ticket] = []
    var isEnd = false
    while true {
      while !isEnd, inFlight.count < limit {
        guard let job = try next() else {
          isEnd = true
          break
        }
        let ticket = Ticket(job: job)
        inFlight.append(ticket)
        queue.push(ticket)
      }
      guard !inFlight.isEmpty else { return }
      let ticket = inFlight.removeFirst()
      while ticket.isDone.wait(timeout: .now() + .seconds(1)) == .timedOut {
        // A system without memory for a stack starts no thread and does not report it.
        guard !queue.hasWorkers else { continue }
        let work = try ownWork ?? worker()
        ownWork = work
        while let waiting = queue.popWaiting() { Self.work(waiting, with: work) }
      }
      if let output = try ticket.result.withLock({ try $0.take()?.get() }) { try consume(output) }
    }
  }

  private func start(
    _ worker: @escaping @Sendable () throws -> (Job) throws -> Output, _ queue: Queue
  ) {
    let thread = Thread {
      guard queue.begin() else { return }
      defer { queue.end() }
      let work = Result { try worker() }
      while let ticket = queue.pop() { Self.work(ticket, with: { try work.get()($0) }) }
    }
    // Curves and expressions recurse; 512 KiB, the default of a Thread, would be tight.
    thread.stackSize = 8 << 20
    thread.start()
  }

  private static func work(_ ticket: Ticket, with work: (Job) throws -> Output) {
    let output = Result { try work(ticket.job) }
    ticket.result.withLock { $0 = output }
    ticket.isDone.signal()
  }
}
