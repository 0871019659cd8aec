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
    /// The waiting side does not listen any more.
    var isClosed = false
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
  func close() { state.withLock { $0.isClosed = true } }

  /// Takes the head; `false` ends the transfer.
  func receive(_ head: AnswerHead) -> Bool {
    state.withLock { state in
      guard !state.isClosed, state.failure == nil else { return false }
      state.head = head
      state.lastActivity = .now
      do throws(TransferFailure) { try sink.begin(head) } catch { state.failure = error }
      return state.failure == nil
    }
  }

  /// Takes a piece of the body; `false` ends the transfer.
  func receive(_ data: Data) -> Bool {
    state.withLock { state in
      guard !state.isClosed, state.failure == nil else { return false }
      state.bytes += Int64(data.count)
      state.lastActivity = .now
      let result = data.withUnsafeBytes { bytes in
        Result { () throws(TransferFailure) in try sink.append(bytes) }
      }
      if case .failure(let failure) = result { state.failure = failure }
      return state.failure == nil
    }
  }

  /// The end of the transfer, with what the system says of it.
  func finish(_ error: (any Error)?) {
    state.withLock { state in
      if state.failure == nil, let error { state.failure = Self.failure(error, state) }
    }
    isDone.signal()
  }

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
      return TransferFailure(.connection, "the certificate of the host is not trusted")
    default:
      let words =
        state.head == nil
        ? "the connection ended without an answer"
        : "the connection broke after \(state.bytes) bytes"
          + (state.head?.length.map { " of \($0)" } ?? "")
      return TransferFailure(.connection, words, isTransient: true)
    }
  }
}
