/// Spreads the requests to each host evenly over time.
struct RequestPace {
  /// Requests per second and host; 0 or less for no limit.
  let perSecond: Double

  /// When the next request of a host may start, on any clock that does not go back.
  private var next: [String: Duration] = [:]

  init(perSecond: Double) {
    self.perSecond = perSecond
  }

  /// Takes a host's next place in time and returns how long to wait for it.
  mutating func reserve(_ host: String, at now: Duration) -> Duration {
    guard perSecond > 0, perSecond.isFinite else { return .zero }
    let start = max(now, next[host] ?? now)
    next[host] = start + .seconds(min(1 / perSecond, 3600))
    return start - now
  }
}
