/// The instant of a frame in UTC, to the second, in the years 1 … 9999.
///
/// Days are those of the proleptic Gregorian calendar; leap seconds are not counted. Neither locale
/// nor time zone of the machine plays a part.
package struct FrameTime: Hashable, Comparable, Sendable, CustomStringConvertible {
  /// Since 1970-01-01T00:00:00Z.
  package let seconds: Int64

  private static let range: ClosedRange<Int64> = -62_135_596_800...253_402_300_799

  /// - Parameter seconds: since 1970-01-01T00:00:00Z; `nil` outside of the years 1 … 9999.
  package init?(seconds: Int64) {
    guard Self.range.contains(seconds) else { return nil }
    self.seconds = seconds
  }

  /// Reads an instant in a form of ISO 8601; without a zone it is UTC.
  ///
  /// `2014-01-19`, `2014-01-19T06`, `2014-01-19T06:00`, `2014-01-19 06:00:00.000Z`,
  /// `20140119T0600+0100` and the like; fractions of a second are cut off.
  ///
  /// - Throws: ``SeriesError`` that says which character does not fit.
  package init(iso8601 text: String) throws(SeriesError) {
    self = try ISOTimeReader.time(text)
  }

  /// The instant of a forecast: when the model ran, and hours after that.
  ///
  /// `nil` where the hours are no whole number of seconds, or lead out of the years 1 … 9999.
  package init?(run: FrameTime, hours: Double) {
    let offset = hours * 3600
    guard offset.isFinite, abs(offset) < 1e12, offset.rounded() == offset else { return nil }
    self.init(seconds: run.seconds + Int64(offset))
  }

  /// Hours from another instant to this one.
  func hours(after other: FrameTime) -> Double { Double(seconds - other.seconds) / 3600 }

  package static func < (left: FrameTime, right: FrameTime) -> Bool {
    left.seconds < right.seconds
  }

  /// `2014-01-19T06:00:00Z`.
  package var description: String {
    let fields = CalendarFields(seconds: seconds)
    return "\(Self.date(fields))T\(Self.padded(fields.hour)):\(Self.padded(fields.minute)):"
      + "\(Self.padded(fields.second))Z"
  }

  /// `2014-01-19T0600Z`, for names of files; with seconds only where they are not 0.
  package var fileName: String {
    let fields = CalendarFields(seconds: seconds)
    let second = fields.second == 0 ? "" : Self.padded(fields.second)
    return "\(Self.date(fields))T\(Self.padded(fields.hour))\(Self.padded(fields.minute))"
      + "\(second)Z"
  }

  /// `Sun 19 Jan 2014 06:00 UTC`, for people; with seconds only where they are not 0.
  package var label: String {
    let fields = CalendarFields(seconds: seconds)
    let second = fields.second == 0 ? "" : ":\(Self.padded(fields.second))"
    return "\(weekday) \(fields.day) \(Self.monthNames[fields.month - 1]) \(fields.year) "
      + "\(Self.padded(fields.hour)):\(Self.padded(fields.minute))\(second) UTC"
  }

  /// The first three letters of the day's English name; 1 January 1970 was a Thursday.
  package var weekday: String {
    let midnight = (seconds % 604_800 + 604_800) % 604_800 / 86_400
    return ["Thu", "Fri", "Sat", "Sun", "Mon", "Tue", "Wed"][Int(midnight)]
  }

  static let monthNames = [
    "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
  ]

  static func date(_ fields: CalendarFields) -> String {
    "\(padded(fields.year, to: 4))-\(padded(fields.month))-\(padded(fields.day))"
  }

  /// A number of at least so many digits.
  static func padded(_ number: Int, to width: Int = 2) -> String {
    let digits = String(number)
    return String(repeating: "0", count: max(0, width - digits.count)) + digits
  }
}
