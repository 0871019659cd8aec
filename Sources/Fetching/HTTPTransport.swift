import Foundation
import Synchronization

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// Sends requests and waits for their answers; the sessions below are asynchronous.
///
/// Each transfer has a line of its own while it runs, so that no server can hold up the transfers
/// of another. A line that came to a regular end is used again, with its open connections.
final class HTTPTransport: Sendable {
  private let idle = Mutex<[HTTPLine]>([])

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
    let line = idle.withLock { $0.popLast() } ?? HTTPLine()
    let exchange = HTTPExchange(sink: sink)
    line.start(request, exchange)
    let start = ContinuousClock.now
    while !exchange.waits(100) {
      let state = exchange.current
      let ending = onWait(state) ? TransferFailure.cancelled : overdue(state, start, options)
      if let ending {
        exchange.close()
        line.abandon()
        throw ending
      }
    }
    let state = exchange.current
    exchange.close()
    if state.isEnded {
      line.rest()
      idle.withLock { $0.append(line) }
    } else {
      line.abandon()
    }
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
