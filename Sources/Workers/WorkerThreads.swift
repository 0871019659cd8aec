import Dispatch
import Platform
import Synchronization

/// The program's own worker threads: started when needed, and kept for later work, since starting
/// one costs as much as a small piece of work.
///
/// The threads of libdispatch do not serve: libdispatch watches its threads through /proc and ends
/// the process if it cannot open a file there, and if the system refuses a thread it tries again
/// forever. Nor do Foundation's: it does not report that a thread was refused.
package enum WorkerThreads {
  package typealias Body = @Sendable () -> Void

  /// A thread that waits for work.
  private final class Parked: Sendable {
    private let body = Mutex<Body?>(nil)
    private let hasWork = DispatchSemaphore(value: 0)

    func give(_ body: @escaping Body) {
      self.body.withLock { $0 = body }
      hasWork.signal()
    }

    func wait() -> Body? {
      hasWork.wait()
      return body.withLock { $0.take() }
    }
  }

  private static let parked = Mutex<[Parked]>([])

  /// The maximum number of threads that wait.
  private static let limit = 64

  /// The stack size in bytes: nested curves, expressions and geometries recurse, and 512 KiB,
  /// Foundation's default, would be tight.
  private static let stackSize = 8 << 20

  private static let refused = Atomic<Bool>(false)

  /// Whether the system has refused a thread so far: a limit of processes (`ulimit -u`, `TasksMax=`)
  /// was reached, or there was no memory for a stack.
  package static var wereRefused: Bool { refused.load(ordering: .relaxed) }

  /// Runs a body on a thread of its own.
  ///
  /// - Returns: `false`, without running it, if the system refuses a thread.
  package static func run(_ work: @escaping Body) -> Bool {
    let stop = RunStop.current
    let body: Body = { RunStop.$current.withValue(stop, operation: work) }
    if let waiting = parked.withLock({ $0.popLast() }) {
      waiting.give(body)
      return true
    }
    let isStarted = start {
      body()
      let place = Parked()
      while park(place), let body = place.wait() { body() }
    }
    if !isStarted { refused.store(true, ordering: .relaxed) }
    return isStarted
  }

  private static func park(_ place: Parked) -> Bool {
    parked.withLock { parked in
      guard parked.count < limit else { return false }
      parked.append(place)
      return true
    }
  }

  /// The body of a thread while it is handed over to that thread.
  private final class Start {
    let body: Body

    init(_ body: @escaping Body) {
      self.body = body
    }
  }

  /// Starts a detached thread; `false` if the system has no resources for it.
  private static func start(_ body: @escaping Body) -> Bool {
    let attributes = UnsafeMutablePointer<pthread_attr_t>.allocate(capacity: 1)
    defer { unsafe attributes.deallocate() }
    guard unsafe pthread_attr_init(attributes) == 0 else { return false }
    defer { unsafe pthread_attr_destroy(attributes) }
    unsafe pthread_attr_setstacksize(attributes, stackSize)
    unsafe pthread_attr_setdetachstate(attributes, Int32(PTHREAD_CREATE_DETACHED))
    #if canImport(Darwin)
      var thread: pthread_t?
    #else
      var thread = pthread_t()
    #endif
    let start = unsafe Unmanaged.passRetained(Start(body))
    guard unsafe pthread_create(&thread, attributes, runStart, start.toOpaque()) == 0 else {
      unsafe start.release()
      return false
    }
    return true
  }

  fileprivate static func run(_ start: UnsafeMutableRawPointer) {
    unsafe Unmanaged<Start>.fromOpaque(start).takeRetainedValue().body()
  }
}

#if canImport(Darwin)
  private func runStart(_ start: UnsafeMutableRawPointer) -> UnsafeMutableRawPointer? {
    unsafe WorkerThreads.run(start)
    return nil
  }
#else
  private func runStart(_ start: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
    if let start = unsafe start { unsafe WorkerThreads.run(start) }
    return nil
  }
#endif
