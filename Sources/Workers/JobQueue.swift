import Dispatch
import Synchronization

/// Jobs in flight on several threads, with their results in the order of the jobs.
///
/// Used from one thread, which submits jobs and takes results; that thread limits the number of
/// jobs in flight, and so the memory.
package final class JobQueue<Job: Sendable, Output: Sendable, Failure: Error> {
  package typealias Work = (Job) throws(Failure) -> Output

  /// The work of the calling thread while it waits for a result.
  package enum Caller: Sendable {
    /// It does waiting jobs itself: it counts as one of the working threads.
    case helps
    /// It waits; it does jobs only if the system refuses to start any thread.
    case waits
  }

  /// A job in flight, with the slot for its result.
  private final class Ticket: Sendable {
    private let job: Job
    private let result = Mutex<Result<Output, Failure>?>(nil)
    private let isDone = DispatchSemaphore(value: 0)

    init(job: Job) {
      self.job = job
    }

    func perform(_ work: Work) {
      let made: Result<Output, Failure>
      do throws(Failure) {
        made = .success(try work(job))
      } catch {
        made = .failure(error)
      }
      result.withLock { $0 = made }
      isDone.signal()
    }

    /// Waits until the job is done.
    func wait() { isDone.wait() }

    /// Whether the job is done; returns `true` once, to the caller that takes the result.
    func isReady() -> Bool { isDone.wait(timeout: .now()) == .success }

    func take() -> Result<Output, Failure>? { result.withLock { $0.take() } }
  }

  /// The waiting jobs, with the threads that take them.
  private final class Line: Sendable {
    private struct State {
      var tickets: [Ticket] = []
      var isClosed = false
    }

    private let state = Mutex(State())
    private let count = DispatchSemaphore(value: 0)
    private let ended = DispatchGroup()

    func push(_ ticket: Ticket) {
      state.withLock { $0.tickets.append(ticket) }
      count.signal()
    }

    /// Waits for a ticket; `nil` at the end.
    func pop() -> Ticket? {
      count.wait()
      return first()
    }

    /// Returns a ticket that no thread has taken yet; `nil` if there is none.
    func popWaiting() -> Ticket? { count.wait(timeout: .now()) == .success ? first() : nil }

    private func first() -> Ticket? {
      state.withLock { $0.tickets.isEmpty ? nil : $0.tickets.removeFirst() }
    }

    /// Counts a thread that starts; `false` if the work is already over.
    func begin() -> Bool {
      state.withLock { state in
        guard !state.isClosed else { return false }
        ended.enter()
        return true
      }
    }

    /// Counts a thread that has ended.
    func end() { ended.leave() }

    /// Drops waiting tickets, and waits for the threads that have started; there are at most
    /// `threads`.
    func close(threads: Int) {
      state.withLock { state in
        state.isClosed = true
        state.tickets.removeAll()
      }
      for _ in 0..<threads { count.signal() }
      ended.wait()
    }
  }

  /// The number of threads that were started.
  private let threads: Int
  private let caller: Caller
  private let line = Line()
  private var inFlight: [Ticket] = []
  private let makeWork: @Sendable () throws(Failure) -> Work
  /// The function of the calling thread, made when it is first needed.
  private var ownWork: Work?

  /// - Parameters:
  ///   - threads: the number of threads beside the caller's; fewer if the system refuses more.
  ///   - makeWork: makes the function of one thread; its captures belong to that thread alone.
  package init(
    threads: Int, caller: Caller, makeWork: @escaping @Sendable () throws(Failure) -> Work
  ) {
    self.caller = caller
    self.makeWork = makeWork
    var started = 0
    while started < threads, Self.start(line, makeWork) { started += 1 }
    self.threads = started
  }

  /// Waits for the threads, and drops the jobs that no thread has begun.
  deinit { line.close(threads: threads) }

  /// The number of jobs that were submitted and whose results were not taken.
  package var count: Int { inFlight.count }

  /// Adds the next job.
  package func submit(_ job: Job) {
    let ticket = Ticket(job: job)
    inFlight.append(ticket)
    line.push(ticket)
  }

  /// Returns the result of the oldest job; `nil` if there is none.
  ///
  /// - Throws: the error of that job, or of making the function of the thread that took it.
  package func next() throws(Failure) -> Output? {
    guard !inFlight.isEmpty else { return nil }
    let ticket = inFlight.removeFirst()
    switch caller {
    case .helps:
      while !ticket.isReady() {
        guard let waiting = line.popWaiting() else {
          ticket.wait()
          break
        }
        perform(waiting)
      }
    case .waits:
      while threads == 0, let waiting = line.popWaiting() { perform(waiting) }
      ticket.wait()
    }
    return try ticket.take()?.get()
  }

  /// Does a job now, on the calling thread.
  package func perform(_ job: Job) throws(Failure) -> Output { try work()(job) }

  private func perform(_ ticket: Ticket) {
    ticket.perform { job throws(Failure) in try work()(job) }
  }

  private func work() throws(Failure) -> Work {
    if let ownWork { return ownWork }
    let made = try makeWork()
    ownWork = made
    return made
  }

  private static func start(
    _ line: Line, _ makeWork: @escaping @Sendable () throws(Failure) -> Work
  ) -> Bool {
    WorkerThreads.run {
      guard line.begin() else { return }
      defer { line.end() }
      let made: Result<Work, Failure>
      do throws(Failure) {
        made = .success(try makeWork())
      } catch {
        made = .failure(error)
      }
      while let ticket = line.pop() {
        ticket.perform { job throws(Failure) in try made.get()(job) }
      }
    }
  }
}
