/// A reader of the forms of ISO 8601 that a time in a list or a document may have.
///
/// `2014-01-19`, `2014-01-19T06`, `2014-01-19T06:00`, `2014-01-19 06:00:00.000Z`,
/// `20140119T0600+0100` and the like. A time without a zone is UTC, and fractional seconds are
/// dropped.
package enum ISOTimeReader {
  /// The seconds since 1970-01-01T00:00:00Z that the years 1 … 9999 span.
  package static let range: ClosedRange<Int64> = -62_135_596_800...253_402_300_799

  /// - Returns: seconds since 1970-01-01T00:00:00Z.
  package static func seconds(_ text: String) throws(TimeScanner.Mismatch) -> Int64 {
    var scanner = TimeScanner(Array(text.utf8))
    let seconds = try seconds(&scanner)
    guard scanner.isAtEnd else {
      throw .init(position: scanner.position, reason: "expected the end")
    }
    return seconds
  }

  private static func seconds(
    _ scanner: inout TimeScanner
  ) throws(TimeScanner.Mismatch) -> Int64 {
    var fields = CalendarFields()
    try readDate(&scanner, &fields)
    var isNextDay = false
    var offset = 0
    if scanner.take(anyOf: "Tt ") != nil {
      isNextDay = try readClock(&scanner, &fields)
      offset = try scanner.zone() ?? 0
    } else if scanner.take(anyOf: "Zz") == nil, !scanner.isAtEnd {
      throw .init(position: scanner.position, reason: "expected T and the time of day")
    }
    let seconds =
      fields.seconds + Int64((isNextDay ? CivilCalendar.secondsPerDay : 0) - offset)
    guard range.contains(seconds) else {
      throw .init(position: 0, reason: "it lies outside of the years 1 to 9999")
    }
    return seconds
  }

  private static func readDate(
    _ scanner: inout TimeScanner, _ fields: inout CalendarFields
  ) throws(TimeScanner.Mismatch) {
    fields.year = try scanner.number("a year", width: 4, in: 1...9999)
    let isExtended = scanner.take(anyOf: "-") != nil
    fields.month = try scanner.number("a month", width: 2, in: 1...12)
    if isExtended, scanner.take(anyOf: "-") == nil {
      throw .init(position: scanner.position, reason: "expected '-' and the day")
    }
    let days = CivilCalendar.days(of: fields.month, in: fields.year)
    fields.day = try scanner.number("a day", width: 2, in: 1...days)
  }

  /// Reads the time of day; returns whether it is 24:00, which is the next day's midnight.
  private static func readClock(
    _ scanner: inout TimeScanner, _ fields: inout CalendarFields
  ) throws(TimeScanner.Mismatch) -> Bool {
    let start = scanner.position
    let hour = try scanner.number("an hour", width: 2, in: 0...24)
    let isExtended = scanner.take(anyOf: ":") != nil
    if isExtended || scanner.next.map(TimeScanner.isDigit) == true {
      fields.minute = try scanner.number("a minute", width: 2, in: 0...59)
      let hasSeconds =
        isExtended
        ? scanner.take(anyOf: ":") != nil : scanner.next.map(TimeScanner.isDigit) == true
      if hasSeconds {
        fields.second = try scanner.number("a second", width: 2, in: 0...59)
        if scanner.take(anyOf: ".,") != nil { try skipFraction(&scanner) }
      }
    }
    guard hour == 24 else {
      fields.hour = hour
      return false
    }
    guard fields.minute == 0, fields.second == 0 else {
      throw .init(position: start, reason: "hour 24 is followed by other than 00:00")
    }
    return true
  }

  private static func skipFraction(_ scanner: inout TimeScanner) throws(TimeScanner.Mismatch) {
    let start = scanner.position
    while let next = scanner.next, TimeScanner.isDigit(next) { scanner.position += 1 }
    guard scanner.position > start else {
      throw .init(position: start, reason: "expected a fraction of a second")
    }
  }
}
