import Foundation
import Platform
import SystemPackage
import Testing

@testable import Preview

/// Connections as a pair of sockets.
@Suite("Connections of the preview")
struct PreviewConnectionTests {
  /// Sends bytes to a connection that answers each request by its target, and returns its bytes.
  ///
  /// - Parameter isOpen: whether the client's side stays open, as that of a slow client.
  private static func exchange(
    _ text: String, isOpen: Bool = false, patience: Int = 60, isHurried: Bool = false,
    isCrowded: Bool = false
  ) throws -> String {
    var ends: [Int32] = [-1, -1]
    #if canImport(Glibc)
      let kind = Int32(SOCK_STREAM.rawValue)
    #else
      let kind = SOCK_STREAM
    #endif
    try #require(socketpair(AF_UNIX, kind, 0, &ends) == 0)
    let served = ends[0]
    let client = FileDescriptor(rawValue: ends[1])
    defer { try? client.close() }
    Thread.detachNewThread {
      PreviewConnection(
        served, patience: patience, isHurried: isHurried, isCrowded: { isCrowded }
      ).serve { request, client in
        if request.target == "/client" {
          return PreviewAnswer(
            PreviewContent(
              .text, Array("\(client.name) \(client.mayWait) \(client.isThere())".utf8)))
        }
        if request.method == "POST" { return PreviewAnswer(PreviewContent(.text, request.body)) }
        return request.target == "/bad"
          ? PreviewAnswer(status: 405, "No.")
          : PreviewAnswer(PreviewContent(.text, Array(request.target.utf8)))
      }
    }
    try client.writeAll(Array(text.utf8))
    if !isOpen { shutdown(client.rawValue, Int32(SHUT_WR)) }
    var answer: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      let count = try buffer.withUnsafeMutableBytes { try client.read(into: $0) }
      if count == 0 { return String(decoding: answer, as: UTF8.self) }
      answer += buffer[..<count]
    }
  }

  /// The status codes in a text of answers.
  private static func codes(_ text: String) -> [String] {
    text.matches(of: #/HTTP/1\.1 (\d+)/#).map { String($0.1) }
  }

  private static func get(_ target: String, fields: String = "") -> String {
    "GET \(target) HTTP/1.1\r\nHost: a\r\n\(fields)\r\n"
  }

  @Test("requests on one connection are answered in their order")
  func order() throws {
    let answers = try Self.exchange(Self.get("/1") + Self.get("/2") + Self.get("/3"))
    #expect(Self.codes(answers) == ["200", "200", "200"])
    #expect(answers.split(separator: "\r\n\r\n").last == "/3" && !answers.contains("close"))
  }

  private static let ends: [(text: String, codes: [String])] = [
    (get("/1", fields: "Connection: close\r\n") + get("/2"), ["200"]),
    (get("/1", fields: "Content-Length: 40\r\n") + get("/2"), ["200"]),
    (get("/1") + get("/bad") + get("/2"), ["200", "405"]),
    (get("/1") + "GET /2 HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n" + get("/3"), ["200", "400"]),
    (get("/" + String(repeating: "a", count: 100_000)) + get("/2"), ["414"]),
    (get("/", fields: String(repeating: "X: y\r\n", count: 20_000)) + get("/2"), ["431"]),
  ]

  @Test("a connection ends after a refusal, a body or the wish to close, and tells so")
  func closes() throws {
    for (text, codes) in Self.ends {
      let answers = try Self.exchange(text, isOpen: true)
      #expect(Self.codes(answers) == codes, "\(text.prefix(80))")
      #expect(answers.contains("Connection: close\r\n"), "\(text.prefix(80))")
    }
  }

  @Test("the body of a POST is read as far as its length says, and refused where it is too long")
  func bodies() throws {
    func post(_ length: Int, _ body: String) -> String {
      "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: \(length)\r\n\r\n\(body)"
    }
    let body = String(repeating: "abc ", count: 16 << 10)
    #expect(try Self.exchange(post(5, "12345GET /")).hasSuffix("\r\n\r\n12345"))
    #expect(try Self.exchange(post(body.utf8.count, body)).hasSuffix("\r\n\r\n\(body)"))
    #expect(Self.codes(try Self.exchange(post(body.utf8.count + 1, body))) == ["413"])
    #expect(Self.codes(try Self.exchange(post(5, "123"))) == ["400"])
    #expect(Self.codes(try Self.exchange(post(5, "123"), isOpen: true, patience: 1)) == ["408"])
  }

  @Test("a head that does not arrive in time is refused, and an idle connection is closed")
  func slow() throws {
    let half = try Self.exchange(
      Self.get("/1") + "GET /2 HTTP/1.1\r\n", isOpen: true, patience: 1)
    #expect(Self.codes(half) == ["200", "408"])
    #expect(Self.codes(try Self.exchange(Self.get("/1"), isOpen: true, patience: 1)) == ["200"])
    #expect(try Self.exchange("", isOpen: true, patience: 1) == "")
  }

  @Test("an idle connection ends where others wait for one, and one too many after one answer")
  func crowd() throws {
    let idle = try Self.exchange(Self.get("/1"), isOpen: true, isCrowded: true)
    #expect(Self.codes(idle) == ["200"] && !idle.contains("close"))
    let hurried = try Self.exchange(Self.get("/1") + Self.get("/2"), isOpen: true, isHurried: true)
    #expect(Self.codes(hurried) == ["200"] && hurried.contains("Connection: close\r\n"))
  }

  @Test("an answer knows the client by its name, and whether it still waits for it")
  func client() throws {
    let fields = "User-Agent: map 1\r\nConnection: close\r\n"
    let there = try Self.exchange(Self.get("/client", fields: fields), isOpen: true)
    #expect(there.hasSuffix("\r\n\r\nmap 1 true true"))
    let gone = try Self.exchange(Self.get("/slow") + Self.get("/client", fields: fields))
    #expect(gone.hasSuffix("map 1 true false"))
    let hurried = try Self.exchange(
      Self.get("/client", fields: fields), isOpen: true, isHurried: true)
    #expect(hurried.hasSuffix("map 1 false true"))
  }

  @Test("a connection that is refused gets a sentence")
  func refused() throws {
    var ends: [Int32] = [-1, -1]
    #if canImport(Glibc)
      let kind = Int32(SOCK_STREAM.rawValue)
    #else
      let kind = SOCK_STREAM
    #endif
    try #require(socketpair(AF_UNIX, kind, 0, &ends) == 0)
    let client = FileDescriptor(rawValue: ends[1])
    defer { try? client.close() }
    PreviewConnection(ends[0]).refuse()
    var buffer = [UInt8](repeating: 0, count: 1 << 12)
    let count = try buffer.withUnsafeMutableBytes { try client.read(into: $0) }
    let text = String(decoding: buffer[..<count], as: UTF8.self)
    #expect(text.hasPrefix("HTTP/1.1 503 Service Unavailable\r\n") && text.contains("Too many"))
  }
}
