import Calendar
import Files

/// A download of one resource from its server into the cache: attempts, redirects, resumed bodies.
struct Download {
  let resource: RemoteResource
  let options: FetchOptions
  let surroundings: FetchSurroundings
  let transport: HTTPTransport
  let gate: HostGate
  let cache: FetchCache
  let files: FetchCache.Files

  /// The cached copy, whose body is known to be complete.
  let entry: CacheEntry?

  /// The final response of the server.
  enum Outcome {
    case notModified(AnswerHead)
    case body(FetchedFile)
  }

  private var host: String { resource.address.origin }

  /// Retries until it succeeds, or until another attempt is pointless.
  func run() throws(FetchError) -> Outcome {
    let schedule = RetrySchedule(options: options, key: resource.uri)
    var failures = 0
    var hasRestarted = false
    while true {
      let failure: TransferFailure
      do throws(AttemptError) {
        let outcome = try attempt()
        gate.note(host, hasAnswered: true)
        return outcome
      } catch {
        switch error {
        case .final(let error): throw error
        case .transfer(let error): failure = error
        }
      }
      if failure.needsRestart, !hasRestarted {
        hasRestarted = true
        continue
      }
      hasRestarted = false
      failures += 1
      guard failure.isTransient, !surroundings.isCancelled() else {
        gate.note(host, hasAnswered: true)
        throw final(failure, attempts: failures)
      }
      let goesOn =
        failures <= options.retries
        && gate.waitAgain(
          for: host, schedule.delay(after: failures), wish: failure.retryAfter,
          limit: options.longestRetryAfter, surroundings)
      guard goesOn else {
        gate.note(host, hasAnswered: false)
        throw final(failure, attempts: failures)
      }
      if surroundings.isCancelled() { throw final(.cancelled, attempts: failures) }
    }
  }

  /// A failure that may be retried, or one that is not due to the network.
  private enum AttemptError: Error {
    case transfer(TransferFailure)
    case final(FetchError)
  }

  private func attempt() throws(AttemptError) -> Outcome {
    let body: BodyFile
    do throws(FetchError) {
      body = try BodyFile(
        files, ContentCheck(kind: resource.kind, secrets: resource.secrets),
        limit: options.maximumBytes, isConditional: isConditional, part: resource.part)
    } catch {
      throw .final(error)
    }
    do throws(TransferFailure) {
      let head = try follow(body)
      if head.status == 304 {
        body.discard()
        return .notModified(head)
      }
      try body.finish(head)
      return .body(try store(body, head))
    } catch {
      let isUseless = error.needsRestart || error.code == .wrongContent || error.code == .tooLarge
      if isUseless { body.discard() } else { body.keep() }
      throw .transfer(error)
    }
  }

  private func store(_ body: BodyFile, _ head: AnswerHead) throws(TransferFailure) -> FetchedFile {
    guard let digest = try? FileDigest(of: files.partial), digest.bytes == body.bytes else {
      throw TransferFailure(.cache, "cannot read \(files.partial)")
    }
    do throws(FetchError) {
      let path = try cache.store(files.partial, sha256: digest.sha256)
      let entry = CacheEntry(
        resource, head, sha256: digest.sha256, bytes: digest.bytes, checked: surroundings.now())
      try cache.store(entry, files)
      body.discard()
      var file = FetchedFile(entry, path: path, origin: .network)
      file.next = head.nextLink
      return file
    } catch {
      throw TransferFailure(.cache, error.description)
    }
  }

  /// Follows redirects to a response that is the file or "not modified".
  private func follow(_ body: BodyFile) throws(TransferFailure) -> AnswerHead {
    var address = resource.address
    for _ in 0...max(0, options.maximumRedirects) {
      let head = try ask(address, body)
      guard let location = head.redirection else {
        try requireSuccess(head, body)
        return head
      }
      address = try next(location, from: address)
    }
    throw TransferFailure(
      .redirect, "the server redirects more than \(options.maximumRedirects) times")
  }

  private func ask(_ address: RemoteAddress, _ body: BodyFile) throws(TransferFailure) -> AnswerHead
  {
    guard gate.enter(address, surroundings) else { throw .cancelled }
    defer { gate.leave(address) }
    let start = body.resume?.bytes ?? 0
    return try transport.get(
      address, headers: headers(for: address, body), options: options, into: body
    ) { state in
      let resumed = state.head?.status == 206 ? start : 0
      // A server may announce any length.
      let total = state.head?.length.flatMap { length in
        let (sum, overflow) = length.addingReportingOverflow(resumed)
        return overflow ? nil : sum
      }
      surroundings.progress(
        FetchProgress(uri: resource.uri, bytes: resumed + state.bytes, total: total))
      return surroundings.isCancelled()
    }
  }

  private var isConditional: Bool { entry?.etag != nil || entry?.lastModified != nil }

  /// Returns the headers of a request; those of the resource are only sent to its own origin.
  private func headers(for address: RemoteAddress, _ body: BodyFile) -> [String: String] {
    var headers = ["User-Agent": options.userAgent, "Accept-Encoding": "identity"]
    if address.origin == resource.address.origin {
      headers.merge(resource.headers) { _, own in own }
    }
    if let etag = entry?.etag { headers["If-None-Match"] = etag }
    if let date = entry?.lastModified { headers["If-Modified-Since"] = date }
    let first = (resource.part?.bytes.lowerBound ?? 0) + (body.resume?.bytes ?? 0)
    if let part = resource.part { headers["Range"] = "bytes=\(first)-\(part.bytes.upperBound - 1)" }
    if let condition = resource.part?.condition { headers[condition.name] = condition.value }
    if let resume = body.resume {
      if resource.part == nil { headers["Range"] = "bytes=\(first)-" }
      headers["If-Range"] = resume.validator
    } else if resource.kind.isText {
      headers["Accept-Encoding"] = "gzip"
    }
    return headers
  }

  /// Returns the target of a redirect, if it may be followed.
  private func next(
    _ location: String, from address: RemoteAddress
  ) throws(TransferFailure) -> RemoteAddress {
    let shown = ServerWords.shown(location, without: resource.secrets, limit: 200)
    guard let next = address.redirected(to: location) else {
      throw TransferFailure(
        .redirect, "the server redirects to '\(shown)', which is not http or https")
    }
    if address.scheme == "https", next.scheme == "http" {
      throw TransferFailure(
        .redirect, "the server redirects from https to '\(shown)', which anybody could read")
    }
    if next.origin != resource.address.origin, resource.secrets.occur(in: location) {
      throw TransferFailure(
        .redirect, "the server redirects to '\(shown)', which would give a secret to another host")
    }
    return next
  }

  private func requireSuccess(_ head: AnswerHead, _ body: BodyFile) throws(TransferFailure) {
    switch head.status {
    case 200, 203, 206, 304: return
    case 412 where resource.part != nil: throw .changed
    default:
      let words = body.words
      throw TransferFailure(
        .status,
        "the server answers \(head.status)" + (words.isEmpty ? "" : " “\(words)”")
          + (head.headers["retry-after"] == nil ? "" : " and asks to be asked later"),
        status: head.status, isTransient: RetrySchedule.isTransient(head.status),
        retryAfter: RetrySchedule.retryAfter(head.headers["retry-after"], now: surroundings.now()))
    }
  }

  /// Returns the error that ends the fetching for a failure, with its remedy.
  private func final(_ failure: TransferFailure, attempts: Int) -> FetchError {
    let tried = attempts > 1 ? ", after \(attempts) attempts" : ""
    let isSentence = failure.message.hasSuffix(".")
    let remedy =
      switch failure.code {
      case .connection, .timeout: ". Check the network and the address, or run with '--offline'."
      case .status: ". Check the address, and the key if it has one."
      case .redirect: ". Write the address that the data is at."
      case .cache: ". Check the cache folder and the disk."
      default: "."
      }
    return FetchError(
      failure.code, uri: resource.uri,
      resource.secrets.redact(failure.message) + (isSentence ? "" : tried + remedy),
      status: failure.status)
  }
}

/// The delays before retries.
struct RetrySchedule {
  let options: FetchOptions

  /// The key of the jitter: delays of different files differ, those of one file are the same in
  /// every run.
  let key: String

  /// Whether a status may change with the next request.
  static func isTransient(_ status: Int) -> Bool {
    switch status {
    case 408, 425, 429: true
    // 501 and 505 say that the server will never support the request.
    case 500...599: status != 501 && status != 505
    default: false
    }
  }

  /// Returns the delay before a retry.
  ///
  /// - Parameter attempt: the number of failed attempts, from 1.
  func delay(after attempt: Int) -> Duration {
    let doubled = options.backoff * (1 << min(max(attempt, 1) - 1, 20))
    let bounded = min(doubled, options.longestBackoff)
    // From half to all of it, so that many clients do not return at the same time.
    return bounded / 2 + bounded * jitter(attempt) / (2 * 1024)
  }

  /// Returns 0 … 1023, by FNV-1a over the key and the attempt (Fowler, Noll, Vo).
  private func jitter(_ attempt: Int) -> Int {
    var hash: UInt64 = 0xCBF2_9CE4_8422_2325
    for byte in "\(key)#\(attempt)".utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
    return Int((hash ^ hash >> 32) & 1023)
  }

  /// Returns the delay of a `Retry-After`: seconds or a date (RFC 9110, section 10.2.3).
  static func retryAfter(_ text: String?, now: Int64) -> Duration? {
    guard let text else { return nil }
    let isNumber = !text.isEmpty && text.utf8.allSatisfy { (0x30...0x39).contains($0) }
    if isNumber, Int64(text) == nil { return .seconds(1 << 32) }
    if let seconds = Int64(text), seconds >= 0 { return .seconds(min(seconds, 1 << 32)) }
    return HTTPDate.seconds(text).map { .seconds(max(0, $0 - now)) }
  }
}
