import Foundation
import Synchronization

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// Sends requests one by one and waits for their answers; the session below is asynchronous.
///
/// Nothing is remembered between requests: no cookies, no cache, no credentials. Redirections are
/// handed back, never followed.
final class HTTPTransport: Sendable {
  private let session: URLSession
  private let delegate: Delegate

  init(_ options: FetchOptions) {
    let configuration = URLSessionConfiguration.ephemeral
    configuration.urlCache = nil
    configuration.httpCookieStorage = nil
    configuration.httpShouldSetCookies = false
    configuration.httpCookieAcceptPolicy = .never
    configuration.urlCredentialStorage = nil
    configuration.requestCachePolicy = .reloadIgnoringLocalCacheData
    configuration.httpMaximumConnectionsPerHost = max(1, options.connectionsPerHost)
    // Our own clock ends transfers; the session's only has to be slower.
    configuration.timeoutIntervalForRequest = 86_400
    configuration.timeoutIntervalForResource = 604_800
    delegate = Delegate()
    session = URLSession(configuration: configuration, delegate: delegate, delegateQueue: nil)
  }

  deinit {
    session.invalidateAndCancel()
  }

  /// Asks for an address and feeds the answer to the sink.
  ///
  /// - Parameter onWait: called about ten times a second; `true` ends the transfer as cancelled.
  /// - Returns: the head of the answer, when all of the body was taken.
  func get(
    _ address: RemoteAddress, headers: [String: String], options: FetchOptions,
    into sink: any AnswerSink, onWait: (HTTPExchange.State) -> Bool
  ) throws(TransferFailure) -> AnswerHead {
    guard let url = URL(string: address.revealed), url.host != nil else {
      throw TransferFailure(.badAddress, "the system cannot read the address.")
    }
    var request = URLRequest(url: url)
    for (name, value) in headers { request.setValue(value, forHTTPHeaderField: name) }
    let exchange = HTTPExchange(sink: sink)
    let task = session.dataTask(with: request)
    delegate.register(exchange, for: task.taskIdentifier)
    defer { delegate.forget(task.taskIdentifier) }
    task.resume()
    let start = ContinuousClock.now
    var ending: TransferFailure?
    while !exchange.waits(100) {
      let state = exchange.current
      ending = onWait(state) ? .cancelled : state.failure ?? overdue(state, start, options)
      if ending != nil { break }
    }
    if let ending {
      task.cancel()
      exchange.close()
      throw ending
    }
    let state = exchange.current
    if let failure = state.failure { throw failure }
    guard let head = state.head else {
      throw TransferFailure(
        .connection, "the connection ended without an answer", isTransient: true)
    }
    return head
  }

  /// What of the time limits is over.
  private func overdue(
    _ state: HTTPExchange.State, _ start: ContinuousClock.Instant, _ options: FetchOptions
  ) -> TransferFailure? {
    let now = ContinuousClock.now
    func failure(_ what: String, _ limit: Duration) -> TransferFailure {
      let seconds = Double(limit.components.seconds) + Double(limit.components.attoseconds) / 1e18
      let text = seconds.rounded() == seconds ? "\(Int64(seconds))" : "\(seconds)"
      return TransferFailure(.timeout, "\(what) within \(text) s", isTransient: true)
    }
    if now - start > options.totalTimeout {
      return failure("the transfer did not end", options.totalTimeout)
    }
    if state.head == nil {
      return now - start > options.responseTimeout
        ? failure("there was no answer", options.responseTimeout) : nil
    }
    return now - state.lastActivity > options.idleTimeout
      ? failure("no more bytes came", options.idleTimeout) : nil
  }
}

/// Passes what the session tells to the exchange that it is about.
private final class Delegate: NSObject, URLSessionDataDelegate {
  private let exchanges = Mutex<[Int: HTTPExchange]>([:])

  func register(_ exchange: HTTPExchange, for task: Int) {
    exchanges.withLock { $0[task] = exchange }
  }

  func forget(_ task: Int) {
    exchanges.withLock { $0[task] = nil }
  }

  private func exchange(_ task: URLSessionTask) -> HTTPExchange? {
    exchanges.withLock { $0[task.taskIdentifier] }
  }

  func urlSession(
    _ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse,
    completionHandler: @escaping (URLSession.ResponseDisposition) -> Void
  ) {
    let isWanted = exchange(dataTask)?.receive(AnswerHead(response)) ?? false
    if !isWanted { dataTask.cancel() }
    completionHandler(isWanted ? .allow : .cancel)
  }

  func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
    if exchange(dataTask)?.receive(data) != true { dataTask.cancel() }
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
    exchange(task)?.finish(error)
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
