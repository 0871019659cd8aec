import Dispatch
import Foundation
import Synchronization

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// Takes an answer piece by piece; what it throws ends the transfer.
protocol AnswerSink: AnyObject {
  /// The head is there; the body follows.
  func begin(_ head: AnswerHead) throws(TransferFailure)

  /// A piece of the body.
  func append(_ bytes: UnsafeRawBufferPointer) throws(TransferFailure)
}

/// One request and its answer, between the thread that waits and the queue of the session.
final class HTTPExchange: Sendable {
  /// What both sides look at.
  struct State {
    var head: AnswerHead?
    /// Bytes of the body so far.
    var bytes: Int64 = 0
    var lastActivity = ContinuousClock.now
    var failure: TransferFailure?
    /// The session has told everything.
    var isEnded = false
    /// When the waiting side stopped to listen.
    var closed: ContinuousClock.Instant?
  }

  private let state = Mutex(State())
  private let isDone = DispatchSemaphore(value: 0)

  /// Used on the session's queue alone, under the lock of `state`.
  private nonisolated(unsafe) let sink: any AnswerSink

  init(sink: any AnswerSink) {
    self.sink = sink
  }

  /// The state at this moment.
  var current: State { state.withLock { $0 } }

  /// Waits a little for the end; `true` when it came.
  func waits(_ milliseconds: Int) -> Bool {
    isDone.wait(timeout: .now() + .milliseconds(milliseconds)) == .success
  }

  /// Hands nothing to the sink from now on.
  func close() { state.withLock { $0.closed = $0.closed ?? .now } }

  /// Takes the head.
  func receive(_ head: AnswerHead) {
    state.withLock { state in
      guard state.closed == nil, state.failure == nil else { return }
      state.head = head
      state.lastActivity = .now
      do throws(TransferFailure) { try sink.begin(head) } catch { fail(error, &state) }
    }
  }

  /// Takes a piece of the body.
  func receive(_ data: Data) {
    let closed = state.withLock { state -> ContinuousClock.Instant? in
      guard state.closed == nil, state.failure == nil else { return state.closed }
      state.bytes += Int64(data.count)
      state.lastActivity = .now
      let result = data.withUnsafeBytes { bytes in
        Result { () throws(TransferFailure) in try sink.append(bytes) }
      }
      if case .failure(let failure) = result { fail(failure, &state) }
      return nil
    }
    // A session listens to its end only when no more bytes lie ready. A server that sends faster
    // than we read is let go slowly, so that it does not keep a core busy.
    if let closed, ContinuousClock.now - closed > .seconds(2) {
      WallClock.wait(.seconds(1)) { false }
    }
  }

  /// The end of the transfer, with what the system says of it.
  func finish(_ error: (any Error)?) {
    state.withLock { state in
      if state.failure == nil, let error { state.failure = Self.failure(error, state) }
      state.isEnded = true
    }
    isDone.signal()
  }

  /// Wakes the waiting side, which ends the transfer.
  private func fail(_ failure: TransferFailure, _ state: inout State) {
    state.failure = failure
    isDone.signal()
  }

  private static let untrusted = TransferFailure(
    .connection, "the certificate of the host is not trusted")

  /// An error of the connection in words that do not depend on the system's language.
  private static func failure(_ error: any Error, _ state: State) -> TransferFailure {
    let code = (error as? URLError)?.code ?? URLError.Code(rawValue: (error as NSError).code)
    switch code {
    case .cannotFindHost, .dnsLookupFailed:
      return TransferFailure(.connection, "the host is not known", isTransient: true)
    case .cannotConnectToHost:
      return TransferFailure(.connection, "the host cannot be reached", isTransient: true)
    case .timedOut:
      return TransferFailure(.timeout, "there was no answer in time", isTransient: true)
    case .secureConnectionFailed, .serverCertificateHasBadDate, .serverCertificateUntrusted,
      .serverCertificateHasUnknownRoot, .serverCertificateNotYetValid,
      .clientCertificateRejected, .clientCertificateRequired:
      return untrusted
    default:
      // On Linux all of the above come as one unknown error, with the words of libcurl.
      let isUntrusted = (error as NSError).localizedDescription.lowercased().contains("certificate")
      if isUntrusted { return untrusted }
      let words =
        state.head == nil
        ? "the connection ended without an answer"
        : "the connection broke after \(state.bytes) bytes"
          + (state.head?.length.map { " of \($0)" } ?? "")
      return TransferFailure(.connection, words, isTransient: true)
    }
  }
}
