import Platform

/// The policy for a file that cannot be fetched.
package enum FetchErrorPolicy: String, CaseIterable, Hashable, Sendable {
  /// The run fails.
  case fail
  /// The last fetched copy is used, and the run reports it.
  case lastGood = "last-good"
  /// The run continues without the file, and reports it. A fetcher itself fails.
  case skip
}

/// The options for fetching files; every value has a default.
package struct FetchOptions: Hashable, Sendable {
  /// A copy checked less than this time ago is used without revalidation; `nil` and 0 always
  /// revalidate.
  package var maxAge: Duration?

  /// Whether the network is not used at all.
  package var offline = false

  /// The policy when all attempts have failed.
  package var onError = FetchErrorPolicy.fail

  /// The age up to which the last fetched copy is used; `nil` for any.
  package var lastGoodAge: Duration?

  /// The number of retries after the first attempt.
  package var retries = 4

  /// The delay before the first retry; it doubles with each further one.
  package var backoff = Duration.milliseconds(500)

  /// Maximum delay between two attempts, unless the server requests another one.
  package var longestBackoff = Duration.seconds(30)

  /// Maximum delay that is accepted from a server's `Retry-After`, for all files of a host
  /// together; a host that asks for more is not asked again.
  package var longestRetryAfter = Duration.seconds(120)

  /// Time limit for name lookup, connection and TLS together.
  package var connectTimeout = Duration.seconds(10)

  /// Time limit from the request to the head of the response: the connection and the server's own
  /// time.
  package var responseTimeout = Duration.seconds(30)

  /// Time limit for a pause within a body.
  package var idleTimeout = Duration.seconds(30)

  /// Time limit for one attempt, from the request to the last byte.
  package var totalTimeout = Duration.seconds(3600)

  /// Maximum bytes of a body, decompressed.
  package var maximumBytes: Int64 = 4 << 30

  /// Maximum number of redirects that are followed.
  package var maximumRedirects = 5

  /// Maximum requests per second and host; 0 for no limit.
  package var requestsPerSecond = 10.0

  /// Maximum number of concurrent connections to one host.
  package var connectionsPerHost = 2

  /// The user agent of the requests.
  package var userAgent = "quadrille"

  package init() {}
}

/// The progress of a transfer.
package struct FetchProgress: Hashable, Sendable {
  /// The address without secrets.
  package let uri: String

  /// The received bytes of the body, including those of a resumed transfer.
  package let bytes: Int64

  /// The total number of bytes, if the server sent it.
  package let total: Int64?
}

/// The environment that fetching needs from the process; tests inject their own.
package struct FetchSurroundings: Sendable {
  /// Returns the seconds since 1970.
  package var now: @Sendable () -> Int64

  /// Waits; it should return early when the run is cancelled.
  package var sleep: @Sendable (Duration) -> Void

  /// Whether the run is cancelled.
  package var isCancelled: @Sendable () -> Bool

  /// Receives the progress, some times per second, on the thread that fetches.
  package var progress: @Sendable (FetchProgress) -> Void

  /// Creates the environment of the process as it is.
  package init(
    isCancelled: @escaping @Sendable () -> Bool = { false },
    progress: @escaping @Sendable (FetchProgress) -> Void = { _ in }
  ) {
    self.isCancelled = isCancelled
    self.progress = progress
    now = { WallClock.secondsSince1970() }
    sleep = { duration in WallClock.wait(duration, unless: isCancelled) }
  }
}

/// The system's time.
enum WallClock {
  /// Returns the seconds since 1970, UTC.
  static func secondsSince1970() -> Int64 { Int64(time(nil)) }

  /// Waits in steps of 50 ms until the time has elapsed or the condition holds.
  static func wait(_ duration: Duration, unless isOver: () -> Bool) {
    let end = ContinuousClock.now + duration
    while !isOver() {
      let left = end - ContinuousClock.now
      guard left > .zero else { return }
      let step = min(left, .milliseconds(50)).components.attoseconds / 1_000_000_000
      var time = timespec(tv_sec: 0, tv_nsec: Int(step))
      nanosleep(&time, nil)
    }
  }
}
