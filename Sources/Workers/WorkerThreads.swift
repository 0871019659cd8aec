import Dispatch
import Foundation
import Synchronization

/// The threads of the program that work beside the calling one: started when they are needed, and
/// kept for the next work, since a start costs as much as a small piece of work.
///
/// Not those of libdispatch: on Linux it watches the threads of its global queues through /proc and
/// ends the process where it cannot open a file there.
enum WorkerThreads {
  /// A thread that waits for work.
  private final class Parked: Sendable {
    private let body = Mutex<(@Sendable () -> Void)?>(nil)
    private let hasWork = DispatchSemaphore(value: 0)

    func give(_ body: @escaping @Sendable () -> Void) {
      self.body.withLock { $0 = body }
      hasWork.signal()
    }

    func wait() -> (@Sendable () -> Void)? {
      hasWork.wait()
      return body.withLock { $0.take() }
    }
  }

  private static let parked = Mutex<[Parked]>([])

  /// The maximum number of threads that wait.
  private static let limit = 64

  /// Curves, expressions and geometries inside each other recurse; 512 KiB, the default of a
  /// Thread, would be tight.
  private static let stackSize = 8 << 20

  /// Runs a body on a thread of its own. A system without memory for a stack starts no thread and
  /// does not report it, so nobody may wait for a body that has not begun.
  static func run(_ body: @escaping @Sendable () -> Void) {
    if let waiting = parked.withLock({ $0.popLast() }) { return waiting.give(body) }
    let thread = Thread {
      body()
      let place = Parked()
      while park(place), let body = place.wait() { body() }
    }
    thread.stackSize = stackSize
    thread.start()
  }

  private static func park(_ place: Parked) -> Bool {
    parked.withLock { parked in
      guard parked.count < limit else { return false }
      parked.append(place)
      return true
    }
  }
}
