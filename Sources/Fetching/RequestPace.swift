/// A pace that spreads the requests to each host evenly over time.
struct RequestPace {
  /// The requests per second and host; 0 or less for no limit.
  let perSecond: Double

  /// The time at which the next request to a host may start, on a monotonic clock.
  private var next: [String: Duration] = [:]

  init(perSecond: Double) {
    self.perSecond = perSecond
  }

  /// Reserves a host's next slot and returns the time to wait for it.
  mutating func reserve(_ host: String, at now: Duration) -> Duration {
    guard perSecond > 0, perSecond.isFinite else { return .zero }
    let start = max(now, next[host] ?? now)
    next[host] = start + .seconds(min(1 / perSecond, 3600))
    return start - now
  }
}
