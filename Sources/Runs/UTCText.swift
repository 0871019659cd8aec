/// Instants as GeoPackage writes them.
package enum UTCText {
  /// `1970-01-01T00:00:00.000Z` and so on; seconds outside the years 0 to 9999 count as their ends.
  ///
  /// The calendar's cycle of 400 years, counted in years that begin in March so that the leap day
  /// is the last; Fliegel and Van Flandern, Communications of the ACM 11 (1968), 657.
  package static func text(secondsSince1970 seconds: Int, milliseconds: Int = 0) -> String {
    let seconds = min(max(seconds, -62_167_219_200), 253_402_300_799)
    // Days since 0000-03-01, after which everything is positive for years from 1 on.
    let second = ((seconds % 86_400) + 86_400) % 86_400
    let day = (seconds - second) / 86_400 + 719_468 + 146_097
    let cycle = day / 146_097
    let dayOfCycle = day % 146_097
    let yearOfCycle =
      (dayOfCycle - dayOfCycle / 1_460 + dayOfCycle / 36_524 - dayOfCycle / 146_096) / 365
    let dayOfYear = dayOfCycle - (365 * yearOfCycle + yearOfCycle / 4 - yearOfCycle / 100)
    let marchMonth = (5 * dayOfYear + 2) / 153
    let dayOfMonth = dayOfYear - (153 * marchMonth + 2) / 5 + 1
    let month = marchMonth < 10 ? marchMonth + 3 : marchMonth - 9
    let year = yearOfCycle + cycle * 400 - 400 + (month <= 2 ? 1 : 0)
    let date = "\(padded(year, 4))-\(padded(month, 2))-\(padded(dayOfMonth, 2))"
    let time =
      "\(padded(second / 3600, 2)):\(padded(second / 60 % 60, 2)):\(padded(second % 60, 2))"
    return "\(date)T\(time).\(padded(min(max(milliseconds, 0), 999), 3))Z"
  }

  private static func padded(_ number: Int, _ width: Int) -> String {
    let digits = String(number)
    return String(repeating: "0", count: max(0, width - digits.count)) + digits
  }
}
