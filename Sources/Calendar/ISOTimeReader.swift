/// The reader of instants in all forms of ISO 8601 that data, conditions and lists of frames have.
///
/// `2014-01-19`, `2014-01-19T06`, `2014-01-19 6:00`, `2014-01-19 06:00:00.000Z`, `2014-1-9 06:00 UTC`,
/// `20140119T0600+0100` and the like. A time without a zone is UTC, a leap second is the second after
/// it, and 24:00 is the next day's midnight.
package struct ISOTimeReader {
  /// The seconds since 1970-01-01T00:00:00Z that the years 1 … 9999 span.
  package static let range: ClosedRange<Int64> = -62_135_596_800...253_402_300_799

  /// The instant of a text, and the parts that the text gives.
  package struct Reading: Sendable {
    /// Seconds since 1970-01-01T00:00:00Z.
    package var seconds: Int64
    /// The nanoseconds within the second; smaller digits are dropped.
    package var nanoseconds: Int64 = 0
    /// Whether there is a time of day.
    package var hasClock = false
    /// Whether the zone is named.
    package var hasZone = false
  }

  /// The reason why a text is no instant.
  private enum Fault {
    case digits(StaticString, Int)
    case outside(StaticString, Int, ClosedRange<Int>)
    case expected(StaticString)
  }

  private let bytes: UnsafeRawBufferPointer
  private var index = 0
  private var fault: (position: Int, fault: Fault)?

  private init(_ bytes: UnsafeRawBufferPointer) { self.bytes = bytes }

  /// Returns the instant of a text, `nil` if it is not one; nothing is allocated.
  package static func read(_ bytes: UnsafeRawBufferPointer) -> Reading? {
    var reader = ISOTimeReader(bytes)
    return reader.instant()
  }

  /// - Returns: seconds since 1970-01-01T00:00:00Z; fractions are dropped.
  /// - Throws: the place in the text that is wrong; also for an instant outside of ``range``.
  package static func seconds(_ text: String) throws(TimeScanner.Mismatch) -> Int64 {
    var text = text
    let (reading, mismatch) = text.withUTF8 { bytes in
      var reader = ISOTimeReader(UnsafeRawBufferPointer(bytes))
      return (reader.instant(), reader.mismatch)
    }
    guard let reading else { throw mismatch }
    guard range.contains(reading.seconds) else {
      throw .init(position: 0, reason: "it lies outside of the years 1 to 9999")
    }
    return reading.seconds
  }

  private var mismatch: TimeScanner.Mismatch {
    let reason =
      switch fault?.fault {
      case .digits(let name, let width): "expected \(name) of \(width) digits"
      case .outside(let name, let value, let range):
        "\(name) \(value) lies outside \(range.lowerBound) … \(range.upperBound)"
      case .expected(let what): "expected \(what)"
      case nil: "it is no time"
      }
    return TimeScanner.Mismatch(position: fault?.position ?? 0, reason: reason)
  }

  // MARK: Parts

  private mutating func instant() -> Reading? {
    guard let year = number("a year", 4...4, in: 0...9999) else { return nil }
    let isExtended = take("-")
    let width = isExtended ? 1...2 : 2...2
    guard let month = number("a month", width, in: 1...12) else { return nil }
    if isExtended, !take("-") { return fail(.expected("'-' and the day")) }
    let days = CivilCalendar.days(of: month, in: year)
    guard let day = number("a day", width, in: 1...days) else { return nil }
    let number = CivilCalendar.dayNumber(year: year, month: month, day: day)
    var reading = Reading(seconds: Int64(number * CivilCalendar.secondsPerDay))
    if index == bytes.count { return reading }
    if take("T") || take("t") || take(" ") {
      guard clock(&reading) else { return nil }
    } else if take("Z") || take("z") {
      reading.hasZone = true
    } else {
      return fail(.expected("T and the time of day"))
    }
    return index == bytes.count ? reading : fail(.expected("the end"))
  }

  /// Reads the time of day and its zone.
  private mutating func clock(_ reading: inout Reading) -> Bool {
    reading.hasClock = true
    let start = index
    let hasOneDigit = index + 1 < bytes.count && bytes[index + 1] == UInt8(ascii: ":")
    guard let hour = number("an hour", hasOneDigit ? 1...1 : 2...2, in: 0...24) else {
      return false
    }
    var (minute, second) = (0, 0)
    let isExtended = take(":")
    if isExtended || isAtDigit {
      guard let value = number("a minute", 2...2, in: 0...59) else { return false }
      minute = value
      if isExtended ? take(":") : isAtDigit {
        guard let value = number("a second", 2...2, in: 0...60) else { return false }
        second = value
        if take(".") || take(",") {
          guard let fraction = fraction() else { return false }
          reading.nanoseconds = fraction
        }
      }
    }
    if hour == 24, minute != 0 || second != 0 || reading.nanoseconds != 0 {
      index = start
      return fail(.expected("00:00 after the hour 24")) != nil
    }
    reading.seconds += Int64(hour * 3600 + minute * 60 + second)
    return zone(&reading)
  }

  /// Reads `Z`, `UTC`, `+01`, `+0100` or `-01:30`, if one follows.
  private mutating func zone(_ reading: inout Reading) -> Bool {
    if index == bytes.count { return true }
    _ = take(" ")
    reading.hasZone = true
    if take("Z") || take("z") || takeWord("UTC") || takeWord("GMT") { return true }
    let isWest = take("-")
    guard isWest || take("+") else { return fail(.expected("the end")) != nil }
    guard let hours = number("hour of the offset", 2...2, in: 0...23) else { return false }
    var offset = hours * 3600
    if take(":") || isAtDigit {
      guard let minutes = number("minute of the offset", 2...2, in: 0...59) else { return false }
      offset += minutes * 60
    }
    reading.seconds -= Int64(isWest ? -offset : offset)
    return true
  }

  // MARK: Characters

  private mutating func fail(_ reason: Fault) -> Reading? {
    fault = (index, reason)
    return nil
  }

  private var isAtDigit: Bool { index < bytes.count && bytes[index] &- UInt8(ascii: "0") < 10 }

  private mutating func take(_ letter: Unicode.Scalar) -> Bool {
    guard index < bytes.count, bytes[index] == UInt8(ascii: letter) else { return false }
    index += 1
    return true
  }

  private mutating func takeWord(_ word: StaticString) -> Bool {
    guard word.withUTF8Buffer({ bytes[index...].starts(with: $0) }) else { return false }
    index += word.utf8CodeUnitCount
    return true
  }

  /// Reads a number of some digits that lies in a range.
  private mutating func number(
    _ name: StaticString, _ width: ClosedRange<Int>, in range: ClosedRange<Int>
  ) -> Int? {
    let start = index
    var value = 0
    while index - start < width.upperBound, isAtDigit {
      value = value * 10 + Int(bytes[index] &- UInt8(ascii: "0"))
      index += 1
    }
    guard index - start >= width.lowerBound else {
      fault = (index, .digits(name, width.upperBound))
      return nil
    }
    guard range.contains(value) else {
      fault = (start, .outside(name, value, range))
      return nil
    }
    return value
  }

  /// Reads a fraction of one second; returns nanoseconds.
  private mutating func fraction() -> Int64? {
    let start = index
    var unit: Int64 = 100_000_000
    var value: Int64 = 0
    while isAtDigit {
      value += Int64(bytes[index] &- UInt8(ascii: "0")) * unit
      unit /= 10
      index += 1
    }
    guard index > start else {
      fault = (start, .expected("a fraction of a second"))
      return nil
    }
    return value
  }
}
