import Calendar

/// The instant of a frame in UTC, to the second, in the years 1 … 9999.
///
/// Days are those of the proleptic Gregorian calendar; leap seconds are not counted. The locale and
/// time zone of the machine have no influence.
package struct FrameTime: Hashable, Comparable, Sendable, CustomStringConvertible {
  /// The seconds since 1970-01-01T00:00:00Z.
  package let seconds: Int64

  /// Creates an instant.
  ///
  /// - Parameter seconds: since 1970-01-01T00:00:00Z; `nil` is returned outside the years 1 … 9999.
  package init?(seconds: Int64) {
    guard ISOTimeReader.range.contains(seconds) else { return nil }
    self.seconds = seconds
  }

  /// Parses an instant in a form of ISO 8601; without a zone it is UTC.
  ///
  /// `2014-01-19`, `2014-01-19T06`, `2014-01-19T06:00`, `2014-01-19 06:00:00.000Z`,
  /// `20140119T0600+0100` and the like; fractions of a second are truncated.
  ///
  /// - Throws: ``SeriesError`` that says which character is wrong.
  package init(iso8601 text: String) throws(SeriesError) {
    // A longer text is no time, and is not repeated whole.
    guard text.utf8.count <= 64 else {
      throw SeriesError(
        .badTime, "a text of \(text.utf8.count) bytes is no time; write 2014-01-19T06:00:00Z.")
    }
    do throws(TimeScanner.Mismatch) {
      seconds = try ISOTimeReader.seconds(text)
    } catch {
      throw SeriesError(
        .badTime,
        "'\(text)' is no time: at character \(error.position + 1), \(error.reason); "
          + "write it as 2014-01-19T06:00:00Z.")
    }
  }

  /// Creates the instant of a forecast: the model run, and the hours after it.
  ///
  /// `nil` if the hours are not a whole number of seconds, or lead outside the years 1 … 9999.
  package init?(run: FrameTime, hours: Double) {
    let offset = hours * 3600
    guard offset.isFinite, abs(offset) < 1e12, offset.rounded() == offset else { return nil }
    self.init(seconds: run.seconds + Int64(offset))
  }

  /// Returns the hours from another instant to this one.
  func hours(after other: FrameTime) -> Double { Double(seconds - other.seconds) / 3600 }

  package static func < (left: FrameTime, right: FrameTime) -> Bool {
    left.seconds < right.seconds
  }

  /// The instant as `2014-01-19T06:00:00Z`.
  package var description: String {
    let fields = CalendarFields(seconds: seconds)
    return "\(fields.dateText)T\(fields.clockText)Z"
  }

  /// The instant in file names, `2014-01-19T0600Z`; with seconds only if they are not 0.
  package var fileName: String {
    let fields = CalendarFields(seconds: seconds)
    let second = fields.second == 0 ? "" : CivilCalendar.padded(fields.second)
    return
      "\(fields.dateText)T\(CivilCalendar.padded(fields.hour))\(CivilCalendar.padded(fields.minute))"
      + "\(second)Z"
  }

  /// The human-readable instant, `Sun 19 Jan 2014 06:00 UTC`; with seconds only if they are not 0.
  package var label: String {
    let fields = CalendarFields(seconds: seconds)
    let second = fields.second == 0 ? "" : ":\(CivilCalendar.padded(fields.second))"
    let month = CivilCalendar.monthNames[fields.month - 1]
    return "\(weekday) \(fields.day) \(month) \(fields.year) "
      + "\(CivilCalendar.padded(fields.hour)):\(CivilCalendar.padded(fields.minute))\(second) UTC"
  }

  /// The first three letters of the day's English name.
  package var weekday: String {
    CivilCalendar.weekday(ofDay: CalendarFields(seconds: seconds).dayNumber)
  }
}
