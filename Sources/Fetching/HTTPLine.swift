import Dispatch
import Foundation
import Synchronization

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// A session of its own for one transfer at a time.
///
/// Nothing is remembered between requests but open connections: no cookies, no cache, no
/// credentials. Redirections are handed back, never followed.
final class HTTPLine: Sendable {
  private let session: URLSession
  private let delegate = Delegate()

  init() {
    let configuration = URLSessionConfiguration.ephemeral
    configuration.urlCache = nil
    configuration.httpCookieStorage = nil
    configuration.httpShouldSetCookies = false
    configuration.httpCookieAcceptPolicy = .never
    configuration.urlCredentialStorage = nil
    configuration.requestCachePolicy = .reloadIgnoringLocalCacheData
    // Our own clock ends transfers; the session's only has to be slower.
    configuration.timeoutIntervalForRequest = 86_400
    configuration.timeoutIntervalForResource = 604_800
    #if canImport(FoundationNetworking)
      let queue: OperationQueue? = DirectQueue()
    #else
      let queue: OperationQueue? = nil
    #endif
    session = URLSession(configuration: configuration, delegate: delegate, delegateQueue: queue)
  }

  deinit {
    Self.end(session)
  }

  /// Starts a transfer; the exchange hears of it.
  func start(_ request: URLRequest, _ exchange: HTTPExchange) {
    delegate.exchange.withLock { $0 = exchange }
    session.dataTask(with: request).resume()
  }

  /// Forgets the last transfer, and with it its open file.
  func rest() { delegate.exchange.withLock { $0 = nil } }

  /// Ends whatever runs; the line is of no use afterwards.
  func abandon() { Self.end(session) }

  /// Ends a session without waiting: while bytes keep coming, it does not listen.
  private static func end(_ session: URLSession) {
    DispatchQueue.global().async { session.invalidateAndCancel() }
  }
}

#if canImport(FoundationNetworking)
  /// Runs what the session has to tell at once, on the session's own thread.
  ///
  /// A real queue would take every piece of a body that comes faster than it is written: 600 MB of
  /// a local server took 1.1 GB of memory so, and none but the buffers of the sockets like this.
  private final class DirectQueue: OperationQueue, @unchecked Sendable {
    override func addOperation(_ block: @escaping @Sendable () -> Void) { block() }
  }
#endif

/// Passes what the session tells to the exchange that it is about.
private final class Delegate: NSObject, URLSessionDataDelegate {
  let exchange = Mutex<HTTPExchange?>(nil)

  private var current: HTTPExchange? { exchange.withLock { $0 } }

  func urlSession(
    _ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse,
    completionHandler: @escaping (URLSession.ResponseDisposition) -> Void
  ) {
    current?.receive(AnswerHead(response))
    completionHandler(.allow)
  }

  func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
    current?.receive(data)
  }

  func urlSession(
    _ session: URLSession, task: URLSessionTask,
    willPerformHTTPRedirection response: HTTPURLResponse, newRequest request: URLRequest,
    completionHandler: @escaping (URLRequest?) -> Void
  ) {
    completionHandler(nil)
  }

  func urlSession(
    _ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?
  ) {
    current?.finish(error)
  }
}

extension AnswerHead {
  /// The head as the session gives it.
  fileprivate init(_ response: URLResponse) {
    let http = response as? HTTPURLResponse
    var headers: [String: String] = [:]
    for (name, value) in http?.allHeaderFields ?? [:] {
      if let name = name as? String, let value = value as? String {
        headers[name.lowercased()] = value
      }
    }
    self.init(status: http?.statusCode ?? 0, headers: headers)
  }
}
