import CCurl

/// A sink that receives a response piece by piece; an error that it throws ends the transfer.
protocol AnswerSink: AnyObject {
  /// Receives the head; the body follows.
  func begin(_ head: AnswerHead) throws(TransferFailure)

  /// Receives a piece of the body.
  func append(_ bytes: UnsafeRawBufferPointer) throws(TransferFailure)
}

/// One request and its response, on the thread that waits for it: what was received, and whether to
/// continue.
final class HTTPExchange {
  /// The progress of the transfer.
  struct State {
    var head: AnswerHead?
    /// The bytes of the body so far, decompressed.
    var bytes: Int64 = 0
    var lastActivity = ContinuousClock.now
  }

  /// Maximum bytes that are read of an unwanted body, so that the connection can be reused.
  static let unwantedBytes: Int64 = 1 << 16

  /// Maximum time that reading an unwanted body may take.
  static let unwantedTime = Duration.seconds(2)

  /// The minimum interval between checks of the clocks.
  private static let turn = Duration.milliseconds(50)

  private(set) var state = State()
  private let sink: any AnswerSink
  private let limits: TransferLimits
  private let onWait: (State) -> Bool
  private let start = ContinuousClock.now
  private var lastTurn = ContinuousClock.now
  private var headTime = ContinuousClock.now
  private var reader = AnswerHeadReader()
  private var failure: TransferFailure?
  /// The decompressor of the body, if it is encoded.
  private var unpacker: BodyUnpacker?

  /// - Parameter onWait: called ten to twenty times per second; returning `true` ends the transfer
  ///   as cancelled.
  init(sink: any AnswerSink, options: FetchOptions, onWait: @escaping (State) -> Bool) {
    self.sink = sink
    self.onWait = onWait
    limits = TransferLimits(options)
  }

  /// Receives a line of the head; returning `false` ends the transfer.
  func receive(line: UnsafeRawBufferPointer) -> Bool {
    goesOn { () throws(TransferFailure) in
      state.lastActivity = .now
      guard let head = try reader.take(line) else { return }
      state.head = head
      headTime = state.lastActivity
      try sink.begin(head)
      if head.isEncoded { unpacker = try unpacking(head) }
    }
  }

  /// Receives a piece of the body; returning `false` ends the transfer.
  func receive(body: UnsafeRawBufferPointer) -> Bool {
    goesOn { () throws(TransferFailure) in
      guard let head = state.head else { throw .noHTTP }
      state.lastActivity = .now
      if let unpacker {
        try unpack(body, with: unpacker)
      } else {
        try take(body)
      }
      if !head.hasFile, state.bytes > Self.unwantedBytes { throw .enough }
    }
  }

  /// Returns the decompressor of a response's body. The body of an error may end where it cannot
  /// be decompressed, since only its first words are wanted.
  private func unpacking(_ head: AnswerHead) throws(TransferFailure) -> BodyUnpacker {
    do throws(TransferFailure) {
      return try BodyUnpacker(head.codings)
    } catch {
      throw head.hasFile ? error : .enough
    }
  }

  /// Passes on the decompressed bytes of a piece.
  private func unpack(
    _ packed: UnsafeRawBufferPointer, with unpacker: BodyUnpacker
  ) throws(TransferFailure) {
    do throws(TransferFailure) {
      try unpacker.take(packed) { (piece) throws(TransferFailure) in try take(piece) }
    } catch {
      throw error == .badCoding && state.head?.hasFile == false ? .enough : error
    }
  }

  /// Passes on a piece unchanged.
  private func take(_ piece: UnsafeRawBufferPointer) throws(TransferFailure) {
    state.bytes += Int64(piece.count)
    try sink.append(piece)
  }

  /// Checks the clocks if that is due; returning `false` ends the transfer.
  func takeTurn() -> Bool {
    let now = ContinuousClock.now
    guard now - lastTurn >= Self.turn else { return true }
    lastTurn = now
    return goesOn { () throws(TransferFailure) in
      if onWait(state) { throw .cancelled }
      if let head = state.head, !head.hasFile, now - headTime > Self.unwantedTime { throw .enough }
      if let failure = limits.overdue(state, start: start, now: now) { throw failure }
    }
  }

  /// Returns the head of a response whose body was read as far as it is wanted.
  ///
  /// - Parameter outcome: libcurl's outcome of the transfer.
  func finish(_ outcome: ccurl_outcome) throws(TransferFailure) -> AnswerHead {
    if let failure, failure != .enough { throw failure }
    // For a response without the file, the head is sufficient.
    if let head = state.head, !head.hasFile { return head }
    if let failure = limits.failure(of: outcome, state) { throw failure }
    guard let head = state.head else { throw .noAnswer }
    if let unpacker, !unpacker.isAtEnd { throw .cut(after: state.bytes) }
    return head
  }

  /// Returns whether nothing was thrown; the first error is kept.
  private func goesOn(_ body: () throws(TransferFailure) -> Void) -> Bool {
    guard failure == nil else { return false }
    do throws(TransferFailure) { try body() } catch { failure = error }
    return failure == nil
  }
}

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
