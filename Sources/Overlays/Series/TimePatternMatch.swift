import Calendar

extension TimePattern {
  /// Returns the time in a name, of which the pattern matches a part.
  ///
  /// Only the last component of a path is examined, unless the pattern has a slash. A number at the
  /// pattern's end must be a whole number in the name: `%Y%m%d` does not match `201401190600`, so
  /// that no hour is lost silently.
  ///
  /// - Throws: ``SeriesError`` if no part matches, with the place of the longest match, or if two
  ///   parts match with different times.
  /// - Complexity: O(length of the name · length of the pattern).
  package func time(in name: String) throws(SeriesError) -> FrameTime {
    let whole = Array(name.utf8)
    let slash = UInt8(ascii: "/")
    var first = 0
    if !parts.contains(.literal(slash)) {
      first = (whole.lastIndex(of: slash) ?? -1) + 1
    }
    var found: FrameTime?
    var nearest: (failure: TimeScanner.Mismatch, progress: Int)?
    var start = first
    while start <= whole.count {
      var scanner = TimeScanner(whole, at: start)
      switch Result(catching: { () throws(TimeScanner.Mismatch) in try match(&scanner) }) {
      case .success(let time):
        if let found, found != time {
          throw SeriesError(
            .badTime,
            "'\(Self.shown(name))' holds two times of the form '\(description)', \(found) and "
              + "\(time); write more of the name into the pattern.")
        }
        found = time
        start = max(scanner.position, start + 1)
      case .failure(let failure):
        let progress = scanner.position - start
        if progress > nearest?.progress ?? -1 { nearest = (failure, progress) }
        start += 1
      }
    }
    if let found { return found }
    throw failure(name, nearest?.failure)
  }

  private func failure(_ name: String, _ nearest: TimeScanner.Mismatch?) -> SeriesError {
    let reason = nearest.map { "; at character \($0.position + 1), \($0.reason)" } ?? ""
    return SeriesError(
      .badTime,
      "'\(Self.shown(name))' holds no time of the form '\(description)'\(reason).")
  }

  /// Returns a name for messages, truncated if it is long.
  private static func shown(_ name: String) -> String {
    name.utf8.count <= 200 ? name : String(name.prefix(100)) + "…"
  }

  /// Matches the whole pattern at the scanner's position.
  private func match(_ scanner: inout TimeScanner) throws(TimeScanner.Mismatch) -> FrameTime {
    let bytes = scanner.bytes
    let start = scanner.position
    if case .field(let field)? = parts.first, field.isNumber, start > 0,
      TimeScanner.isDigit(bytes[start - 1])
    {
      throw .init(position: start, reason: "a number goes on where the pattern begins")
    }
    var reading = TimeReading()
    for part in parts {
      switch part {
      case .literal(let byte):
        guard scanner.next == byte else {
          throw .init(
            position: scanner.position, reason: "expected '\(Character(Unicode.Scalar(byte)))'")
        }
        scanner.position += 1
      case .field(let field): try reading.take(field, from: &scanner)
      }
    }
    if case .field(let field)? = parts.last, field.isNumber,
      scanner.next.map(TimeScanner.isDigit) == true
    {
      throw .init(position: scanner.position, reason: "a number goes on where the pattern ends")
    }
    guard let time = reading.time else {
      throw .init(position: start, reason: reading.fault)
    }
    return time
  }
}

/// The parts of a time read so far while a pattern is matched.
private struct TimeReading {
  var fields = CalendarFields()
  var dayOfYear: Int?
  var offset = 0
  var epoch: Int64?

  /// The instant; `nil` if the day does not exist, or if it lies outside the years 1 … 9999.
  var time: FrameTime? {
    if let epoch { return FrameTime(seconds: epoch) }
    guard fields.clockFault == nil else { return nil }
    var fields = fields
    if let dayOfYear {
      guard dayOfYear <= CivilCalendar.days(in: fields.year) else { return nil }
      fields.setDay(ofYear: dayOfYear)
    }
    guard fields.day <= CivilCalendar.days(of: fields.month, in: fields.year) else { return nil }
    return FrameTime(seconds: fields.seconds - Int64(offset))
  }

  /// The reason why there is no time.
  var fault: String {
    if epoch != nil { return "these seconds lie outside of the years 1 to 9999" }
    if let fault = fields.clockFault { return fault }
    let year = CivilCalendar.padded(fields.year, to: 4)
    if let dayOfYear, dayOfYear > CivilCalendar.days(in: fields.year) {
      return "the year \(year) has no day \(dayOfYear)"
    }
    guard fields.day > CivilCalendar.days(of: fields.month, in: fields.year) else {
      return "this is a time beyond the years 1 to 9999"
    }
    return "there is no day \(fields.dateText)"
  }

  mutating func take(
    _ field: TimePattern.Field, from scanner: inout TimeScanner
  ) throws(TimeScanner.Mismatch) {
    switch field {
    case .year: fields.year = try scanner.number("a year", width: 4, in: 1...9999)
    case .shortYear:
      let year = try scanner.number("a year", width: 2, in: 0...99)
      fields.year = year < 69 ? 2000 + year : 1900 + year
    case .month: fields.month = try scanner.number("a month", width: 2, in: 1...12)
    case .monthName: fields.month = try Self.monthName(&scanner)
    case .day: fields.day = try scanner.number("a day", width: 2, in: 1...31)
    case .dayOfYear: dayOfYear = try scanner.number("a day of the year", width: 3, in: 1...366)
    case .hour: fields.hour = try scanner.number("an hour", width: 2, in: 0...24)
    case .minute: fields.minute = try scanner.number("a minute", width: 2, in: 0...59)
    case .second: fields.second = try scanner.number("a second", width: 2, in: 0...60)
    case .epoch: epoch = try Self.epoch(&scanner)
    case .offset:
      guard let read = try scanner.zone() else {
        throw .init(position: scanner.position, reason: "expected a zone such as +0100 or Z")
      }
      offset = read
    case .zone: try Self.zoneName(&scanner)
    }
  }

  private static func monthName(_ scanner: inout TimeScanner) throws(TimeScanner.Mismatch) -> Int {
    let letters = scanner.bytes[scanner.position...].prefix(3).map { $0 | 0x20 }
    for (index, name) in CivilCalendar.monthNames.enumerated()
    where letters == name.utf8.map({ $0 | 0x20 }) {
      scanner.position += 3
      return index + 1
    }
    throw .init(position: scanner.position, reason: "expected a month such as Jan")
  }

  private static func zoneName(_ scanner: inout TimeScanner) throws(TimeScanner.Mismatch) {
    for name in ["UTC", "GMT", "Z"]
    where scanner.bytes[scanner.position...].starts(with: name.utf8) {
      scanner.position += name.utf8.count
      return
    }
    throw .init(position: scanner.position, reason: "expected UTC, GMT or Z")
  }

  /// Reads up to 12 digits, which reach beyond the year 9999.
  private static func epoch(_ scanner: inout TimeScanner) throws(TimeScanner.Mismatch) -> Int64 {
    let start = scanner.position
    let isNegative = scanner.take(anyOf: "-") != nil
    var value: Int64 = 0
    var digits = 0
    while digits < 12, let next = scanner.next, TimeScanner.isDigit(next) {
      value = value * 10 + Int64(next - UInt8(ascii: "0"))
      digits += 1
      scanner.position += 1
    }
    guard digits > 0 else { throw .init(position: start, reason: "expected seconds since 1970") }
    return isNegative ? -value : value
  }
}
