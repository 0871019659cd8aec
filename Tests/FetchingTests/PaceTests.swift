import Testing

@testable import Fetching

/// Requests spread over time, and dates of headers.
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

  @Test(
    "dates of headers are converted to seconds since 1970",
    arguments: [
      ("Thu, 01 Jan 1970 00:00:00 GMT", 0), ("Sun, 06 Nov 1994 08:49:37 GMT", 784_111_777),
      ("Tue, 29 Feb 2000 12:00:00 GMT", 951_825_600),
      ("Fri, 31 Dec 9999 23:59:59 GMT", 253_402_300_799),
    ])
  func dates(text: String, seconds: Int64) {
    #expect(HTTPDate.seconds(text) == seconds)
  }

  @Test(
    "invalid dates of headers are refused",
    arguments: [
      "", "now", "Sun, 06 Nov 1994 08:49:37", "Sun, 06 Foo 1994 08:49:37 GMT",
      "Sun, 06 Nov 99999999999999999999 08:49:37 GMT", "Sun, 06 Nov 1994 24:00:00 GMT",
    ])
  func noDates(text: String) {
    #expect(HTTPDate.seconds(text) == nil)
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
