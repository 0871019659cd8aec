/// A date and time of day in the proleptic Gregorian calendar, without a zone.
struct CalendarFields: Hashable, Sendable {
  /// 1 … 9999.
  var year = 1970

  /// 1 … 12.
  var month = 1

  /// 1 … 31.
  var day = 1

  /// 0 … 23.
  var hour = 0
  var minute = 0

  /// 0 … 59; leap seconds are not counted, as in POSIX.
  var second = 0

  static let secondsPerDay: Int64 = 86_400

  static func isLeap(_ year: Int) -> Bool {
    year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
  }

  /// The days before each month of a year that is no leap year, and before the next year.
  private static let daysBefore = [0, 31, 59, 90, 120, 151, 181, 212, 243, 273, 304, 334, 365]

  /// The days of a year before a month, 1 … 13.
  private static func days(before month: Int, of year: Int) -> Int {
    daysBefore[month - 1] + (month > 2 && isLeap(year) ? 1 : 0)
  }

  static func days(of month: Int, in year: Int) -> Int {
    days(before: month + 1, of: year) - days(before: month, of: year)
  }

  static func days(in year: Int) -> Int { isLeap(year) ? 366 : 365 }

  /// Days from 1970-01-01 to the first day of a year: 365 a year and the leap days before it.
  private static func days(beforeYear year: Int) -> Int {
    let past = year - 1
    return 365 * past + past / 4 - past / 100 + past / 400 - 719_162
  }

  /// 1 … 366.
  var dayOfYear: Int { Self.days(before: month, of: year) + day }

  /// Seconds since 1970-01-01T00:00:00Z, taking the fields as UTC.
  var seconds: Int64 {
    let days = Int64(Self.days(beforeYear: year) + dayOfYear - 1)
    return days * Self.secondsPerDay + Int64(hour * 3600 + minute * 60 + second)
  }

  init() {}

  /// The fields of an instant in UTC.
  ///
  /// - Parameter seconds: since 1970, within the years 1 … 9999.
  init(seconds: Int64) {
    // Swift's division rounds toward zero; days before 1970 need the floor.
    let secondOfDay =
      (seconds % Self.secondsPerDay + Self.secondsPerDay) % Self.secondsPerDay
    let days = Int((seconds - secondOfDay) / Self.secondsPerDay)
    // 146,097 days are 400 years; the estimate is a year too late or too early at most.
    year = (days + 719_162) * 400 / 146_097 + 1
    while days < Self.days(beforeYear: year) { year -= 1 }
    while days >= Self.days(beforeYear: year + 1) { year += 1 }
    self.setDay(ofYear: days - Self.days(beforeYear: year) + 1)
    hour = Int(secondOfDay) / 3600
    minute = Int(secondOfDay) / 60 % 60
    second = Int(secondOfDay) % 60
  }

  /// Sets month and day of the year by the day's number, 1 … 366.
  mutating func setDay(ofYear number: Int) {
    month = 1
    while month < 12, number > Self.days(before: month + 1, of: year) { month += 1 }
    day = number - Self.days(before: month, of: year)
  }
}
