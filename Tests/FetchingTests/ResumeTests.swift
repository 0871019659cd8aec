import Fetching
import Foundation
import TestSupport
import Testing

/// Transfers that broke and go on.
@Suite(.serialized) struct ResumeTests {
  static let body = Array(
    ("lon,lat\n" + (0..<20_000).map { "\($0 % 180),\($0 % 90)\n" }.joined()).utf8)

  /// Sends half of a body, then breaks.
  static func sendHalf(_ connection: LocalServer.Connection, _ headers: String) {
    connection.send("HTTP/1.1 200 OK\r\n\(headers)Content-Length: \(body.count)\r\n\r\n")
    connection.send(Array(body[..<(body.count / 2)]))
    connection.wait(milliseconds: 50)
  }

  static func sendRest(_ connection: LocalServer.Connection, from start: Int, _ headers: [String]) {
    connection.answer(
      206, headers + ["Content-Range: bytes \(start)-\(body.count - 1)/\(body.count)"],
      Array(body[start...]))
  }

  @Test("a body that broke is resumed where it broke", arguments: [true, false])
  func resumes(hasTag: Bool) throws {
    let sample = try FetchingSample()
    let header = hasTag ? "ETag: \"v1\"" : "Last-Modified: Sun, 06 Nov 1994 08:49:37 GMT"
    let server = try LocalServer { request, connection in
      if request.ordinal == 0 {
        Self.sendHalf(connection, header + "\r\n")
      } else {
        Self.sendRest(connection, from: Self.body.count / 2, [header])
      }
    }
    let file = try sample.fetcher().fetch(.csv(server.url("/")))
    #expect(try Array(FetchingSample.text(file).utf8) == Self.body)
    #expect(server.requests.count == 2)
    let second = server.requests.last?.headers
    #expect(second?["range"] == "bytes=\(Self.body.count / 2)-")
    #expect(second?["if-range"] == (hasTag ? "\"v1\"" : "Sun, 06 Nov 1994 08:49:37 GMT"))
    #expect(second?["accept-encoding"] == "identity")
    #expect(!sample.files().contains { $0.contains("partial") })
  }

  @Test("another run resumes where the first one ended")
  func resumesInAnotherRun() throws {
    let sample = try FetchingSample()
    let server = try LocalServer { request, connection in
      if request.ordinal == 0 {
        Self.sendHalf(connection, "ETag: \"v1\"\r\n")
      } else {
        Self.sendRest(connection, from: Self.body.count / 2, ["ETag: \"v1\""])
      }
    }
    let resource = try RemoteResource.csv(server.url("/"))
    let error = FetchingSample.failure { try sample.fetcher { $0.retries = 0 }.fetch(resource) }
    #expect(error?.code == .connection)
    #expect(
      error?.message.contains("after \(Self.body.count / 2) bytes of \(Self.body.count)") == true)
    let file = try sample.fetcher().fetch(resource)
    #expect(try Array(FetchingSample.text(file).utf8) == Self.body)
    #expect(server.requests.count == 2)
  }

  @Test("a partial file longer than its durable part is truncated to that")
  func cutsPartial() throws {
    let sample = try FetchingSample()
    let server = try LocalServer { request, connection in
      if request.ordinal == 0 {
        Self.sendHalf(connection, "ETag: \"v1\"\r\n")
      } else {
        Self.sendRest(connection, from: Self.body.count / 2, ["ETag: \"v1\""])
      }
    }
    let resource = try RemoteResource.csv(server.url("/"))
    _ = FetchingSample.failure { try sample.fetcher { $0.retries = 0 }.fetch(resource) }
    let name = try #require(sample.files().first { $0.hasSuffix(".partial") })
    let file = try FileHandle(
      forWritingTo: URL(fileURLWithPath: sample.folder.path("cache/\(name)")))
    try file.seekToEnd()
    try file.write(contentsOf: Data(repeating: 0, count: 1000))
    try file.close()
    let fetched = try sample.fetcher().fetch(resource)
    #expect(try Array(FetchingSample.text(fetched).utf8) == Self.body)
  }

  @Test("a body without a validator is not resumed")
  func noValidator() throws {
    let sample = try FetchingSample()
    let server = try LocalServer { request, connection in
      if request.ordinal == 0 {
        Self.sendHalf(connection, "ETag: W/\"weak\"\r\n")
      } else {
        connection.answer(200, [], Self.body)
      }
    }
    let file = try sample.fetcher().fetch(.csv(server.url("/")))
    #expect(try Array(FetchingSample.text(file).utf8) == Self.body)
    #expect(server.requests.last?.headers["range"] == nil)
  }

  /// Answers to a request for the rest that are not the rest.
  enum Odd: String, CaseIterable, Sendable {
    case whole, unsatisfiable, otherStart, otherTag, packed, noRange, shortRange
  }

  @Test(
    "whatever else the server responds to a range, the body is right in the end",
    arguments: Odd.allCases)
  func oddAnswers(odd: Odd) throws {
    let sample = try FetchingSample()
    let half = Self.body.count / 2
    // On a busy machine its checksum takes longer than an answer may.
    let packed = odd == .packed ? Gzip.stored(Self.body) : []
    let server = try LocalServer { request, connection in
      guard request.ordinal > 0 else { return Self.sendHalf(connection, "ETag: \"v1\"\r\n") }
      guard request.headers["range"] != nil else {
        return connection.answer(200, ["ETag: \"v2\""], Self.body)
      }
      let range = "Content-Range: bytes \(half)-\(Self.body.count - 1)/\(Self.body.count)"
      switch odd {
      case .whole: connection.answer(200, ["ETag: \"v2\""], Self.body)
      case .unsatisfiable: connection.answer(416, ["Content-Range: bytes */10"])
      case .otherStart: Self.sendRest(connection, from: half + 7, ["ETag: \"v1\""])
      case .otherTag: Self.sendRest(connection, from: half, ["ETag: \"v2\""])
      case .packed:
        connection.answer(206, [range, "Content-Encoding: gzip"], packed)
      case .noRange: connection.answer(206, ["ETag: \"v1\""], Array(Self.body[half...]))
      case .shortRange:
        connection.answer(
          206, ["Content-Range: bytes \(half)-\(half + 9)/\(Self.body.count)"],
          Array(Self.body[half..<half + 10]))
      }
    }
    let file = try sample.fetcher().fetch(.csv(server.url("/")))
    #expect(try Array(FetchingSample.text(file).utf8) == Self.body)
    #expect(server.requests.count == (odd == .whole ? 2 : 3))
    #expect(sample.waits.count == 1)
  }

  @Test("an unrequested part is refused")
  func unaskedPart() throws {
    let sample = try FetchingSample()
    let server = try LocalServer { _, connection in Self.sendRest(connection, from: 100, []) }
    let error = FetchingSample.failure { try sample.fetcher().fetch(.csv(server.url("/"))) }
    #expect(error?.code == .wrongContent)
  }

  @Test("a resumed body with the maximum length ends in an error")
  func greatestLength() throws {
    let sample = try FetchingSample()
    let server = try LocalServer { request, connection in
      let start = request.headers["range"].flatMap { Int($0.dropFirst(6).dropLast()) } ?? 0
      let status = start == 0 ? "200 OK" : "206 Partial Content"
      let length = start == 0 ? Int64(Self.body.count) : .max
      connection.send(
        "HTTP/1.1 \(status)\r\nETag: \"v\"\r\nContent-Length: \(length)\r\n"
          + "Content-Range: bytes \(start)-\(Self.body.count - 1)/\(Self.body.count)\r\n\r\n")
      connection.send(Array(Self.body[start..<min(start + 100, Self.body.count)]))
      connection.wait(milliseconds: 300)
    }
    let error = FetchingSample.failure {
      try sample.fetcher { $0.retries = 1 }.fetch(.csv(server.url("/")))
    }
    #expect(error != nil)
    #expect(server.requests.count == 2)
  }

  @Test("304 without a copy is refused")
  func unaskedNotModified() throws {
    let sample = try FetchingSample()
    let server = try LocalServer { _, connection in connection.answer(304) }
    let error = FetchingSample.failure { try sample.fetcher().fetch(.csv(server.url("/"))) }
    #expect(error?.code == .status)
  }

  @Test("a body is resumed over several breaks")
  func manyBreaks() throws {
    let sample = try FetchingSample()
    let server = try LocalServer { request, connection in
      let start = request.headers["range"].flatMap { Int($0.dropFirst(6).dropLast()) } ?? 0
      let end = min(start + Self.body.count / 4, Self.body.count)
      let status = start == 0 ? "200 OK" : "206 Partial Content"
      connection.send(
        "HTTP/1.1 \(status)\r\nETag: \"v\"\r\nContent-Length: \(Self.body.count - start)\r\n"
          + "Content-Range: bytes \(start)-\(Self.body.count - 1)/\(Self.body.count)\r\n\r\n")
      connection.send(Array(Self.body[start..<end]))
      connection.wait(milliseconds: 30)
    }
    // A quarter at a time, and what is left over of four.
    let pieces = Self.body.count.isMultiple(of: 4) ? 4 : 5
    let file = try sample.fetcher { $0.retries = 6 }.fetch(.csv(server.url("/")))
    #expect(try Array(FetchingSample.text(file).utf8) == Self.body)
    #expect(server.requests.count == pieces)
  }
}
