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

  @Test("the wishes of a host share one patience, and those at the same time count once")
  func patience() {
    var patience = HostPatience()
    func begin(_ host: String, _ wish: Int?) -> Duration? {
      patience.begin(
        host, .seconds(1), wish: wish.map { .seconds($0) }, limit: .seconds(100))
    }
    #expect(begin("a", 60) == .seconds(60))
    #expect(begin("a", 60) == .seconds(60))
    patience.end("a")
    patience.end("a")
    #expect(begin("a", 60) == nil)
    #expect(begin("a", 40) == .seconds(40))
    patience.end("a")
    #expect(begin("a", 1) == nil && begin("a", nil) == .seconds(1))
    #expect(begin("b", 101) == nil && begin("b", 100) == .seconds(100))
    patience.note("a", hasAnswered: false)
    #expect(begin("a", nil) == nil && begin("a", 0) == nil)
    patience.note("a", hasAnswered: true)
    #expect(begin("a", nil) == .seconds(1))
  }

  @Test(
    "addresses of this machine have no pace",
    arguments: [
      ("http://localhost:1/", true), ("http://127.0.0.1/", true), ("http://127.255.0.9/", true),
      ("http://[::1]:8080/x", true), ("http://tiles.localhost/", true),
      ("http://127.0.0.1.example.com/", false), ("http://localhost.example.com/", false),
      ("http://10.0.0.1/", false), ("http://1270.0.0.1/", false),
    ])
  func loopback(_ address: String, _ isLoopback: Bool) throws {
    #expect(try #require(RemoteAddress(address)).isLoopback == isLoopback)
  }

  @Test("a delay never exceeds its bound, however many attempts failed")
  func bounded() {
    let schedule = RetrySchedule(options: FetchOptions(), key: "k")
    for attempt in [1, 2, 10, 63, 64, 1000, .max] {
      let delay = schedule.delay(after: attempt)
      #expect(delay > .zero && delay <= .seconds(30))
    }
  }
}
