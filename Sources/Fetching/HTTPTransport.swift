import Synchronization

/// Sends requests and waits for their answers.
///
/// Each transfer has a line of its own while it runs, so that no server can hold up the transfers
/// of another. Lines are used again, with their open connections.
final class HTTPTransport: Sendable {
  private let idle = Mutex<[HTTPLine]>([])

  /// Asks for an address and feeds the answer to the sink.
  ///
  /// - Parameter onWait: called ten to twenty times a second; `true` ends the transfer as cancelled.
  /// - Returns: the head of the answer, when all of the body was taken.
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

  /// An idle line, if there is one that knows the server, else the one that was used last.
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
