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
  /// The forms are those of ``ISOTimeReader``, the one reader of times in data and conditions.
  package static func parse(_ text: String) -> (instant: Instant, form: Form)? {
    var text = text
    return text.withUTF8 { bytes in
      ISOTimeReader.read(UnsafeRawBufferPointer(bytes)).map { reading in
        (
          Instant(seconds: reading.seconds, nanoseconds: reading.nanoseconds),
          reading.hasClock ? .timestamp : .date
        )
      }
    }
  }
}
