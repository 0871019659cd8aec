import Foundation
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

  @Test("a certificate that is not trusted is no reason to try again, a broken connection is")
  func failures() {
    let cases: [(Int, String, Bool)] = [
      (-1, "SSL certificate problem: self-signed certificate", false),
      (NSURLErrorServerCertificateUntrusted, "", false),
      (NSURLErrorNetworkConnectionLost, "Recv failure: Connection reset by peer", true),
      (NSURLErrorCannotFindHost, "", true), (NSURLErrorUnknown, "", true),
    ]
    for (code, words, isTransient) in cases {
      let exchange = HTTPExchange(sink: Ignored())
      exchange.finish(
        NSError(
          domain: NSURLErrorDomain, code: code, userInfo: [NSLocalizedDescriptionKey: words]))
      #expect(exchange.current.failure?.isTransient == isTransient, "\(code)")
      #expect(exchange.current.failure?.code == .connection)
      #expect(exchange.waits(0))
    }
  }

  @Test("a killed run leaves what came up to the last checkpoint, and the next one goes on there")
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
    "words of a server are shown on one line, without what a terminal obeys or hides",
    arguments: [
      ("a\n\tb", "a b"), ("\u{1B}[31mred", "[31mred"), ("a\u{202E}b\u{9B}c", "abc"),
      ("se\u{0}cret-1", "***"), ("x secret-1 y", "x *** y"), ("", ""),
    ])
  func words(text: String, shown: String) {
    #expect(ServerWords.shown(text, without: SecretValues(["secret-1"]), limit: 20) == shown)
  }

  @Test("headers of an answer are read with care")
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
