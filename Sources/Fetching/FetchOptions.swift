/// What to do when a file cannot be fetched.
package enum FetchErrorPolicy: String, CaseIterable, Hashable, Sendable {
  /// The run fails.
  case fail
  /// The last copy that was fetched is used, and the run says so.
  case lastGood = "last-good"
  /// The run goes on without the file, and says so. A fetcher itself fails.
  case skip
}

/// How files are fetched; every value has a default.
package struct FetchOptions: Hashable, Sendable {
  /// A copy checked within this time is used without asking; `nil` asks every time.
  package var maxAge: Duration?

  /// Nothing is asked of the network.
  package var offline = false

  /// What happens when all attempts failed.
  package var onError = FetchErrorPolicy.fail

  /// Attempts after the first one.
  package var retries = 4

  /// The wait before the first retry; each further one is twice as long.
  package var backoff = Duration.milliseconds(500)

  /// The longest wait between two attempts, if the server does not say otherwise.
  package var longestBackoff = Duration.seconds(30)

  /// The longest wait that a server's `Retry-After` is granted.
  package var longestRetryAfter = Duration.seconds(120)

  /// Name lookup, connection and TLS, of which nothing may take longer in all.
  package var connectTimeout = Duration.seconds(10)

  /// From the request to the head of the answer: the connection and the server's own time.
  package var responseTimeout = Duration.seconds(30)

  /// The longest pause within a body.
  package var idleTimeout = Duration.seconds(30)

  /// One attempt, from the request to the last byte.
  package var totalTimeout = Duration.seconds(3600)

  /// Bytes of a body, unpacked.
  package var maximumBytes: Int64 = 4 << 30

  /// Redirections that are followed.
  package var maximumRedirects = 5

  /// Requests per second and host; 0 for no limit.
  package var requestsPerSecond = 10.0

  /// Connections to one host at a time.
  package var connectionsPerHost = 2

  /// What the requests call their sender.
  package var userAgent = "quadrille"

  package init() {}
}

/// How far a transfer is.
package struct FetchProgress: Hashable, Sendable {
  /// The address without secrets.
  package let uri: String

  /// Bytes of the body that are there, those of a resumed transfer included.
  package let bytes: Int64

  /// Bytes in all, if the server said so.
  package let total: Int64?
}

/// What fetching needs of the process around it; tests put in their own.
package struct FetchSurroundings: Sendable {
  /// Seconds since 1970.
  package var now: @Sendable () -> Int64

  /// Waits; it should return early when the run is cancelled.
  package var sleep: @Sendable (Duration) -> Void

  /// Whether the run is to end.
  package var isCancelled: @Sendable () -> Bool

  /// Takes the progress, some times a second, on the thread that fetches.
  package var progress: @Sendable (FetchProgress) -> Void

  /// The process as it is.
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
