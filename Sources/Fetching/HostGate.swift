import Foundation

/// A gate that limits the number of concurrent transfers per host, and their rate.
///
/// The state may only be accessed while `condition` is locked.
final class HostGate: @unchecked Sendable {
  private let condition = NSCondition()
  private let limit: Int
  private let start = ContinuousClock.now
  private var running: [String: Int] = [:]
  private var pace: RequestPace

  init(connectionsPerHost: Int, requestsPerSecond: Double) {
    limit = max(1, connectionsPerHost)
    pace = RequestPace(perSecond: requestsPerSecond)
  }

  /// Waits for a free place; returns `false` if the run was cancelled meanwhile.
  func enter(_ host: String, _ surroundings: FetchSurroundings) -> Bool {
    condition.lock()
    while running[host, default: 0] >= limit {
      if surroundings.isCancelled() {
        condition.unlock()
        return false
      }
      _ = condition.wait(until: Date(timeIntervalSinceNow: 0.05))
    }
    running[host, default: 0] += 1
    let delay = pace.reserve(host, at: ContinuousClock.now - start)
    condition.unlock()
    if delay > .zero { surroundings.sleep(delay) }
    return true
  }

  /// Releases the place of a transfer that has ended.
  func leave(_ host: String) {
    condition.lock()
    running[host, default: 1] -= 1
    condition.broadcast()
    condition.unlock()
  }
}

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
