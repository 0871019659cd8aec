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
  private var patience = HostPatience()

  init(connectionsPerHost: Int, requestsPerSecond: Double) {
    limit = max(1, connectionsPerHost)
    pace = RequestPace(perSecond: requestsPerSecond)
  }

  /// Waits for a free place; returns `false` if the run was cancelled meanwhile. Requests to this
  /// machine are not slowed down.
  func enter(_ address: RemoteAddress, _ surroundings: FetchSurroundings) -> Bool {
    let host = address.origin
    condition.lock()
    while running[host, default: 0] >= limit {
      if surroundings.isCancelled() {
        condition.unlock()
        return false
      }
      _ = condition.wait(until: Date(timeIntervalSinceNow: 0.05))
    }
    running[host, default: 0] += 1
    let delay = address.isLoopback ? .zero : pace.reserve(host, at: ContinuousClock.now - start)
    condition.unlock()
    if delay > .zero { surroundings.sleep(delay) }
    return true
  }

  /// Releases the place of a transfer that has ended.
  func leave(_ address: RemoteAddress) {
    let host = address.origin
    condition.lock()
    running[host, default: 1] -= 1
    condition.broadcast()
    condition.unlock()
  }
}

extension HostGate {
  /// Waits before another attempt at a host.
  ///
  /// - Parameters:
  ///   - delay: the usual delay.
  ///   - wish: the delay that the host asks for; `nil` if it asks for none.
  ///   - limit: the maximum total of such delays, for all files of the host together.
  /// - Returns: whether another attempt is worth it.
  func waitAgain(
    for host: String, _ delay: Duration, wish: Duration?, limit: Duration,
    _ surroundings: FetchSurroundings
  ) -> Bool {
    condition.lock()
    let wait = patience.begin(host, delay, wish: wish, limit: limit)
    condition.unlock()
    guard let wait else { return false }
    surroundings.sleep(wait)
    guard wish != nil else { return true }
    condition.lock()
    patience.end(host)
    condition.unlock()
    return true
  }

  /// Notes whether a host answered at last, or all attempts at one of its files failed.
  func note(_ host: String, hasAnswered: Bool) {
    condition.lock()
    patience.note(host, hasAnswered: hasAnswered)
    condition.unlock()
  }
}

/// The patience with a host that asks for delays or does not answer, shared by all files of the
/// host.
struct HostPatience {
  private struct State {
    /// The total time of the delays that the host asked for; simultaneous delays count once.
    var spent = Duration.zero

    /// The number of delays that are running.
    var waiting = 0

    /// Whether all attempts at the last file failed.
    var isSilent = false
  }

  private var hosts: [String: State] = [:]

  /// Begins a wait before another attempt, which ``end(_:)`` ends where the host asked for it.
  ///
  /// - Returns: its length; `nil` where patience has run out.
  mutating func begin(
    _ host: String, _ delay: Duration, wish: Duration?, limit: Duration
  ) -> Duration? {
    var state = hosts[host] ?? State()
    guard !state.isSilent else { return nil }
    guard let wish else { return delay }
    let isAlone = state.waiting == 0
    guard wish <= (isAlone ? limit - state.spent : limit) else { return nil }
    if isAlone { state.spent += wish }
    state.waiting += 1
    hosts[host] = state
    return wish
  }

  mutating func end(_ host: String) { hosts[host]?.waiting -= 1 }

  mutating func note(_ host: String, hasAnswered: Bool) {
    if hasAnswered, hosts[host] == nil { return }
    hosts[host, default: State()].isSilent = !hasAnswered
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
