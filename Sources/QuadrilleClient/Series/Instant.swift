import Foundation

/// Instants as manifests write them: `2014-01-19T06:15:00Z`.
enum Instant {
  /// Returns the instant of a text in UTC.
  ///
  /// `24:00:00` is the beginning of the next day; a leap second counts as the second after it.
  static func date(_ text: String) throws(ManifestFault) -> Date {
    let bytes = Array(text.utf8)
    func number(_ range: Range<Int>) -> Int? {
      guard bytes.count >= range.upperBound,
        bytes[range].allSatisfy({ (48...57).contains($0) })
      else { return nil }
      return bytes[range].reduce(0) { $0 * 10 + Int($1 - 48) }
    }
    func sign(_ index: Int, _ sign: Character) -> Bool {
      bytes.indices.contains(index) && bytes[index] == sign.asciiValue
    }
    guard let year = number(0..<4), sign(4, "-"), let month = number(5..<7), sign(7, "-"),
      let day = number(8..<10), sign(10, "T"), let hour = number(11..<13), sign(13, ":"),
      let minute = number(14..<16), sign(16, ":"), let second = number(17..<19),
      let fraction = fraction(bytes.dropFirst(19)),
      (1...12).contains(month), (1...31).contains(day), hour <= 24, minute < 60, second <= 60
    else { throw ManifestFault(reason: "it has '\(text)' as a time") }
    let seconds = ((days(year, month, day) * 24 + hour) * 60 + minute) * 60 + second
    return Date(timeIntervalSince1970: Double(seconds) + fraction)
  }

  /// Returns the fraction of a second before the final `Z`.
  private static func fraction(_ bytes: ArraySlice<UInt8>) -> Double? {
    guard bytes.last == UInt8(ascii: "Z") else { return nil }
    let digits = bytes.dropLast()
    if digits.isEmpty { return 0 }
    guard digits.first == UInt8(ascii: "."), digits.count > 1 else { return nil }
    return Double("0" + String(decoding: digits, as: UTF8.self))
  }

  /// Returns the days since 1970-01-01 in the Gregorian calendar.
  ///
  /// Source: Howard Hinnant, "chrono-Compatible Low-Level Date Algorithms", `days_from_civil`.
  private static func days(_ year: Int, _ month: Int, _ day: Int) -> Int {
    let shifted = month <= 2 ? year - 1 : year
    let era = (shifted >= 0 ? shifted : shifted - 399) / 400
    let yearOfEra = shifted - era * 400
    let dayOfYear = (153 * ((month + 9) % 12) + 2) / 5 + day - 1
    return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
  }
}
