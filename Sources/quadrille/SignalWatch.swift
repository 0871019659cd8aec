import Pipeline
import Platform

/// Turns SIGINT and SIGTERM into a cancellation, so that a run ends by its own hand and cleans up.
///
/// A second signal ends the process at once; what is left behind is a temporary file that the next
/// run removes. SIGPIPE and SIGXFSZ are ignored: writing reports it instead.
///
/// A thread waits for the signals. A `DispatchSource` would end the process where the system has no
/// more files for it (`epoll_create1`, `eventfd`).
final class SignalWatch {
  private let cancellation: Cancellation

  private init(_ cancellation: Cancellation) {
    self.cancellation = cancellation
  }

  /// Begins to wait. No other thread may run yet: those that are started later inherit which signals
  /// are not for them.
  static func start(_ cancellation: Cancellation) {
    signal(SIGPIPE, SIG_IGN)
    signal(SIGXFSZ, SIG_IGN)
    var watched = signals()
    pthread_sigmask(SIG_BLOCK, &watched, nil)
    // A shell lets commands in the background ignore them.
    signal(SIGINT, SIG_DFL)
    signal(SIGTERM, SIG_DFL)
    let watch = Unmanaged.passRetained(SignalWatch(cancellation))
    guard !startThread(watch.toOpaque()) else { return }
    // Without a thread they end the process as they do by themselves.
    watch.release()
    pthread_sigmask(SIG_UNBLOCK, &watched, nil)
  }

  /// The signals that are waited for.
  private static func signals() -> sigset_t {
    var signals = sigset_t()
    sigemptyset(&signals)
    sigaddset(&signals, SIGINT)
    sigaddset(&signals, SIGTERM)
    return signals
  }

  /// Waits for signals to the end of the process.
  fileprivate func run() {
    var signals = Self.signals()
    var number: Int32 = 0
    while sigwait(&signals, &number) == 0 {
      if cancellation.signal != 0 { _exit(128 + number) }
      cancellation.cancel(signal: number)
    }
  }

  /// Starts a thread that nobody waits for; `false` where the system has no room for it.
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
