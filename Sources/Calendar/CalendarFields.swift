/// A date and time of day in the proleptic Gregorian calendar, without a zone.
package struct CalendarFields: Hashable, Sendable {
  /// The year, 0 … 9999.
  package var year = 1970

  /// The month, 1 … 12.
  package var month = 1

  /// The day of the month, 1 … 31.
  package var day = 1

  /// The hour, 0 … 23; 24 while a text is read (``clockFault``).
  package var hour = 0
  package var minute = 0

  /// The second, 0 … 59; leap seconds are not counted, as in POSIX, and 60 while a text is read.
  package var second = 0

  /// The number of days since 1970-01-01.
  package var dayNumber: Int {
    CivilCalendar.dayNumber(year: year, month: month, day: day)
  }

  /// The day of the year, 1 … 366.
  package var dayOfYear: Int {
    dayNumber - CivilCalendar.dayNumber(year: year, month: 1, day: 1) + 1
  }

  /// The reason why a text cannot name this time of day; `nil` for one that it can.
  ///
  /// ISO 8601 allows two times beyond those of a clock: 24:00, the end of the day, and a leap
  /// second, 60, which ends a quarter of an hour in every zone. ``seconds`` counts both as the
  /// second after 23:59:59, as POSIX does.
  package var clockFault: String? {
    if hour == 24, minute != 0 || second != 0 { return "hour 24 is followed by other than 00:00" }
    if second == 60, minute % 15 != 14 { return "a second 60 lies outside 0 … 59" }
    return nil
  }

  /// The number of seconds since 1970-01-01T00:00:00Z, taking the fields as UTC.
  package var seconds: Int64 {
    Int64(dayNumber * CivilCalendar.secondsPerDay + hour * 3600 + minute * 60 + second)
  }

  package init() {}

  /// Creates the fields of an instant in UTC.
  ///
  /// - Parameter seconds: seconds since 1970, within the years 0 … 9999.
  package init(seconds: Int64) {
    let perDay = Int64(CivilCalendar.secondsPerDay)
    // Swift's division rounds toward zero; days before 1970 need the floor.
    let secondOfDay = Int((seconds % perDay + perDay) % perDay)
    let dayNumber = Int((seconds - Int64(secondOfDay)) / perDay)
    (year, month, day) = CivilCalendar.date(ofDay: dayNumber)
    hour = secondOfDay / 3600
    minute = secondOfDay / 60 % 60
    second = secondOfDay % 60
  }

  /// Sets the month and the day from the day of the year, 1 … 366.
  package mutating func setDay(ofYear number: Int) {
    let first = CivilCalendar.dayNumber(year: year, month: 1, day: 1)
    (_, month, day) = CivilCalendar.date(ofDay: first + number - 1)
  }

  /// The date as `2014-01-19`.
  package var dateText: String {
    "\(CivilCalendar.padded(year, to: 4))-\(CivilCalendar.padded(month))-"
      + CivilCalendar.padded(day)
  }

  /// The time of day as `06:00:00`.
  package var clockText: String {
    "\(CivilCalendar.padded(hour)):\(CivilCalendar.padded(minute)):"
      + CivilCalendar.padded(second)
  }
}
