import Fetching
import Foundation
import TestSupport
import Testing

/// Failures that may pass, and those that do not.
@Suite(.serialized) struct RetryTests {
  @Test(
    "a transient status is retried",
    arguments: [408, 425, 429, 500, 502, 503, 504])
  func transient(status: Int) throws {
    let sample = try FetchingSample()
    let server = try LocalServer { request, connection in
      connection.answer(request.ordinal < 2 ? status : 200, [], FetchingSample.csv)
    }
    let file = try sample.fetcher().fetch(.csv(server.url("/")))
    #expect(try FetchingSample.text(file) == FetchingSample.csv)
    #expect(server.requests.count == 3)
    #expect(sample.waits.count == 2)
  }

  @Test(
    "any other status ends the fetch at once, with the first words of the response",
    arguments: [400, 401, 403, 404, 410, 501])
  func final(status: Int) throws {
    let sample = try FetchingSample()
    let server = try LocalServer { _, connection in
      connection.answer(status, [], "{\"error\": \"no such data set\"}")
    }
    let error = FetchingSample.failure { try sample.fetcher().fetch(.csv(server.url("/"))) }
    #expect(error?.code == .status)
    #expect(error?.status == status)
    #expect(error?.message.contains("\(status)") == true)
    #expect(error?.message.contains("no such data set") == true)
    #expect(server.requests.count == 1)
  }

  @Test("after the last attempt the error has their number")
  func gaveUp() throws {
    let sample = try FetchingSample()
    let server = try LocalServer { _, connection in connection.answer(503) }
    let error = FetchingSample.failure {
      try sample.fetcher { $0.retries = 2 }.fetch(.csv(server.url("/")))
    }
    #expect(error?.message.contains("after 3 attempts") == true)
    #expect(server.requests.count == 3)
  }

  @Test("retry delays double up to a bound, differ by file, and are the same in every run")
  func backoff() throws {
    let server = try LocalServer { _, connection in connection.answer(500) }
    func waits(_ path: String) throws -> [Duration] {
      let sample = try FetchingSample()
      let fetcher = sample.fetcher {
        $0.retries = 6
        $0.backoff = .seconds(1)
        $0.longestBackoff = .seconds(8)
      }
      _ = FetchingSample.failure { try fetcher.fetch(.csv(server.url(path))) }
      return sample.waits
    }
    let first = try waits("/a")
    #expect(first.count == 6)
    for (wait, bound) in zip(first, [1, 2, 4, 8, 8, 8]) {
      #expect(wait >= .seconds(bound) / 2 && wait <= .seconds(bound))
    }
    #expect(try waits("/a") == first)
    #expect(try waits("/b") != first)
  }

  @Test(
    "Retry-After is honoured, up to a cap",
    arguments: [
      ("7", 7), ("0", 0), ("60", 60), ("Tue, 13 May 2014 16:53:30 GMT", 10),
      ("Tue, 13 May 2014 16:00:00 GMT", 0),
    ])
  func retryAfter(text: String, seconds: Int) throws {
    let sample = try FetchingSample()
    let server = try LocalServer { request, connection in
      connection.answer(
        request.ordinal == 0 ? 429 : 200, ["Retry-After: \(text)"], FetchingSample.csv)
    }
    // The sample's clock stands at Tue, 13 May 2014 16:53:20 GMT.
    _ = try sample.fetcher { $0.longestRetryAfter = .seconds(60) }.fetch(.csv(server.url("/")))
    #expect(sample.waits == [.seconds(seconds)])
  }

  @Test(
    "a server that asks for more time than there is patience is not asked again",
    arguments: ["61", "9999999", "99999999999999999999999", "Tue, 13 May 2036 16:53:30 GMT"])
  func impatience(text: String) throws {
    let sample = try FetchingSample()
    let server = try LocalServer { _, connection in
      connection.answer(503, ["Retry-After: \(text)"])
    }
    let fetcher = sample.fetcher { $0.longestRetryAfter = .seconds(60) }
    for path in ["/a", "/b"] {
      let error = FetchingSample.failure { try fetcher.fetch(.csv(server.url(path))) }
      #expect(error?.status == 503 && error?.message.contains("asked later") == true)
    }
    #expect(sample.waits.isEmpty && server.requests.count == 2)
  }

  @Test("a host that answers no file in all attempts gets one attempt for each other file")
  func silence() throws {
    let sample = try FetchingSample()
    let server = try LocalServer { request, connection in
      connection.answer(request.target == "/good" ? 200 : 503, [], FetchingSample.csv)
    }
    let fetcher = sample.fetcher { $0.retries = 2 }
    func ask(_ path: String) -> Int {
      let before = server.requests.count
      _ = FetchingSample.failure { try fetcher.fetch(.csv(server.url(path))) }
      return server.requests.count - before
    }
    let first: [Int] = [ask("/a"), ask("/b"), ask("/c")]
    #expect(first == [3, 1, 1])
    _ = try fetcher.fetch(.csv(server.url("/good")))
    let second: [Int] = [ask("/d"), ask("/e")]
    #expect(second == [3, 1])
  }

  @Test("a reset connection is retried")
  func reset() throws {
    let sample = try FetchingSample()
    let server = try LocalServer { request, connection in
      if request.ordinal == 0 {
        connection.reset()
      } else {
        connection.answer(200, [], FetchingSample.csv)
      }
    }
    #expect(try sample.fetcher().fetch(.csv(server.url("/"))).origin == .network)
    #expect(server.requests.count == 2)
  }

  @Test("a port without a listener is a connection failure")
  func refused() throws {
    let sample = try FetchingSample()
    var port = 0
    do { port = try LocalServer { _, _ in }.port }
    let error = FetchingSample.failure {
      try sample.fetcher { $0.retries = 1 }.fetch(.csv("http://127.0.0.1:\(port)/x"))
    }
    #expect(error?.code == .connection)
    #expect(sample.waits.count == 1)
  }

  @Test(
    "the last good copy is used if the policy allows it, with the reason",
    arguments: [FetchErrorPolicy.fail, .lastGood])
  func lastGood(policy: FetchErrorPolicy) throws {
    let sample = try FetchingSample()
    let server = try LocalServer { request, connection in
      connection.answer(request.ordinal == 0 ? 200 : 500, [], FetchingSample.csv)
    }
    let resource = try RemoteResource.csv(server.url("/"))
    let fetcher = sample.fetcher {
      $0.onError = policy
      $0.retries = 1
    }
    _ = try fetcher.fetch(resource)
    guard policy == .lastGood else {
      #expect(FetchingSample.failure { try fetcher.fetch(resource) }?.code == .status)
      return
    }
    let file = try fetcher.fetch(resource)
    #expect(file.origin == .lastGood)
    #expect(file.failure?.code == .status)
    #expect(file.note?.contains("500") == true)
    #expect(try FetchingSample.text(file) == FetchingSample.csv)
  }

  @Test("the policy last-good fails without a copy")
  func noLastGood() throws {
    let sample = try FetchingSample()
    let server = try LocalServer { _, connection in connection.answer(404) }
    let error = FetchingSample.failure {
      try sample.fetcher { $0.onError = .lastGood }.fetch(.csv(server.url("/")))
    }
    #expect(error?.code == .status)
  }
}
