import Calendar

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
  /// - Parameters:
  ///   - attempt: the number of failed attempts, from 1.
  ///   - retryAfter: the delay that the server requested.
  func delay(after attempt: Int, retryAfter: Duration?) -> Duration {
    if let retryAfter { return max(.zero, min(retryAfter, options.longestRetryAfter)) }
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
    if let seconds = Int64(text), seconds >= 0 { return .seconds(min(seconds, 1 << 32)) }
    return HTTPDate.seconds(text).map { .seconds(max(0, $0 - now)) }
  }
}
