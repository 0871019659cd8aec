/// An instant in UTC to the nanosecond, years 0000 to 9999 of the Gregorian calendar.
package struct Instant: Hashable, Comparable, Sendable {
  /// Seconds since 1970-01-01T00:00:00Z, without leap seconds.
  private let seconds: Int64
  /// The nanoseconds within the second, 0 ..< 1,000,000,000.
  private let nanoseconds: Int64

  /// The instants before and after all others: the open ends of an interval.
  package static let distantPast = Instant(seconds: .min, nanoseconds: 0)
  package static let distantFuture = Instant(seconds: .max, nanoseconds: 0)

  private init(seconds: Int64, nanoseconds: Int64) {
    self.seconds = seconds
    self.nanoseconds = nanoseconds
  }

  package static func < (lhs: Instant, rhs: Instant) -> Bool {
    (lhs.seconds, lhs.nanoseconds) < (rhs.seconds, rhs.nanoseconds)
  }

  /// The written form of an instant.
  package enum Form: Sendable { case date, timestamp }

  /// Returns the instant that a text denotes, and its form; `nil` if it does not denote one.
  ///
  /// `2014-01-19` is midnight UTC. A time may follow after `T` or a space as `06:00`, `06:00:00` or
  /// with a fraction, then `Z`, `+01:00` or nothing, which means UTC (RFC 3339, section 5.6). A
  /// leap second is the second after it.
  package static func parse(_ text: String) -> (instant: Instant, form: Form)? {
    var text = text
    return text.withUTF8 { bytes in
      var reader = InstantReader(bytes: bytes)
      return reader.read().map { Instant(seconds: $0.seconds, nanoseconds: $0.nanoseconds) }
        .map { ($0, reader.form) }
    }
  }
}

/// A reader of the digits of an instant.
private struct InstantReader {
  let bytes: UnsafeBufferPointer<UInt8>
  var index = 0
  var form = Instant.Form.date

  mutating func read() -> (seconds: Int64, nanoseconds: Int64)? {
    guard let year = digits(4), take("-"), let month = digits(2), take("-"), let day = digits(2),
      (1...12).contains(month), day >= 1,
      day <= CivilCalendar.days(of: Int(month), in: Int(year))
    else { return nil }
    let number = CivilCalendar.dayNumber(year: Int(year), month: Int(month), day: Int(day))
    let midnight = Int64(number * CivilCalendar.secondsPerDay)
    if index == bytes.count { return (midnight, 0) }
    form = .timestamp
    guard take("T") || take("t") || take(" "), let hour = digits(2), take(":"),
      let minute = digits(2), hour < 24, minute < 60
    else { return nil }
    var second: Int64 = 0
    var nanoseconds: Int64 = 0
    if take(":") {
      guard let whole = digits(2), whole <= 60 else { return nil }
      second = whole
      if take(".") {
        guard let fraction = fraction() else { return nil }
        nanoseconds = fraction
      }
    }
    guard let offset = offset(), index == bytes.count else { return nil }
    return (midnight + hour * 3600 + minute * 60 + second - offset, nanoseconds)
  }

  /// Reads a zone; returns seconds east of UTC.
  private mutating func offset() -> Int64? {
    if index == bytes.count || take("Z") || take("z") { return 0 }
    let isWest = take("-")
    guard isWest || take("+"), let hours = digits(2), take(":"), let minutes = digits(2),
      hours < 24, minutes < 60
    else { return nil }
    let seconds = hours * 3600 + minutes * 60
    return isWest ? -seconds : seconds
  }

  private mutating func take(_ letter: Unicode.Scalar) -> Bool {
    guard index < bytes.count, bytes[index] == UInt8(ascii: letter) else { return false }
    index += 1
    return true
  }

  private mutating func digits(_ count: Int) -> Int64? {
    guard index + count <= bytes.count else { return nil }
    var value: Int64 = 0
    for _ in 0..<count {
      guard let digit = digit() else { return nil }
      value = value * 10 + digit
    }
    return value
  }

  private mutating func digit() -> Int64? {
    guard index < bytes.count else { return nil }
    let digit = bytes[index] &- UInt8(ascii: "0")
    guard digit < 10 else { return nil }
    index += 1
    return Int64(digit)
  }

  /// Reads a fraction of one second; returns nanoseconds, dropping smaller digits.
  private mutating func fraction() -> Int64? {
    let start = index
    var unit: Int64 = 100_000_000
    var value: Int64 = 0
    while let digit = digit() {
      value += digit * unit
      unit /= 10
    }
    return index > start ? value : nil
  }
}
