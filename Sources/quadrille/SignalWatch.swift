import Dispatch
import Pipeline

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// Turns SIGINT and SIGTERM into a cancellation, so that a run ends by its own hand and cleans up.
///
/// A second signal ends the process at once; what is left behind is a temporary file that the next
/// run removes. SIGPIPE and SIGXFSZ are ignored: writing reports it instead.
final class SignalWatch {
  private let sources: [any DispatchSourceSignal]

  init(_ cancellation: Cancellation) {
    signal(SIGPIPE, SIG_IGN)
    signal(SIGXFSZ, SIG_IGN)
    let queue = DispatchQueue(label: "signals")
    sources = [SIGINT, SIGTERM].map { number in
      signal(number, SIG_IGN)
      let source = DispatchSource.makeSignalSource(signal: number, queue: queue)
      source.setEventHandler {
        if cancellation.signal != 0 { _exit(128 + number) }
        cancellation.cancel(signal: number)
      }
      source.resume()
      return source
    }
  }
}
