import Dispatch
import Features
import Foundation
import Synchronization

/// A scheduler that reads sections of a file on several threads, and hands over what they hold in
/// the order of the file.
///
/// The caller submits a bounded number of sections, so memory is bounded. While the one that it
/// waits for is being read by another thread, it reads one itself: with `n` threads, `n − 1` run
/// beside the caller's, and with one, everything happens on that.
final class ReadAhead<Section: Sendable, Contents: Sendable> {
  /// A section in flight, with the slot for its contents.
  private final class Ticket: Sendable {
    let section: Section
    let contents = Mutex<Contents?>(nil)
    let isDone = DispatchSemaphore(value: 0)

    init(section: Section) {
      self.section = section
    }

    func read(_ read: (Section) -> Contents) {
      let read = read(section)
      contents.withLock { $0 = read }
      isDone.signal()
    }
  }

  /// The queue of waiting sections, with its threads.
  private final class Queue: Sendable {
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

    /// Returns a ticket that nobody has taken yet.
    func popWaiting() -> Ticket? { count.wait(timeout: .now()) == .success ? first() : nil }

    private func first() -> Ticket? {
      state.withLock { $0.tickets.isEmpty ? nil : $0.tickets.removeFirst() }
    }

    /// Counts a thread that starts; `false` if the reading is already over.
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

  private let threads: Int
  private let queue = Queue()
  private var inFlight: [Ticket] = []
  private let makeRead: @Sendable () -> (Section) -> Contents
  /// The function of the calling thread, once it is needed.
  private var ownRead: ((Section) -> Contents)?

  /// - Parameters:
  ///   - threads: the number of threads that read, including the caller's.
  ///   - makeRead: makes the function of one thread; its captures belong to that thread alone.
  init(threads: Int, makeRead: @escaping @Sendable () -> (Section) -> Contents) {
    self.threads = threads
    self.makeRead = makeRead
    for _ in 1..<max(threads, 1) { Self.start(queue, makeRead) }
  }

  deinit { queue.close(threads: threads) }

  /// The number of sections that were submitted and not returned.
  var count: Int { inFlight.count }

  /// Adds the next section of the file.
  func submit(_ section: Section) {
    let ticket = Ticket(section: section)
    inFlight.append(ticket)
    queue.push(ticket)
  }

  /// Returns the contents of the oldest section; `nil` if there is none.
  func next() -> Contents? {
    guard !inFlight.isEmpty else { return nil }
    let ticket = inFlight.removeFirst()
    while ticket.isDone.wait(timeout: .now()) == .timedOut {
      guard let waiting = queue.popWaiting() else {
        ticket.isDone.wait()
        break
      }
      waiting.read(read)
    }
    return ticket.contents.withLock { $0.take() }
  }

  /// Reads a section now, on the calling thread.
  func read(_ section: Section) -> Contents {
    let read = ownRead ?? makeRead()
    ownRead = read
    return read(section)
  }

  private static func start(
    _ queue: Queue, _ makeRead: @escaping @Sendable () -> (Section) -> Contents
  ) {
    let thread = Thread {
      guard queue.begin() else { return }
      defer { queue.end() }
      let read = makeRead()
      while let ticket = queue.pop() { ticket.read(read) }
    }
    // Geometries inside each other are read by recursion; 512 KiB, the default of a Thread, would
    // be tight.
    thread.stackSize = 8 << 20
    thread.start()
  }
}

/// Batches that were handed over and read, kept for the next sections: their columns have grown to
/// the size that the file needs.
final class BatchPool: Sendable {
  private let batches = Mutex<[FeatureBatch]>([])

  func take() -> FeatureBatch { batches.withLock { $0.popLast() } ?? FeatureBatch() }

  func put(_ batch: consuming FeatureBatch) {
    let batch = batch
    batches.withLock { if $0.count < 64 { $0.append(batch) } }
  }
}

/// The use of several threads by a reader.
package struct ReadingThreads: Hashable, Sendable {
  /// The number of threads; with one, the file is read from front to back.
  package var count: Int

  /// The bytes of a section that one thread reads at a time: large enough that starting it costs
  /// nothing, small enough that what is in flight stays in the third-level cache.
  package var sectionBytes: Int

  /// Whether the file is cut into sections although there is only one thread, or it is short.
  package var alwaysCuts = false

  package init(_ count: Int, sectionBytes: Int = 1 << 20) {
    self.count = count
    self.sectionBytes = sectionBytes
  }

  /// One thread that reads from front to back.
  package static let one = ReadingThreads(1)

  /// The maximum number of sections in flight.
  var limit: Int { count + 2 }

  /// Whether the rest of a file is worth cutting.
  func cuts(_ rest: Int) -> Bool { alwaysCuts || count > 1 && rest > 2 * sectionBytes }
}
