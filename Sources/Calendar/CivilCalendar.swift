/// The proleptic Gregorian calendar: conversions between numbers of days and dates.
///
/// Both directions follow Howard Hinnant's "chrono-Compatible Low-Level Date Algorithms"
/// (https://howardhinnant.github.io/date_algorithms.html): the calendar repeats after 400 years,
/// and years that begin in March have their leap day at the end.
package enum CivilCalendar {
  package static let secondsPerDay = 86_400

  /// The first three letters of the months' English names.
  package static let monthNames = [
    "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
  ]

  private static let daysPerEra = 146_097

  /// The number of days from 0000-03-01 to 1970-01-01.
  private static let daysBefore1970 = 719_468

  /// Returns the number of days from 1970-01-01 to a date (`days_from_civil`).
  ///
  /// - Parameters:
  ///   - year: any year; 0 is the one before 1.
  ///   - month: 1 … 12.
  ///   - day: 1 … 31; days beyond the end of the month continue into the next.
  package static func dayNumber(year: Int, month: Int, day: Int) -> Int {
    let marchYear = month > 2 ? year : year - 1
    let era = (marchYear >= 0 ? marchYear : marchYear - 399) / 400
    let yearOfEra = marchYear - era * 400
    let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
    let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
    return era * daysPerEra + dayOfEra - daysBefore1970
  }

  /// Returns the date of a day (`civil_from_days`).
  ///
  /// - Parameter number: days since 1970-01-01.
  package static func date(ofDay number: Int) -> (year: Int, month: Int, day: Int) {
    let shifted = number + daysBefore1970
    let era = (shifted >= 0 ? shifted : shifted - (daysPerEra - 1)) / daysPerEra
    let dayOfEra = shifted - era * daysPerEra
    let yearOfEra = (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let marchMonth = (5 * dayOfYear + 2) / 153
    let month = marchMonth < 10 ? marchMonth + 3 : marchMonth - 9
    let year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
    return (year, month, dayOfYear - (153 * marchMonth + 2) / 5 + 1)
  }

  package static func isLeap(_ year: Int) -> Bool {
    year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
  }

  package static func days(in year: Int) -> Int { isLeap(year) ? 366 : 365 }

  /// - Parameter month: 1 … 12.
  package static func days(of month: Int, in year: Int) -> Int {
    switch month {
    case 2: isLeap(year) ? 29 : 28
    case 4, 6, 9, 11: 30
    default: 31
    }
  }

  /// Returns the first three letters of a day's English name; 1970-01-01 was a Thursday.
  package static func weekday(ofDay number: Int) -> String {
    ["Thu", "Fri", "Sat", "Sun", "Mon", "Tue", "Wed"][(number % 7 + 7) % 7]
  }

  /// Returns a number padded with zeros to a minimum number of digits.
  ///
  /// - Parameter number: a number of at least 0.
  package static func padded(_ number: Int, to width: Int = 2) -> String {
    let digits = String(number)
    return String(repeating: "0", count: max(0, width - digits.count)) + digits
  }
}
