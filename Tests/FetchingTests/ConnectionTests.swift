import Fetching
import Foundation
import Platform
import TestSupport
import Testing

/// Bodies that are longer or shorter than they should be, and connections that do not come about.
@Suite(.serialized) struct ConnectionTests {
  /// An answer of the lines with the body.
  private static func fetch(
    _ answer: String, _ change: (inout FetchOptions) -> Void = { _ in }
  ) throws -> FetchError? {
    let sample = try FetchingSample()
    let server = try LocalServer { _, connection in connection.send(answer) }
    return FetchingSample.failure {
      try sample.fetcher {
        $0.retries = 0
        change(&$0)
      }.fetch(.csv(server.url("/")))
    }
  }

  @Test("a body longer than announced is refused, a shorter one is a broken connection")
  func lengths() throws {
    func answer(_ length: Int) -> String {
      "HTTP/1.1 200 OK\r\nETag: \"a\"\r\nContent-Length: \(length)\r\n\r\nlon,lat\n1,2\n"
    }
    #expect(try Self.fetch(answer(12)) == nil)
    let longer = try Self.fetch(answer(11))
    #expect(longer?.code == .wrongContent)
    #expect(longer?.message.contains("more bytes than the 11 that were announced") == true)
    let shorter = try Self.fetch(answer(13))
    #expect(shorter?.code == .connection)
    #expect(shorter?.message.contains("broke after 12 bytes of 13") == true)
  }

  @Test("nothing is kept of a body that is longer than announced")
  func nothingKept() throws {
    let sample = try FetchingSample()
    let server = try LocalServer { _, connection in
      connection.send("HTTP/1.1 200 OK\r\nETag: \"a\"\r\nContent-Length: 8\r\n\r\nlon,lat\n1,2\n")
    }
    _ = FetchingSample.failure { try sample.fetcher().fetch(.csv(server.url("/"))) }
    #expect(!sample.files().contains { $0.contains("partial") })
    #expect(server.requests.count == 1)
  }

  @Test(
    "only the head and some words are read of a response without the file",
    arguments: [(302, "Location: /there"), (404, "X: y"), (503, "X: y")])
  func endlessUnwanted(status: Int, header: String) throws {
    let sample = try FetchingSample()
    let sent = Recorder<Int>()
    let server = try LocalServer { request, connection in
      if request.target == "/there" { return connection.answer(200, [], FetchingSample.csv) }
      connection.send("HTTP/1.1 \(status) Words\r\n\(header)\r\n\r\n")
      let piece = [UInt8](repeating: 0x61, count: 1 << 14)
      var count = 0
      while count < 10_000, connection.send(piece) { count += 1 }
      sent.add(count)
    }
    let error = FetchingSample.failure {
      try sample.fetcher { $0.retries = 0 }.fetch(.csv(server.url("/")))
    }
    #expect(error?.status == (status == 302 ? nil : status))
    #expect(sent.all.allSatisfy { $0 < 10_000 })
  }

  @Test("a redirect is followed even if its body is truncated or missing")
  func cutRedirection() throws {
    for isOpen in [false, true] {
      let sample = try FetchingSample()
      let waits = Recorder<Bool>()
      let server = try LocalServer { request, connection in
        if request.target == "/there" { return connection.answer(200, [], FetchingSample.csv) }
        connection.send("HTTP/1.1 302 Found\r\nLocation: /there\r\nContent-Length: 999\r\n\r\nabc")
        if isOpen { waits.add(connection.staysSilent()) }
      }
      let file = try sample.fetcher { $0.retries = 0 }.fetch(.csv(server.url("/")))
      #expect(try FetchingSample.text(file) == FetchingSample.csv)
      // A client that waits for the server returns only when the server has given up.
      #expect(!waits.all.contains(false))
    }
  }

  @Test("cancelling a run ends a request without a response, whatever the server waits for")
  func cancelledSilence() throws {
    let sample = try FetchingSample()
    let waits = Recorder<Bool>()
    let cancellation = sample.cancellation
    let server = try LocalServer { _, connection in
      cancellation.cancel()
      waits.add(connection.staysSilent())
    }
    let error = FetchingSample.failure { try sample.fetcher().fetch(.csv(server.url("/"))) }
    #expect(error?.code == .cancelled)
    // A client that waits for the server returns only when the server has given up.
    #expect(!waits.all.contains(false))
  }

  @Test("an open connection that the server closed meanwhile is replaced without a failure")
  func closedMeanwhile() throws {
    let sample = try FetchingSample()
    let server = try LocalServer { request, connection in
      let body = "lon,lat\n\(request.ordinal),2\n"
      connection.send("HTTP/1.1 200 OK\r\nContent-Length: \(body.utf8.count)\r\n\r\n" + body)
    }
    let fetcher = sample.fetcher { $0.retries = 0 }
    for number in 0..<3 {
      let file = try fetcher.fetch(.csv(server.url("/")))
      #expect(try FetchingSample.text(file) == "lon,lat\n\(number),2\n")
    }
    #expect(server.connections == 3)
  }

  #if os(Linux)
    @Test("a host that accepts no connection is given up after the time limit")
    func noConnection() throws {
      let crowd = try CrowdedListener()
      let sample = try FetchingSample()
      let error = FetchingSample.failure {
        try sample.fetcher {
          $0.retries = 0
          $0.connectTimeout = .milliseconds(300)
        }.fetch(.csv("http://127.0.0.1:\(crowd.port)/"))
      }
      #expect(error?.code == .timeout)
      #expect(error?.message.contains("no connection within 0.3 s") == true)
    }
  #endif
}

#if os(Linux)
  /// A port whose queue of connections is full: Linux does not answer any further one.
  private final class CrowdedListener {
    let port: Int
    private var sockets: [Int32] = []

    init() throws {
      let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
      sockets.append(listener)
      var address = sockaddr_in()
      address.sin_family = sa_family_t(AF_INET)
      address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
      var length = socklen_t(MemoryLayout<sockaddr_in>.size)
      let isListening = withUnsafeMutablePointer(to: &address) { pointer in
        pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
          bind(listener, pointer, length) == 0 && listen(listener, 0) == 0
            && getsockname(listener, pointer, &length) == 0
        }
      }
      port = Int(UInt16(bigEndian: address.sin_port))
      guard isListening else { throw POSIXError(.init(rawValue: errno) ?? .EIO) }
      for _ in 0..<4 {
        let flags = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_NONBLOCK.rawValue)
        let client = socket(AF_INET, flags, 0)
        sockets.append(client)
        withUnsafePointer(to: &address) { pointer in
          pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
            _ = connect(client, pointer, length)
          }
        }
      }
    }

    deinit {
      for file in sockets { close(file) }
    }
  }
#endif
