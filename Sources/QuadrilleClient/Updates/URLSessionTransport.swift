public import Foundation

#if canImport(FoundationNetworking)
  public import FoundationNetworking
#endif

/// A transport by `URLSession`.
public struct URLSessionTransport: UpdateTransport {
  private let configuration: URLSessionConfiguration

  /// Creates a transport.
  ///
  /// - Parameter configuration: what sessions are made of; `nil` for an ephemeral one without a
  ///   cache, since downloads are kept by the updater.
  public init(configuration: URLSessionConfiguration? = nil) {
    let own = URLSessionConfiguration.ephemeral
    own.requestCachePolicy = .reloadIgnoringLocalCacheData
    own.urlCache = nil
    self.configuration = configuration ?? own
  }

  /// Starts to fetch a file; see ``UpdateTransport/fetch(_:from:)``.
  public func fetch(_ url: URL, from offset: Int) async throws -> UpdateResponse {
    try await fetch(url, range: offset > 0 ? "bytes=\(offset)-" : nil)
  }

  /// Fetches some bytes of a file; see ``UpdateTransport/fetch(_:in:)``.
  public func fetch(_ url: URL, in range: Range<Int>) async throws -> UpdateResponse {
    try await fetch(url, range: "bytes=\(range.lowerBound)-\(range.upperBound - 1)")
  }

  private func fetch(_ url: URL, range: String?) async throws -> UpdateResponse {
    var request = URLRequest(url: url)
    // A range counts bytes of the file, so these may not be packed.
    request.setValue("identity", forHTTPHeaderField: "Accept-Encoding")
    if let range { request.setValue(range, forHTTPHeaderField: "Range") }
    let (configuration, patience) = Self.split(configuration)
    let delivery = Delivery()
    let session = URLSession(configuration: configuration, delegate: delivery, delegateQueue: nil)
    let task = session.dataTask(with: request)
    delivery.task = task
    if let patience { delivery.watch(for: patience) }
    task.resume()
    // The session lets go of its delegate when its only task has ended.
    session.finishTasksAndInvalidate()
    let status = try await withTaskCancellationHandler {
      try await delivery.status()
    } onCancel: {
      task.cancel()
    }
    return UpdateResponse(status: status, body: delivery.body())
  }

  /// The configuration of a session, and the seconds without a byte after which its task has to be
  /// ended by this transport; `nil` where the session itself counts them.
  ///
  /// swift-corelibs-foundation counts the time in which a task is suspended, too, so a reader that is
  /// slower than `timeoutIntervalForRequest` would lose its connection. Sessions of Apple's Foundation
  /// do not.
  private static func split(
    _ configuration: URLSessionConfiguration
  ) -> (URLSessionConfiguration, patience: TimeInterval?) {
    #if canImport(FoundationNetworking)
      guard let endless = configuration.copy() as? URLSessionConfiguration else {
        return (configuration, nil)
      }
      endless.timeoutIntervalForRequest = configuration.timeoutIntervalForResource
      return (endless, configuration.timeoutIntervalForRequest)
    #else
      return (configuration, nil)
    #endif
  }
}

/// The bytes that a task has received and its reader has not yet taken.
///
/// All members are guarded by the lock; the task pauses while much is waiting.
private final class Delivery: NSObject, URLSessionDataDelegate, @unchecked Sendable {
  /// Maximum bytes that wait before the task pauses.
  private static let capacity = 4 << 20
  /// The number of times that the task is suspended for a pause; see ``pauseTask()``.
  private static let pauses = 2

  private let lock = NSLock()
  private var pieces: [Data] = []
  private var waiting = 0
  private var isPaused = false
  private var end: Result<Void, any Error>?
  private var head: Result<Int, any Error>?
  private var headWaiter: CheckedContinuation<Int, any Error>?
  private var pieceWaiter: CheckedContinuation<Data?, any Error>?
  private var owned: URLSessionDataTask?
  /// Looks for silence while the task runs; see ``watch(for:)``.
  private var watcher: (any DispatchSourceTimer)?
  private var lastSign = DispatchTime.now()
  private var isTooSilent = false

  var task: URLSessionDataTask? {
    get { lock.withLock { owned } }
    set { lock.withLock { owned = newValue } }
  }

  /// Ends the task with `URLError.timedOut` after a number of seconds without a byte; the time that it
  /// spends suspended does not count.
  func watch(for patience: TimeInterval) {
    let timer = DispatchSource.makeTimerSource(queue: .global())
    timer.schedule(deadline: .now() + patience / 4, repeating: patience / 4)
    timer.setEventHandler { [weak self] in self?.endIfSilent(for: patience) }
    lock.withLock {
      lastSign = .now()
      watcher = timer
    }
    timer.resume()
  }

  private func endIfSilent(for patience: TimeInterval) {
    let silent = lock.withLock { () -> URLSessionDataTask? in
      guard !isPaused, DispatchTime.now() >= lastSign + patience else { return nil }
      isTooSilent = true
      return owned
    }
    silent?.cancel()
  }

  /// Waits for the head of the answer.
  func status() async throws -> Int {
    try await withCheckedThrowingContinuation { waiter in
      let known = lock.withLock { () -> Result<Int, any Error>? in
        if head == nil { headWaiter = waiter }
        return head
      }
      if let known { waiter.resume(with: known) }
    }
  }

  /// The pieces of the answer. The task ends with their reader.
  func body() -> AsyncThrowingStream<Data, any Error> {
    let reader = Reader(self)
    return AsyncThrowingStream {
      try await withTaskCancellationHandler {
        try await reader.delivery.next()
      } onCancel: {
        reader.delivery.task?.cancel()
      }
    }
  }

  /// The reader of the pieces; the task is cancelled with it.
  private final class Reader: Sendable {
    let delivery: Delivery

    init(_ delivery: Delivery) { self.delivery = delivery }

    deinit { delivery.task?.cancel() }
  }

  private func next() async throws -> Data? {
    try await withCheckedThrowingContinuation { waiter in
      let ready = lock.withLock { () -> Result<Data?, any Error>? in
        if !pieces.isEmpty {
          let piece = pieces.removeFirst()
          waiting -= piece.count
          if isPaused, waiting < Self.capacity / 2 { resumeTask() }
          return .success(piece)
        }
        if let end { return end.map { nil } }
        pieceWaiter = waiter
        return nil
      }
      if let ready { waiter.resume(with: ready) }
    }
  }

  /// Pauses the task; called with the lock held.
  ///
  /// swift-corelibs-foundation stops the transfer some time after `suspend` has returned, and traps
  /// where the task has been resumed by then. Its second call waits until the first has had its effect,
  /// since both go through one serial queue.
  private func pauseTask() {
    isPaused = true
    for _ in 0..<Self.pauses { owned?.suspend() }
  }

  /// Takes back what ``pauseTask()`` did; called with the lock held.
  private func resumeTask() {
    isPaused = false
    lastSign = .now()
    for _ in 0..<Self.pauses { owned?.resume() }
  }

  private func settle(head value: Result<Int, any Error>) {
    let waiter = lock.withLock { () -> CheckedContinuation<Int, any Error>? in
      guard head == nil else { return nil }
      head = value
      defer { headWaiter = nil }
      return headWaiter
    }
    waiter?.resume(with: value)
  }

  func urlSession(
    _ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse,
    completionHandler: @escaping (URLSession.ResponseDisposition) -> Void
  ) {
    lock.withLock { lastSign = .now() }
    settle(head: .success((response as? HTTPURLResponse)?.statusCode ?? 200))
    completionHandler(.allow)
  }

  func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
    let waiter = lock.withLock { () -> CheckedContinuation<Data?, any Error>? in
      lastSign = .now()
      if let pieceWaiter {
        self.pieceWaiter = nil
        return pieceWaiter
      }
      pieces.append(data)
      waiting += data.count
      if waiting > Self.capacity, !isPaused { pauseTask() }
      return nil
    }
    waiter?.resume(returning: data)
  }

  func urlSession(
    _ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?
  ) {
    let isSilent = lock.withLock { () -> Bool in
      watcher?.cancel()
      watcher = nil
      return isTooSilent
    }
    let failure = error.map { isSilent ? URLError(.timedOut) : $0 }
    let result: Result<Void, any Error> = failure.map { .failure($0) } ?? .success(())
    settle(head: failure.map { .failure($0) } ?? .success(200))
    let waiter = lock.withLock { () -> CheckedContinuation<Data?, any Error>? in
      end = result
      owned = nil
      defer { pieceWaiter = nil }
      return pieceWaiter
    }
    waiter?.resume(with: result.map { nil })
  }
}
