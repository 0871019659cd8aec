import CCurl

/// A libcurl handle for one transfer at a time.
///
/// Only open connections and resolved names are kept between requests: no cookies, no cache, no
/// credentials. Redirects are returned, never followed.
final class HTTPLine: @unchecked Sendable {
  /// The origin of the last request; its connection may still be open.
  private(set) var origin = ""

  /// Used by one thread at a time: the one that took the line from ``HTTPTransport``.
  private let line: OpaquePointer

  init() throws(TransferFailure) {
    guard let line = ccurl_open() else {
      throw TransferFailure(
        .connection, "libcurl cannot be loaded. Install libcurl 7.66 or later (apt: libcurl4).")
    }
    self.line = line
  }

  deinit {
    ccurl_close(line)
  }

  /// Performs a request; the exchange is called on this thread.
  func get(
    _ address: RemoteAddress, headers: [String: String], connectTimeout: Duration,
    _ exchange: HTTPExchange
  ) -> ccurl_outcome {
    origin = address.origin
    var listener = ccurl_listener()
    listener.context = Unmanaged.passUnretained(exchange).toOpaque()
    listener.on_line = { context, bytes, count in
      let line = UnsafeRawBufferPointer(start: bytes, count: count)
      return HTTPLine.exchange(context)?.receive(line: line) == true ? 0 : 1
    }
    listener.on_body = { context, bytes, count in
      let body = UnsafeRawBufferPointer(start: bytes, count: count)
      return HTTPLine.exchange(context)?.receive(body: body) == true ? 0 : 1
    }
    listener.on_turn = { context in HTTPLine.exchange(context)?.takeTurn() == true ? 0 : 1 }
    return withExtendedLifetime(exchange) {
      address.revealed.withCString { url in
        Self.lines(headers).utf8CString.withUnsafeBufferPointer { headers in
          var request = ccurl_request()
          request.url = url
          request.headers = headers.baseAddress
          request.connect_milliseconds = Self.milliseconds(connectTimeout)
          return ccurl_get(line, &request, &listener)
        }
      }
    }
  }

  /// Returns the headers in the form for libcurl, sorted by name, each terminated by a NUL. A
  /// header whose value could inject another one is dropped.
  static func lines(_ headers: [String: String]) -> String {
    headers.sorted { $0.key < $1.key }.map { name, value in
      let isSafe = value.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7F }
      guard isSafe else { return "" }
      return (value.allSatisfy { $0 == " " } ? name + ";" : name + ": " + value) + "\0"
    }.joined()
  }

  /// Returns a duration in milliseconds, clamped to 1 … a day, which is accepted everywhere.
  private static func milliseconds(_ duration: Duration) -> Int64 {
    let bounded = max(.milliseconds(1), min(duration, .seconds(86_400)))
    let (seconds, attoseconds) = bounded.components
    return seconds * 1000 + attoseconds / 1_000_000_000_000_000
  }

  private static func exchange(_ context: UnsafeMutableRawPointer?) -> HTTPExchange? {
    context.map { Unmanaged<HTTPExchange>.fromOpaque($0).takeUnretainedValue() }
  }
}
