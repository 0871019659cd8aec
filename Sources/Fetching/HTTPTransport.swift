import Synchronization

/// A transport that sends requests and waits for their responses.
///
/// Each running transfer has its own line, so that no server can hold up the transfers of another.
/// Lines are reused, with their open connections.
final class HTTPTransport: Sendable {
  private let idle = Mutex<[HTTPLine]>([])

  /// Requests an address and passes the response to the sink.
  ///
  /// - Parameter onWait: called ten to twenty times per second; returning `true` ends the transfer
  ///   as cancelled.
  /// - Returns: the head of the response, once the whole body has been read.
  func get(
    _ address: RemoteAddress, headers: [String: String], options: FetchOptions,
    into sink: any AnswerSink, onWait: @escaping (HTTPExchange.State) -> Bool
  ) throws(TransferFailure) -> AnswerHead {
    let line = try take(for: address.origin)
    defer { idle.withLock { $0.append(line) } }
    let exchange = HTTPExchange(sink: sink, options: options, onWait: onWait)
    let outcome = line.get(
      address, headers: headers, connectTimeout: options.connectTimeout, exchange)
    return try exchange.finish(outcome)
  }

  /// Returns an idle line, if possible one that was connected to the server, otherwise the most
  /// recently used one.
  private func take(for origin: String) throws(TransferFailure) -> HTTPLine {
    let line = idle.withLock { lines -> HTTPLine? in
      guard let index = lines.lastIndex(where: { $0.origin == origin }) else {
        return lines.popLast()
      }
      return lines.remove(at: index)
    }
    if let line { return line }
    return try HTTPLine()
  }
}
