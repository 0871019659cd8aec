import Workers

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
    let queue = JobQueue<Job, Output, any Error>(
      threads: threads, caller: .waits, makeWork: worker)
    var isEnd = false
    while true {
      while !isEnd, queue.count < limit {
        guard let job = try next() else {
          isEnd = true
          break
        }
        queue.submit(job)
      }
      guard let output = try queue.next() else { return }
      try consume(output)
    }
  }
}
