import CCurl
import SystemPackage
import TestSupport
import Testing

@testable import Fetching

/// The parts of a transfer that a server on this machine cannot provoke.
struct TransferTests {
  /// Takes everything and keeps nothing.
  private final class Ignored: AnswerSink {
    func begin(_ head: AnswerHead) {}
    func append(_ bytes: UnsafeRawBufferPointer) {}
  }

  @Test("an untrusted certificate is not retried, a broken connection is")
  func failures() {
    let cases: [(ccurl_outcome, FetchError.Code, Bool)] = [
      (CCURL_UNTRUSTED, .connection, false), (CCURL_BROKEN, .connection, true),
      (CCURL_UNKNOWN_HOST, .connection, true), (CCURL_UNREACHABLE, .connection, true),
      (CCURL_NO_TLS, .connection, true), (CCURL_NO_HTTP, .connection, true),
      (CCURL_TIMEOUT, .timeout, true), (CCURL_BAD_CODING, .wrongContent, false),
      (CCURL_EXCESS, .wrongContent, false), (CCURL_BAD_ADDRESS, .badAddress, false),
      (CCURL_OK, .connection, true),
    ]
    for (outcome, code, isTransient) in cases {
      let exchange = HTTPExchange(sink: Ignored(), options: FetchOptions()) { _ in false }
      var failure: TransferFailure?
      do throws(TransferFailure) { _ = try exchange.finish(outcome) } catch { failure = error }
      #expect(failure?.code == code, "\(outcome)")
      #expect(failure?.isTransient == isTransient, "\(outcome)")
    }
  }

  @Test(
    "a head is read line by line, without interim heads before it and trailers after it",
    arguments: [
      (["HTTP/1.1 200 OK", "A: 1", "a:2 ", ""], 200, "1, 2"),
      (["HTTP/1.1 100 Continue", "A: 0", "", "HTTP/1.1 404", "A: 1", ""], 404, "1"),
      (["HTTP/2 206 ", "a:", "", "a: late"], 206, ""),
      (["HTTP/1.1 200 OK", "A: 1", " folded", "no colon", ": x", ""], 200, "1"),
      (["HTTP/1.1 200 OK", "A: 1"], 0, ""), (["HTTP/1.1 20 OK", ""], 0, ""),
      (["HTTP/1.1 099 OK", ""], 0, ""), (["nonsense", ""], 0, ""), ([""], 0, ""),
      (["HTTP/1.1 200 OK", "Content-Length: 1", "Content-Length: 2", ""], 0, ""),
      (["HTTP/1.1 200 OK", "A: x", "Content-Length: 1", "Content-Length: 1", ""], 200, "x"),
    ])
  func headLines(lines: [String], status: Int, value: String) {
    var reader = AnswerHeadReader()
    var heads: [AnswerHead] = []
    // The first failure ends it, as it ends a transfer.
    try? lines.forEach { line in
      let bytes = Array((line + "\r\n").utf8)
      let head = try bytes.withUnsafeBytes { try reader.take($0) }
      if let head { heads.append(head) }
    }
    #expect(heads.map(\.status) == (status == 0 ? [] : [status]))
    if status != 0 { #expect(heads.first?.headers["a"] == value) }
  }

  @Test("endless heads are given up, in one piece or in many")
  func endlessHead() {
    for block in [["a: b"], ["", "HTTP/1.1 100 Continue"]] {
      var reader = AnswerHeadReader()
      let lines = block.map { Array(($0 + "\r\n").utf8) }
      var failure: TransferFailure?
      var bytes = 0
      do {
        try Self.take("HTTP/1.1 100 Continue\r\n", &reader)
        while bytes < 1 << 20 {
          for line in lines {
            bytes += line.count
            try Self.take(String(decoding: line, as: UTF8.self), &reader)
          }
        }
      } catch { failure = error as? TransferFailure }
      #expect(failure?.code == .connection)
      #expect(bytes <= AnswerHeadReader.limit + 100)
    }
  }

  private static func take(_ line: String, _ reader: inout AnswerHeadReader) throws {
    let bytes = Array(line.utf8)
    _ = try bytes.withUnsafeBytes { try reader.take($0) }
  }

  @Test("headers are sent by name, and none can inject another")
  func headerLines() {
    let headers = ["B": "2", "A": "", "C": "x\r\nD: y", "E": "z\u{0}F: w", "G": "ü"]
    #expect(HTTPLine.lines(headers) == "A;\0B: 2\0G: ü\0")
    #expect(HTTPLine.lines([:]).isEmpty)
  }

  @Test("a killed run leaves the data up to the last checkpoint, and the next one resumes there")
  func checkpoint() throws {
    let folder = try TemporaryFolder()
    let resource = try RemoteResource("http://localhost/x", kind: .any)
    let files = try FetchCache(FilePath(folder.path("cache"))).files(of: resource)
    func open() throws -> BodyFile {
      try BodyFile(
        files, ContentCheck(kind: .any, secrets: SecretValues()), limit: 1 << 30,
        isConditional: false)
    }
    let piece = [UInt8](repeating: 0x31, count: Int(BodyFile.checkpoint) + 10)
    do {
      let body = try open()
      #expect(body.resume == nil)
      try body.begin(AnswerHead(status: 200, headers: ["etag": "\"v\""]))
      try piece.withUnsafeBytes { try body.append($0) }
      try piece[..<100].withUnsafeBytes { try body.append($0) }
      // Dropped here, as a killed process drops it: nothing is kept on purpose.
    }
    let resume = try open().resume
    #expect(resume == PartialState(validator: "\"v\"", bytes: BodyFile.checkpoint + 10))
  }

  @Test(
    "words of a server are shown on one line, without what a terminal interprets or hides",
    arguments: [
      ("a\n\tb", "a b"), ("\u{1B}[31mred", "[31mred"), ("a\u{202E}b\u{9B}c", "abc"),
      ("se\u{0}cret-1", "***"), ("x secret-1 y", "x *** y"), ("", ""),
    ])
  func words(text: String, shown: String) {
    #expect(ServerWords.shown(text, without: SecretValues(["secret-1"]), limit: 20) == shown)
  }

  @Test("response headers are parsed defensively")
  func heads() {
    func range(_ text: String) -> [Int64]? {
      AnswerHead(status: 206, headers: ["content-range": text]).range
        .map { [$0.start, $0.end, $0.total] }
    }
    #expect(range("bytes 10-99/100") == [10, 99, 100])
    for bad in [
      "", "bytes", "bytes */9", "bytes 9-1/100", "bytes 0-100/100", "bytes 0-9/*",
      "bytes -1-9/10", "items 0-9/10", "bytes 0-99999999999999999999/1",
    ] {
      #expect(range(bad) == nil, "\(bad)")
    }
    func length(_ headers: [String: String]) -> Int64? {
      AnswerHead(status: 200, headers: headers).length
    }
    #expect(length(["content-length": "12"]) == 12)
    #expect(length(["content-length": "12", "content-encoding": "gzip"]) == nil)
    #expect(length(["content-length": "12", "content-encoding": "identity"]) == 12)
    #expect(length(["content-length": "-1"]) == nil)
  }
}
