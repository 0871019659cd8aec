import Testing

@testable import Preview

/// Heads of requests as bytes: what is read, and what is refused.
@Suite("Heads of requests to the preview")
struct RequestHeadTests {
  /// The heads in a text that arrives in pieces, and why the rest is refused.
  private static func read(
    _ text: String, piece: Int = 1000
  ) -> (heads: [RequestHead], refusal: RequestRefusal?) {
    var reader = RequestHeadReader()
    var heads: [RequestHead] = []
    var rest = Array(text.utf8)[...]
    do throws(RequestRefusal) {
      while !rest.isEmpty {
        reader.append(rest.prefix(piece))
        rest = rest.dropFirst(piece)
        while let head = try reader.next() { heads.append(head) }
      }
      return (heads, nil)
    } catch {
      return (heads, error)
    }
  }

  private static let several =
    "\r\nGET /a?q=x HTTP/1.1\r\nhOST:\t127.0.0.1:80 \r\nAccept: */*\r\n\r\n"
    + "HEAD / HTTP/1.1\nHost: localhost\nConnection: keep-alive, Close\n\nGET"

  @Test(
    "heads of requests are the same in pieces of every size", arguments: [1, 2, 3, 7, 40, 1000])
  func pieces(_ size: Int) throws {
    let (heads, refusal) = Self.read(Self.several, piece: size)
    try #require(heads.count == 2 && refusal == nil)
    #expect(heads[0].request == PreviewRequest(target: "/a?q=x", host: "127.0.0.1:80"))
    #expect(heads[1].request == PreviewRequest(method: "HEAD", target: "/", host: "localhost"))
    #expect(heads.map(\.isLast) == [false, true])
  }

  private static let host = "Host: a\r\n"
  private static let field = "X: \(String(repeating: "x", count: 4000))\r\n"

  private static let lines: [(text: String, status: Int?)] = [
    ("GET / HTTP/1.1\r\n\(host)", nil),
    ("GET / HTTP/1.0\r\n", nil),
    ("GET / HTTP/1.1\r\n", 400),
    ("GET / HTTP/1.1\r\n\(host)\(host)", 400),
    ("GET / HTTP/1.1\r\n\(host)host: b\r\n", 400),
    ("GET / HTTP/1.0\r\n\(host)\(host)", 400),
    ("GET / HTTP/1.1\r\nHost : a\r\n", 400),
    ("GET / HTTP/1.1\r\n\(host) folded\r\n", 400),
    ("GET / HTTP/1.1\r\n\(host)X: \u{0}\r\n", 400),
    ("GET / HTTP/1.1\r\n\(host)X: a\rb\r\n", 400),
    ("GET / HTTP/1.1\r\n\(host)no colon\r\n", 400),
    ("GET  / HTTP/1.1\r\n\(host)", 400),
    ("GET /a b HTTP/1.1\r\n\(host)", 400),
    ("GET /\u{1} HTTP/1.1\r\n\(host)", 400),
    ("G(T / HTTP/1.1\r\n\(host)", 400),
    ("GET /\r\n\(host)", 400),
    ("GET / HTTP/2.0\r\n\(host)", 505),
    ("GET / HTTP/1.11\r\n\(host)", 505),
    // "GET  HTTP/1.1\r\n" are 15 bytes.
    ("GET \(String(repeating: "a", count: 8192 - 15)) HTTP/1.1\r\n\(host)", nil),
    ("GET \(String(repeating: "a", count: 8192 - 14)) HTTP/1.1\r\n\(host)", 414),
    ("GET / HTTP/1.1\r\n\(host)X: \(String(repeating: "x", count: 9000))\r\n", 431),
    ("GET / HTTP/1.1\r\n\(host)\(String(repeating: field, count: 8))", nil),
    ("GET / HTTP/1.1\r\n\(host)\(String(repeating: field, count: 9))", 431),
    (String(repeating: "\r\n", count: 20_000), 431),
  ]

  @Test("heads of requests have at most 8 kB of line, 32 kB in all, one Host and nothing odd")
  func refusals() {
    var wrong: [String] = []
    for (text, status) in Self.lines {
      let (heads, refusal) = Self.read(text + "\r\n")
      if refusal?.status != status || heads.count != (status == nil ? 1 : 0) {
        wrong.append("\(text.prefix(60)): \(refusal?.status ?? 200)")
      }
    }
    #expect(wrong.isEmpty)
  }

  @Test("a line without an end is refused as soon as it is too long, and no more of it is kept")
  func endless() throws {
    var reader = RequestHeadReader()
    reader.append(Array("GET /".utf8))
    var refusal: RequestRefusal?
    var pieces = 0
    while refusal == nil, pieces < 100 {
      reader.append([UInt8](repeating: 0x61, count: 1024))
      pieces += 1
      do throws(RequestRefusal) { _ = try reader.next() } catch { refusal = error }
    }
    #expect(refusal == .longLine && pieces == 8)
  }

  private static let last: [(fields: String, isLast: Bool)] = [
    ("", false), ("Connection: keep-alive\r\n", false), ("Connection: CLOSE\r\n", true),
    ("Content-Length: 0\r\n", false), ("Content-Length: 5\r\n", true),
    ("Transfer-Encoding: chunked\r\n", true),
  ]

  @Test("the page that asks and its token are read, and a length of a body that is one")
  func changes() {
    let fields = "Host: a\r\nOrigin: http://a\r\nX-QUADRILLE-token: t\r\n"
    let head = Self.read("POST / HTTP/1.1\r\n\(fields)Content-Length: 70000\r\n\r\n").heads.first
    #expect(head?.request.origin == "http://a" && head?.request.token == "t")
    #expect(head?.bodyLength == 70_000)
    for length in ["-1", "+1", "1x", "", "1, 1", "99999999999999999999"] {
      let text = "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: \(length)\r\n\r\n"
      #expect(Self.read(text).refusal?.status == 400, "\(length)")
    }
  }

  @Test("a request with a body is the last of its connection")
  func bodies() {
    for (fields, isLast) in Self.last {
      let heads = Self.read("POST / HTTP/1.1\r\nHost: a\r\n\(fields)\r\n").heads
      #expect(heads.map(\.isLast) == [isLast], "\(fields)")
    }
  }
}
