import Calendar

/// A pattern in the style of `strptime` for the time in the name of a file.
///
/// | Directive | Meaning |
/// |---|---|
/// | `%Y` `%y` | the year, 4 digits; 2 digits, 69 … 99 of the 20th century, as in POSIX |
/// | `%m` `%b` | the month, 2 digits; 3 letters of its English name |
/// | `%d` `%j` | the day, 2 digits; of the year, 3 digits |
/// | `%H` `%M` `%S` | hour, minute, second, 2 digits each |
/// | `%s` | seconds since 1970 |
/// | `%z` `%Z` | `Z`, `+01`, `+0100` or `+01:00`; `Z`, `UTC` or `GMT` |
/// | `%F` `%T` | `%Y-%m-%d`; `%H:%M:%S` |
/// | `%%` | a percent sign |
///
/// All other characters are literal. Fields that the pattern lacks are 0, or 1 for month and day;
/// without a zone the time is UTC. 24:00 and a leap second are the first second of the next day.
package struct TimePattern: Hashable, Sendable, CustomStringConvertible {
  enum Part: Hashable, Sendable {
    case literal(UInt8)
    case field(Field)
  }

  /// A directive by its letter.
  enum Field: UInt8, Hashable, Sendable {
    case year = 0x59  // Y
    case shortYear = 0x79  // y
    case month = 0x6D  // m
    case monthName = 0x62  // b
    case day = 0x64  // d
    case dayOfYear = 0x6A  // j
    case hour = 0x48  // H
    case minute = 0x4D  // M
    case second = 0x53  // S
    case epoch = 0x73  // s
    case offset = 0x7A  // z
    case zone = 0x5A  // Z

    var isNumber: Bool { self != .monthName && self != .offset && self != .zone }
  }

  /// The pattern as it was written.
  package let description: String

  let parts: [Part]

  /// - Parameter isPartial: whether the pattern is only used for formatting, and may omit parts.
  /// - Throws: ``SeriesError`` if a directive is unknown or missing, or if two are contradictory.
  package init(_ text: String, isPartial: Bool = false) throws(SeriesError) {
    description = text
    guard text.utf8.count <= 1000 else {
      throw SeriesError(
        .badPattern, "the time pattern has \(text.utf8.count) bytes; write at most 1000.")
    }
    var parts: [Part] = []
    var bytes = Array(text.utf8).makeIterator()
    while let byte = bytes.next() {
      guard byte == UInt8(ascii: "%") else {
        parts.append(.literal(byte))
        continue
      }
      parts += try Self.directive(bytes.next(), in: text)
    }
    self.parts = parts
    if !isPartial { try checkFields() }
  }

  private static func directive(
    _ letter: UInt8?, in text: String
  ) throws(SeriesError) -> [Part] {
    let dash = Part.literal(UInt8(ascii: "-"))
    let colon = Part.literal(UInt8(ascii: ":"))
    switch letter {
    case UInt8(ascii: "%"): return [.literal(UInt8(ascii: "%"))]
    case UInt8(ascii: "F"): return [.field(.year), dash, .field(.month), dash, .field(.day)]
    case UInt8(ascii: "T"):
      return [.field(.hour), colon, .field(.minute), colon, .field(.second)]
    default: break
    }
    guard let field = letter.flatMap(Field.init(rawValue:)) else {
      let name =
        letter.map { $0 < 0x80 ? "%\(Character(Unicode.Scalar($0)))" : "%…" } ?? "% at the end"
      throw SeriesError(
        .badPattern,
        "the time pattern '\(text)' has \(name), which is unknown; the directives are %Y %y %m %b "
          + "%d %j %H %M %S %s %z %Z %F %T %%.")
    }
    return [.field(field)]
  }

  private func checkFields() throws(SeriesError) {
    let fields = parts.compactMap { part in
      if case .field(let field) = part { field } else { nil }
    }
    let present = Set(fields)
    func refuse(_ reason: String) -> SeriesError {
      SeriesError(.badPattern, "the time pattern '\(description)' \(reason).")
    }
    guard present.count == fields.count else { throw refuse("has one directive twice") }
    if present.contains(.epoch) {
      guard fields.count == 1 else { throw refuse("has %s, which allows no other directive") }
      return
    }
    let isDate = present.contains(.year) || present.contains(.shortYear)
    guard isDate else { throw refuse("has no year; add %Y, or use %s") }
    for (one, other) in [
      (Field.year, Field.shortYear), (.month, .monthName), (.dayOfYear, .month),
      (.dayOfYear, .monthName), (.dayOfYear, .day), (.offset, .zone),
    ] where present.contains(one) && present.contains(other) {
      throw refuse("says one thing twice, by \(one.name) and \(other.name)")
    }
    // A missing coarser field would silently become its first value.
    if present.contains(.day), !present.contains(.month), !present.contains(.monthName) {
      throw refuse("has a day but no month; add %m")
    }
    let clock: [Field] = [.hour, .minute, .second]
    let hasDay = present.contains(.day) || present.contains(.dayOfYear)
    if clock.contains(where: present.contains), !hasDay {
      throw refuse("has a time of day but no day; add %d")
    }
    for (finer, coarser) in [(Field.minute, Field.hour), (.second, .minute)]
    where present.contains(finer) && !present.contains(coarser) {
      throw refuse("has \(finer.name) but no \(coarser.name)")
    }
  }

  /// Returns a time, in UTC, in the pattern's format.
  package func format(_ time: FrameTime) -> String {
    let fields = CalendarFields(seconds: time.seconds)
    var bytes: [UInt8] = []
    for part in parts {
      switch part {
      case .literal(let byte): bytes.append(byte)
      case .field(let field): bytes.append(contentsOf: field.text(fields, time).utf8)
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}

extension TimePattern.Field {
  /// The directive as spelled in patterns.
  var name: String { "%\(Character(Unicode.Scalar(rawValue)))" }

  fileprivate func text(_ fields: CalendarFields, _ time: FrameTime) -> String {
    switch self {
    case .year: CivilCalendar.padded(fields.year, to: 4)
    case .shortYear: CivilCalendar.padded(fields.year % 100)
    case .month: CivilCalendar.padded(fields.month)
    case .monthName: CivilCalendar.monthNames[fields.month - 1]
    case .day: CivilCalendar.padded(fields.day)
    case .dayOfYear: CivilCalendar.padded(fields.dayOfYear, to: 3)
    case .hour: CivilCalendar.padded(fields.hour)
    case .minute: CivilCalendar.padded(fields.minute)
    case .second: CivilCalendar.padded(fields.second)
    case .epoch: String(time.seconds)
    case .offset: "+0000"
    case .zone: "UTC"
    }
  }
}
