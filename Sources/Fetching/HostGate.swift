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
