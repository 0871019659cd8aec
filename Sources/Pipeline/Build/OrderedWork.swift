import Dispatch
import Foundation
import Synchronization

/// Runs jobs on worker threads and hands their results back in the order of the jobs.
///
/// At most `limit` jobs are in flight, so memory is bounded, and the consumer sees the same order
/// on any number of threads. Jobs are made and results are consumed on the calling thread.
struct OrderedWork<Job: Sendable, Output: Sendable> {
  /// Worker threads; with one, everything runs on the calling thread.
  let threads: Int

  /// Jobs in flight at most.
  let limit: Int

  /// A job on its way, and where its result will lie.
  private final class Ticket: Sendable {
    let job: Job
    let result = Mutex<Result<Output, any Error>?>(nil)
    let isDone = DispatchSemaphore(value: 0)

    init(job: Job) {
      self.job = job
    }
  }

  /// The jobs that wait for a worker.
  private final class Queue: Sendable {
    let tickets = Mutex<[Ticket?]>([])
    let count = DispatchSemaphore(value: 0)

    /// Adds a ticket; `nil` ends one worker.
    func push(_ ticket: Ticket?) {
      tickets.withLock { $0.append(ticket) }
      count.signal()
    }

    func pop() -> Ticket? {
      count.wait()
      return tickets.withLock { $0.isEmpty ? nil : $0.removeFirst() }
    }
  }

  /// Works until there is no job left.
  ///
  /// - Parameters:
  ///   - worker: makes one worker's function; what it captures belongs to that worker alone.
  ///   - next: the next job, `nil` at the end.
  ///   - consume: takes the results in order.
  /// - Throws: the first error in the order of the jobs; later jobs are dropped.
  func run(
    worker: @escaping @Sendable () throws -> (Job) throws -> Output,
    next: () throws -> Job?, consume: (Output) throws -> Void
  ) throws {
    guard threads > 1 else {
      let work = try worker()
      while let job = try next() { try consume(try work(job)) }
      return
    }
    let queue = Queue()
    let ended = DispatchGroup()
    for _ in 0..<threads { start(worker, queue, ended) }
    defer {
      queue.tickets.withLock { $0.removeAll() }
      for _ in 0..<threads { queue.push(nil) }
      ended.wait()
    }
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
      ticket.isDone.wait()
      if let output = try ticket.result.withLock({ try $0.take()?.get() }) { try consume(output) }
    }
  }

  private func start(
    _ worker: @escaping @Sendable () throws -> (Job) throws -> Output, _ queue: Queue,
    _ ended: DispatchGroup
  ) {
    ended.enter()
    let thread = Thread {
      let work = Result { try worker() }
      while let ticket = queue.pop() {
        let output = Result { try work.get()(ticket.job) }
        ticket.result.withLock { $0 = output }
        ticket.isDone.signal()
      }
      ended.leave()
    }
    // Curves and expressions recurse; 512 KiB, the default of a Thread, would be tight.
    thread.stackSize = 8 << 20
    thread.start()
  }
}
