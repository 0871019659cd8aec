import FlyingFox
import FlyingSocks
import Foundation
import Preview
import Runs

/// A server of a router on the loopback address.
struct PreviewServer {
  let url: String
  private let server: HTTPServer

  /// Listens for connections from this machine; others cannot reach the address.
  ///
  /// - Parameter port: 0 for any free one; if it is taken, the next free one is used.
  /// - Throws: ``PipelineError`` if there is none.
  static func start(_ router: PreviewRouter, port: UInt16) async throws -> PreviewServer {
    let chosen = port == 0 ? try freePort() : try freePort(from: port)
    if port != 0, chosen != port {
      Console.error("Port \(port) is taken; the page is on port \(chosen).")
    }
    var router = router
    router.hosts = PreviewRouter.hosts(port: Int(chosen))
    let server = HTTPServer(
      address: try sockaddr_in.inet(ip4: "127.0.0.1", port: chosen), timeout: 30,
      logger: .disabled, handler: RouterHandler(router: router))
    return PreviewServer(url: "http://127.0.0.1:\(chosen)/", server: server)
  }

  /// Answers requests until the process is terminated.
  func run() async throws {
    do {
      try await server.run()
    } catch let error as SocketError {
      throw PipelineError(
        .cannotCreate, "\(url) cannot be served. Choose another port with --port, or 0 for any.",
        cause: "\(error)")
    }
  }

  /// The number of ports that are tried.
  private static let tries = 100

  /// Returns the first port from one on that nobody listens on.
  private static func freePort(from port: UInt16) throws -> UInt16 {
    for number in Int(port)..<min(Int(port) + tries, 65_536) {
      guard let candidate = UInt16(exactly: number) else { continue }
      let socket = try Socket(domain: Int32(AF_INET))
      defer { try? socket.close() }
      // Connections that just ended do not count.
      try socket.setValue(true, for: .localAddressReuse)
      guard (try? socket.bind(to: try sockaddr_in.inet(ip4: "127.0.0.1", port: candidate))) != nil
      else { continue }
      return candidate
    }
    throw PipelineError(
      .cannotCreate,
      "none of the \(tries) ports from \(port) on is free. Choose another with --port, or 0 for any."
    )
  }

  /// Returns a port that is currently free.
  private static func freePort() throws -> UInt16 {
    let socket = try Socket(domain: Int32(AF_INET))
    defer { try? socket.close() }
    try socket.bind(to: try sockaddr_in.inet(ip4: "127.0.0.1", port: 0))
    guard case .ip4(_, let port) = try socket.sockname() else {
      throw PipelineError(.cannotCreate, "this machine has no free port. Name one with --port.")
    }
    return port
  }
}

/// A handler that passes requests to the router.
private struct RouterHandler: HTTPHandler {
  let router: PreviewRouter

  private static let phrases = [
    200: "OK", 404: "Not Found", 405: "Method Not Allowed", 421: "Misdirected Request",
    500: "Internal Server Error",
  ]

  func handleRequest(_ request: HTTPRequest) async throws -> HTTPResponse {
    let answer = router.answer(
      PreviewRequest(
        method: request.method.rawValue, target: request.target.rawValue,
        host: request.headers[.host]))
    var headers = HTTPHeaders()
    headers[.contentType] = answer.content.kind.rawValue
    for (name, value) in answer.headers { headers[HTTPHeader(name)] = value }
    let isHead = request.method.rawValue == "HEAD"
    // The length of the response to GET, although no body follows (RFC 9110, section 9.3.2).
    headers[.contentLength] = "\(answer.content.bytes.count)"
    return HTTPResponse(
      statusCode: HTTPStatusCode(answer.status, phrase: Self.phrases[answer.status] ?? ""),
      headers: headers,
      body: isHead ? Data() : Data(answer.content.bytes))
  }
}
