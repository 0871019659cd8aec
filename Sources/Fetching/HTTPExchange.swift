import CCurl

/// Takes an answer piece by piece; what it throws ends the transfer.
protocol AnswerSink: AnyObject {
  /// The head is there; the body follows.
  func begin(_ head: AnswerHead) throws(TransferFailure)

  /// A piece of the body.
  func append(_ bytes: UnsafeRawBufferPointer) throws(TransferFailure)
}

/// One request and its answer, on the thread that waits for it: what came, and whether to go on.
final class HTTPExchange {
  /// How far the transfer is.
  struct State {
    var head: AnswerHead?
    /// Bytes of the body so far, unpacked.
    var bytes: Int64 = 0
    var lastActivity = ContinuousClock.now
  }

  /// A body that is not the file is read so far, so that the connection can be used again.
  static let unwantedBytes: Int64 = 1 << 16

  /// And no longer than this.
  static let unwantedTime = Duration.seconds(2)

  /// The clocks are looked at no more often.
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
  /// What a packed body goes through.
  private var unpacker: BodyUnpacker?

  /// - Parameter onWait: called ten to twenty times a second; `true` ends the transfer as cancelled.
  init(sink: any AnswerSink, options: FetchOptions, onWait: @escaping (State) -> Bool) {
    self.sink = sink
    self.onWait = onWait
    limits = TransferLimits(options)
  }

  /// Takes a line of the head; `false` ends the transfer.
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

  /// Takes a piece of the body; `false` ends the transfer.
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

  /// What the body of an answer goes through. One that is not the file ends where it cannot be
  /// unpacked: only its first words are wanted.
  private func unpacking(_ head: AnswerHead) throws(TransferFailure) -> BodyUnpacker {
    do throws(TransferFailure) {
      return try BodyUnpacker(head.codings)
    } catch {
      throw head.hasFile ? error : .enough
    }
  }

  /// Hands on what a packed piece unpacks to.
  private func unpack(
    _ packed: UnsafeRawBufferPointer, with unpacker: BodyUnpacker
  ) throws(TransferFailure) {
    do throws(TransferFailure) {
      try unpacker.take(packed) { (piece) throws(TransferFailure) in try take(piece) }
    } catch {
      throw error == .badCoding && state.head?.hasFile == false ? .enough : error
    }
  }

  /// Hands a piece on as it is.
  private func take(_ piece: UnsafeRawBufferPointer) throws(TransferFailure) {
    state.bytes += Int64(piece.count)
    try sink.append(piece)
  }

  /// Looks at the clocks if that is due; `false` ends the transfer.
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

  /// The head of an answer whose body was taken as far as it is wanted.
  ///
  /// - Parameter outcome: how the transfer ended for libcurl.
  func finish(_ outcome: ccurl_outcome) throws(TransferFailure) -> AnswerHead {
    if let failure, failure != .enough { throw failure }
    // Of an answer without the file the head says it all.
    if let head = state.head, !head.hasFile { return head }
    if let failure = limits.failure(of: outcome, state) { throw failure }
    guard let head = state.head else { throw .noAnswer }
    if let unpacker, !unpacker.isAtEnd { throw .cut(after: state.bytes) }
    return head
  }

  /// Whether nothing was thrown; what was thrown first is kept.
  private func goesOn(_ body: () throws(TransferFailure) -> Void) -> Bool {
    guard failure == nil else { return false }
    do throws(TransferFailure) { try body() } catch { failure = error }
    return failure == nil
  }
}
