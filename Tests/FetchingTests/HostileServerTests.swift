import Fetching
import TestSupport
import Testing

/// Answers at random: nothing that a server sends may end the process.
@Suite(.serialized) struct HostileServerTests {
  /// What the answers are made from.
  static let bases = [
    "HTTP/1.1 200 OK\r\nContent-Type: text/csv\r\nContent-Length: 12\r\n\r\nlon,lat\n1,2\n",
    "HTTP/1.1 302 Found\r\nLocation: /x?a=%20#b\r\nContent-Length: 3\r\n\r\nabc",
    "HTTP/1.1 301 Moved\r\nLocation: http://127.0.0.1:1/\r\n\r\n",
    "HTTP/1.1 206 Part\r\nContent-Range: bytes 0-3/8\r\nETag: \"a\"\r\n\r\nlon,",
    "HTTP/1.1 304 Same\r\nETag: \"a\"\r\n\r\n",
    "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n4\r\nlon,\r\n0\r\nX: y\r\n\r\n",
    "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\n\r\n\u{1F}abc",
    "HTTP/1.1 401 No\r\nWWW-Authenticate: Basic realm=\"x\"\r\nSet-Cookie: a=b; Path=/\r\n\r\n",
    "HTTP/1.1 503 Busy\r\nRetry-After: Sun, 06 Nov 1994 08:49:37 GMT\r\n\r\n",
  ].map { Array($0.utf8) }

  /// One of the answers with some of its bytes changed, added or left out.
  static func mutated(_ random: inout SplitMix64) -> [UInt8] {
    var bytes = random.pick(bases)
    let odd = Array("\r\n:;,%/?#\\\"<> \t\u{0}\u{1}\u{7F}é0 9-*".utf8)
    for _ in 0..<1 + random.below(6) where !bytes.isEmpty {
      let index = random.below(bytes.count)
      switch random.below(4) {
      case 0: bytes[index] = random.pick(odd)
      case 1: bytes.insert(random.pick(odd), at: index)
      case 2: bytes.remove(at: index)
      default: bytes.insert(contentsOf: bytes[index...].prefix(random.below(20)), at: index)
      }
    }
    // Cut anywhere, often within the head.
    return random.below(4) == 0 ? Array(bytes.prefix(random.below(bytes.count + 1))) : bytes
  }

  @Test(
    "a connection that ends within the head is a connection failure",
    arguments: [
      "HTTP/1.1 200 OK\r\n", "HTTP/1.1 200 OK\r\nContent-Length: 9\r\n", "H", "HTTP/1.1 2",
      "HTTP/1.1 302 Found\r\nLocation: /x", "HTTP/1.1 304 Same\r\nETag: \"a\"\r\n",
      "HTTP/1.1 100 Continue\r\n\r\n", "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\n",
      "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n",
    ])
  func cutHead(answer: String) throws {
    let sample = try FetchingSample()
    let server = try LocalServer { _, connection in connection.send(answer) }
    let error = FetchingSample.failure {
      try sample.fetcher { $0.retries = 0 }.fetch(.csv(server.url("/")))
    }
    #expect(error?.code == .connection)
  }

  @Test(
    "no response crashes the process, and each fetch ends with a file or an error of the server")
  func random() throws {
    var random = SplitMix64(seed: 20)
    let sample = try FetchingSample()
    let fetcher = sample.fetcher {
      $0.retries = 1
      $0.responseTimeout = .milliseconds(400)
      $0.idleTimeout = .milliseconds(400)
      $0.maximumBytes = 1000
    }
    for number in 0..<(runsSlowTests ? 5000 : 150) {
      let answers = (0..<3).map { _ in Self.mutated(&random) }
      let server = try LocalServer { request, connection in
        connection.send(answers[request.ordinal % answers.count])
      }
      let error = FetchingSample.failure {
        try fetcher.fetch(.csv(server.url("/\(number)")))
      }
      let isTheServers = [
        nil, .status, .connection, .timeout, .tooLarge, .wrongContent, .redirect,
      ].contains(error?.code)
      #expect(isTheServers, "\(number): \(String(describing: error))")
    }
  }
}
