import Testing

@testable import Fetching

/// Requests spread over time.
struct PaceTests {
  @Test("requests to a host keep their pace, and hosts do not wait for each other")
  func pace() {
    var pace = RequestPace(perSecond: 4)
    #expect(pace.reserve("a", at: .seconds(1)) == .zero)
    #expect(pace.reserve("a", at: .seconds(1)) == .milliseconds(250))
    #expect(pace.reserve("a", at: .seconds(1)) == .milliseconds(500))
    #expect(pace.reserve("b", at: .seconds(1)) == .zero)
    #expect(pace.reserve("a", at: .seconds(9)) == .zero)
    var free = RequestPace(perSecond: 0)
    #expect((0..<9).allSatisfy { _ in free.reserve("a", at: .zero) == .zero })
  }

  @Test("a delay never exceeds its bound, however many attempts failed")
  func bounded() {
    let schedule = RetrySchedule(options: FetchOptions(), key: "k")
    for attempt in [1, 2, 10, 63, 64, 1000, .max] {
      let delay = schedule.delay(after: attempt, retryAfter: nil)
      #expect(delay > .zero && delay <= .seconds(30))
    }
  }
}
