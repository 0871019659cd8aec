import CCurl

/// The limits that end a transfer from outside: the clocks, and the connection itself.
struct TransferLimits {
  let connect: Duration
  let response: Duration
  let idle: Duration
  let total: Duration

  init(_ options: FetchOptions) {
    connect = options.connectTimeout
    response = options.responseTimeout
    idle = options.idleTimeout
    total = options.totalTimeout
  }

  /// Returns the time limit that is exceeded, if any.
  func overdue(
    _ state: HTTPExchange.State, start: ContinuousClock.Instant, now: ContinuousClock.Instant
  ) -> TransferFailure? {
    if now - start > total { return late("the transfer did not end", total) }
    if state.head == nil {
      return now - start > response ? late("there was no answer", response) : nil
    }
    return now - state.lastActivity > idle ? late("no more bytes came", idle) : nil
  }

  /// Returns the failure of a transfer, in words that do not depend on the version of libcurl.
  func failure(of outcome: ccurl_outcome, _ state: HTTPExchange.State) -> TransferFailure? {
    switch outcome {
    case CCURL_OK: nil
    case CCURL_BAD_ADDRESS:
      TransferFailure(.badAddress, "the system cannot read the address.")
    case CCURL_UNKNOWN_HOST:
      TransferFailure(.connection, "the host is not known", isTransient: true)
    case CCURL_UNREACHABLE:
      TransferFailure(.connection, "the host cannot be reached", isTransient: true)
    case CCURL_TIMEOUT: late("there was no connection", connect)
    case CCURL_UNTRUSTED:
      TransferFailure(.connection, "the certificate of the host is not trusted")
    case CCURL_NO_TLS:
      TransferFailure(.connection, "the host makes no secure connection", isTransient: true)
    case CCURL_NO_HTTP: .noHTTP
    case CCURL_BAD_CODING: .badCoding
    case CCURL_EXCESS:
      TransferFailure(
        .wrongContent,
        "the answer has more bytes than the \(state.head?.length ?? state.bytes) that were announced"
      )
    default: broken(state)
    }
  }

  private func broken(_ state: HTTPExchange.State) -> TransferFailure {
    guard let head = state.head else { return .noAnswer }
    let length = head.length.map { " of \($0)" } ?? ""
    return TransferFailure(
      .connection, "the connection broke after \(state.bytes) bytes" + length, isTransient: true)
  }

  private func late(_ what: String, _ limit: Duration) -> TransferFailure {
    let seconds = Double(limit.components.seconds) + Double(limit.components.attoseconds) / 1e18
    let text = seconds.rounded() == seconds ? "\(Int64(seconds))" : "\(seconds)"
    return TransferFailure(.timeout, "\(what) within \(text) s", isTransient: true)
  }
}
