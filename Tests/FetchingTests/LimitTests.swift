import Fetching
import Foundation
import TestSupport
import Testing

/// Servers that are slow, endless or silent.
@Suite(.serialized) struct LimitTests {
  @Test("a server that never responds is given up in time")
  func silent() throws {
    let sample = try FetchingSample()
    let server = try LocalServer { _, connection in connection.wait(milliseconds: 2000) }
    let error = FetchingSample.failure {
      try sample.fetcher {
        $0.responseTimeout = .milliseconds(300)
        $0.retries = 1
      }.fetch(.csv(server.url("/")))
    }
    #expect(error?.code == .timeout)
    #expect(error?.message.contains("no answer within 0.3 s") == true)
    #expect(error?.message.contains("2 attempts") == true)
    #expect(server.requests.count == 2)
  }

  @Test("a stalled body is given up, and the next attempt resumes it")
  func stalled() throws {
    let sample = try FetchingSample()
    let server = try LocalServer { request, connection in
      if request.ordinal == 0 {
        connection.send("HTTP/1.1 200 OK\r\nETag: \"a\"\r\nContent-Length: 12\r\n\r\nlon,lat\n")
        connection.wait(milliseconds: 1500)
      } else {
        connection.answer(206, ["ETag: \"a\"", "Content-Range: bytes 8-11/12"], "1,2\n")
      }
    }
    let file = try sample.fetcher { $0.idleTimeout = .milliseconds(300) }
      .fetch(.csv(server.url("/")))
    #expect(try FetchingSample.text(file) == "lon,lat\n1,2\n")
    #expect(server.requests.last?.headers["range"] == "bytes=8-")
  }

  @Test("a body that trickles for ever ends with the time limit of the whole transfer")
  func trickle() throws {
    let sample = try FetchingSample()
    let server = try LocalServer { _, connection in
      connection.send("HTTP/1.1 200 OK\r\n\r\nlon,lat\n")
      for _ in 0..<100 where connection.send("1,2\n") { connection.wait(milliseconds: 50) }
    }
    let error = FetchingSample.failure {
      try sample.fetcher {
        $0.totalTimeout = .milliseconds(600)
        $0.retries = 0
      }.fetch(.csv(server.url("/")))
    }
    #expect(error?.code == .timeout)
    #expect(error?.message.contains("did not end") == true)
  }

  @Test("a body that trickles but ends is accepted")
  func slowButWhole() throws {
    let sample = try FetchingSample()
    let server = try LocalServer { _, connection in
      connection.send("HTTP/1.1 200 OK\r\nContent-Length: 28\r\n\r\nlon,lat\n")
      for _ in 0..<5 where connection.send("1,2\n") { connection.wait(milliseconds: 60) }
    }
    let file = try sample.fetcher { $0.idleTimeout = .milliseconds(2000) }
      .fetch(.csv(server.url("/")))
    #expect(file.bytes == 28)
  }

  @Test("a length over the limit is refused before the body")
  func announcedHuge() throws {
    let sample = try FetchingSample()
    let server = try LocalServer { _, connection in
      connection.send("HTTP/1.1 200 OK\r\nContent-Length: 99999999999999\r\n\r\nlon,lat\n")
      connection.wait(milliseconds: 1000)
    }
    let error = FetchingSample.failure {
      try sample.fetcher { $0.maximumBytes = 1000 }.fetch(.csv(server.url("/")))
    }
    #expect(error?.code == .tooLarge)
    #expect(error?.message.contains("99999999999999") == true)
    #expect(server.requests.count == 1)
    #expect(!sample.files().contains { $0.contains("partial") })
  }

  @Test("an endless body without a length ends at the limit, while the server is still sending")
  func endless() throws {
    let sample = try FetchingSample()
    let ended = Recorder<Int>()
    let server = try LocalServer { _, connection in
      connection.send("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n")
      let chunk = Array(("4000\r\n" + String(repeating: "1,2\n", count: 4096) + "\r\n").utf8)
      // 640 MB unless the other side goes away.
      var count = 0
      while count < 40_000, connection.send(chunk) { count += 1 }
      ended.add(count)
    }
    let error = FetchingSample.failure {
      try sample.fetcher { $0.maximumBytes = 1 << 20 }.fetch(.csv(server.url("/")))
    }
    #expect(error?.code == .tooLarge)
    #expect(ended.all.allSatisfy { $0 < 40_000 })
    #expect(!sample.files().contains { $0.contains("partial") })
  }

  @Test("a compressed body is decompressed, and a bomb ends at the limit")
  func packed() throws {
    let sample = try FetchingSample()
    let server = try LocalServer { request, connection in
      let body =
        request.target == "/bomb"
        ? Gzip.bomb(UInt8(ascii: "1"), runs: 40_000)
        : Gzip.stored(Array(FetchingSample.csv.utf8))
      connection.answer(200, ["Content-Encoding: gzip", "ETag: \"a\""], body)
    }
    let file = try sample.fetcher().fetch(.csv(server.url("/fine")))
    #expect(try FetchingSample.text(file) == FetchingSample.csv)
    #expect(server.requests.first?.headers["accept-encoding"] == "gzip")
    let error = FetchingSample.failure {
      try sample.fetcher { $0.maximumBytes = 1 << 20 }.fetch(.csv(server.url("/bomb")))
    }
    #expect(error?.code == .tooLarge)
  }

  /// How a server packs a body.
  enum Packing: String, CaseIterable {
    case gzip, members, deflate, bareDeflate

    var coding: String { self == .gzip || self == .members ? "gzip" : "deflate" }

    func pack(_ bytes: [UInt8]) -> [UInt8] {
      switch self {
      case .gzip: Gzip.stored(bytes)
      case .members: Gzip.stored(Array(bytes.prefix(9))) + Gzip.stored(Array(bytes.dropFirst(9)))
      case .deflate: Gzip.zlib(bytes)
      case .bareDeflate: Gzip.bare(bytes)
      }
    }
  }

  @Test("a compressed body that is truncated is fetched again", arguments: Packing.allCases)
  func cutPacked(packing: Packing) throws {
    let packed = packing.pack(Array(FetchingSample.csv.utf8))
    for lost in [1, 5, 9, packed.count - 1] {
      let sample = try FetchingSample()
      let server = try LocalServer { request, connection in
        let body = request.ordinal == 0 ? Array(packed.dropLast(lost)) : packed
        connection.answer(200, ["Content-Encoding: \(packing.coding)", "ETag: \"a\""], body)
      }
      let file = try sample.fetcher().fetch(.csv(server.url("/")))
      #expect(try FetchingSample.text(file) == FetchingSample.csv)
      #expect(server.requests.count == 2)
      #expect(server.requests.allSatisfy { $0.headers["range"] == nil })
    }
    let sample = try FetchingSample()
    let server = try LocalServer { _, connection in
      connection.answer(
        200, ["Content-Encoding: \(packing.coding)"], Array(packed.dropLast(1)))
    }
    let error = FetchingSample.failure {
      try sample.fetcher { $0.retries = 1 }.fetch(.csv(server.url("/")))
    }
    #expect(error?.code == .connection)
    #expect(error?.message.contains("ends in its middle") == true)
  }

  @Test(
    "a body that cannot be decompressed is refused",
    arguments: ["br", "gzip, gzip", "gzip", "deflate"])
  func unpackable(coding: String) throws {
    let sample = try FetchingSample()
    let server = try LocalServer { _, connection in
      let packing = coding == "deflate" ? Packing.deflate : .gzip
      // A stream of its own, and then something else.
      connection.answer(
        200, ["Content-Encoding: \(coding)"],
        packing.pack(Array(FetchingSample.csv.utf8)) + Array("1,2\n".utf8))
    }
    let error = FetchingSample.failure { try sample.fetcher().fetch(.csv(server.url("/"))) }
    #expect(error?.code == .wrongContent)
    #expect(error?.message.contains("cannot be unpacked") == true)
  }

  @Test("the words of a compressed error response are quoted")
  func packedError() throws {
    let sample = try FetchingSample()
    let server = try LocalServer { _, connection in
      connection.answer(403, ["Content-Encoding: gzip"], Gzip.stored(Array("no key".utf8)))
    }
    let error = FetchingSample.failure { try sample.fetcher().fetch(.csv(server.url("/"))) }
    #expect(error?.code == .status)
    #expect(error?.message.contains("no key") == true)
  }

  @Test("a chunked body is complete only with its last chunk", arguments: [true, false])
  func chunked(isWhole: Bool) throws {
    let sample = try FetchingSample()
    let server = try LocalServer { _, connection in
      connection.send(
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n8\r\nlon,lat\n\r\n4\r\n1,2\n\r\n")
      if isWhole { connection.send("0\r\n\r\n") }
    }
    let resource = try RemoteResource.csv(server.url("/"))
    let fetcher = sample.fetcher { $0.retries = 0 }
    if isWhole {
      #expect(try FetchingSample.text(fetcher.fetch(resource)) == "lon,lat\n1,2\n")
    } else {
      #expect(FetchingSample.failure { try fetcher.fetch(resource) }?.code == .connection)
    }
  }

  @Test("cancelling a run ends its transfer")
  func cancelled() throws {
    let sample = try FetchingSample()
    let waits = Recorder<Bool>()
    let cancellation = sample.cancellation
    let server = try LocalServer { _, connection in
      connection.send("HTTP/1.1 200 OK\r\n\r\nlon,lat\n")
      cancellation.cancel()
      waits.add(connection.staysSilent())
    }
    let error = FetchingSample.failure { try sample.fetcher().fetch(.csv(server.url("/"))) }
    #expect(error?.code == .cancelled)
    // A client that waits for the server returns only when the server has given up.
    #expect(!waits.all.contains(false))
  }

  @Test(
    "responses that are not HTTP end as connection failures",
    arguments: [
      "", "\r\n\r\n", "nonsense\r\n\r\n", "HTTP/1.1\r\n\r\n", "HTTP/1.1 abc\r\n\r\n",
      "HTTP/1.1 200\r\n\r\nlon,lat\n", "HTTP/9.9 200 OK\r\n\r\n", "HTTP/1.1 99999 OK\r\n\r\n",
      "HTTP/1.1 200 OK\r\nno colon\r\n\r\nlon,lat\n1,2\n", "HTTP/1.1 200 OK\r\n: x\r\n\r\nlon\n",
      "HTTP/1.1 200 OK\r\nContent-Length: -5\r\n\r\nlon,lat\n",
      "HTTP/1.1 200 OK\r\nContent-Length: abc\r\n\r\nlon,lat\n",
      "HTTP/1.1 200 OK\r\nContent-Length: 5\r\nContent-Length: 9\r\n\r\nlon,lat\n",
      "HTTP/1.1 100 Continue\r\n\r\n",
      "HTTP/1.1 103 Early Hints\r\nLink: x\r\n\r\nHTTP/1.1 200 OK\r\n\r\nlon\n",
      "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\nlon\r\n",
      "HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\n\r\nnot gzip",
      "HTTP/1.1 200 OK\r\nContent-Encoding: rot13\r\n\r\nlon,lat\n",
      "HTTP/1.1 206 P\r\nContent-Range: bytes 9-1/x\r\n\r\nlon",
      "HTTP/1.1 407 Proxy\r\nProxy-Authenticate: Basic\r\n\r\n",
      "HTTP/1.1 401 No\r\nWWW-Authenticate: Digest\r\n\r\n",
      "HTTP/1.1 101 Switch\r\nUpgrade: h2c\r\n\r\n",
      "HTTP/1.1 200 OK\r\nSet-Cookie: \u{FF}\u{1}=;;;\r\n\r\nlon,lat\n",
    ])
  func nonsense(answer: String) throws {
    let sample = try FetchingSample()
    let server = try LocalServer { _, connection in connection.send(answer) }
    let fetcher = sample.fetcher {
      $0.retries = 0
      $0.responseTimeout = .seconds(1)
    }
    // Some of these a tolerant client may read; none may crash or hang.
    let error = FetchingSample.failure { try fetcher.fetch(.csv(server.url("/"))) }
    #expect([nil, .connection, .wrongContent, .status, .timeout].contains(error?.code))
  }
}
