import Calendar

/// How long to wait before the next attempt.
struct RetrySchedule {
  let options: FetchOptions

  /// Makes the waits of different files differ, and of one file the same in every run.
  let key: String

  /// Whether an answer of this status may be another one the next time.
  static func isTransient(_ status: Int) -> Bool {
    switch status {
    case 408, 425, 429: true
    // 501 and 505 say that the server will never do it.
    case 500...599: status != 501 && status != 505
    default: false
    }
  }

  /// The wait before a retry.
  ///
  /// - Parameters:
  ///   - attempt: from 1, the number of attempts that failed.
  ///   - retryAfter: what the server asked for.
  func delay(after attempt: Int, retryAfter: Duration?) -> Duration {
    if let retryAfter { return max(.zero, min(retryAfter, options.longestRetryAfter)) }
    let doubled = options.backoff * (1 << min(max(attempt, 1) - 1, 20))
    let bounded = min(doubled, options.longestBackoff)
    // From half to all of it, so that many clients do not come back at the same time.
    return bounded / 2 + bounded * jitter(attempt) / (2 * 1024)
  }

  /// 0 … 1023, by FNV-1a over the key and the attempt (Fowler, Noll, Vo).
  private func jitter(_ attempt: Int) -> Int {
    var hash: UInt64 = 0xCBF2_9CE4_8422_2325
    for byte in "\(key)#\(attempt)".utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
    return Int((hash ^ hash >> 32) & 1023)
  }

  /// `Retry-After` as a wait: seconds or a date (RFC 9110, section 10.2.3).
  static func retryAfter(_ text: String?, now: Int64) -> Duration? {
    guard let text else { return nil }
    if let seconds = Int64(text), seconds >= 0 { return .seconds(min(seconds, 1 << 32)) }
    return HTTPDate.seconds(text).map { .seconds(max(0, $0 - now)) }
  }
}
