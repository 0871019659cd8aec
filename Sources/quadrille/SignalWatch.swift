import Platform
import Runs

/// A watch that turns SIGINT, SIGTERM and SIGHUP into a cancellation, so that a run ends in an orderly
/// way and cleans up. `nohup` and services that ignore SIGHUP keep it ignored.
///
/// A second signal ends the process at once; it leaves a temporary file behind, which the next run
/// removes. SIGPIPE and SIGXFSZ are ignored: writes fail with an error instead.
///
/// A thread waits for the signals. A `DispatchSource` would terminate the process if the system
/// cannot open more files (`epoll_create1`, `eventfd`).
final class SignalWatch {
  private let cancellation: Cancellation

  /// The signals that are waited for.
  private var watched = sigset_t()

  private init(_ cancellation: Cancellation) {
    self.cancellation = cancellation
    sigemptyset(&watched)
    sigaddset(&watched, SIGINT)
    sigaddset(&watched, SIGTERM)
    if !Self.isIgnored(SIGHUP) { sigaddset(&watched, SIGHUP) }
  }

  /// Starts waiting. No other thread may run yet: those that are started later inherit the blocked
  /// signals.
  static func start(_ cancellation: Cancellation) {
    signal(SIGPIPE, SIG_IGN)
    signal(SIGXFSZ, SIG_IGN)
    let watch = SignalWatch(cancellation)
    var watched = watch.watched
    pthread_sigmask(SIG_BLOCK, &watched, nil)
    // A shell makes commands in the background ignore them.
    signal(SIGINT, SIG_DFL)
    signal(SIGTERM, SIG_DFL)
    let retained = Unmanaged.passRetained(watch)
    guard !startThread(retained.toOpaque()) else { return }
    // Without a thread they terminate the process by default.
    retained.release()
    pthread_sigmask(SIG_UNBLOCK, &watched, nil)
  }

  /// Whether this process was started with a signal that it ignores.
  private static func isIgnored(_ number: Int32) -> Bool {
    var action = sigaction()
    guard sigaction(number, nil, &action) == 0 else { return false }
    #if canImport(Darwin)
      let handler = action.__sigaction_u.__sa_handler
    #else
      let handler = action.__sigaction_handler.sa_handler
    #endif
    return unsafeBitCast(handler, to: Int.self) == unsafeBitCast(SIG_IGN, to: Int.self)
  }

  /// Waits for signals until the end of the process.
  fileprivate func run() {
    var number: Int32 = 0
    while sigwait(&watched, &number) == 0 {
      if cancellation.signal != 0 { _exit(128 + number) }
      cancellation.cancel(signal: number)
    }
  }

  /// Starts a detached thread; returns `false` if the system has no resources for it.
  private static func startThread(_ context: UnsafeMutableRawPointer) -> Bool {
    #if canImport(Darwin)
      var thread: pthread_t?
    #else
      var thread = pthread_t()
    #endif
    return pthread_create(&thread, nil, waitForSignals, context) == 0
  }
}

#if canImport(Darwin)
  private func waitForSignals(_ context: UnsafeMutableRawPointer) -> UnsafeMutableRawPointer? {
    Unmanaged<SignalWatch>.fromOpaque(context).takeRetainedValue().run()
    return nil
  }
#else
  private func waitForSignals(_ context: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
    if let context { Unmanaged<SignalWatch>.fromOpaque(context).takeRetainedValue().run() }
    return nil
  }
#endif
