/// A scanner that reads the parts of a time from a text and keeps its position.
package struct TimeScanner {
  /// The expected part and its byte offset in the text.
  package struct Mismatch: Error, Hashable {
    package var position: Int

    /// The expectation, such as "expected a month of 2 digits".
    package var reason: String

    package init(position: Int, reason: String) {
      self.position = position
      self.reason = reason
    }
  }

  package let bytes: [UInt8]
  package var position: Int

  package init(_ bytes: [UInt8], at position: Int = 0) {
    self.bytes = bytes
    self.position = position
  }

  package var isAtEnd: Bool { position >= bytes.count }
  package var next: UInt8? { isAtEnd ? nil : bytes[position] }

  package static func isDigit(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
  }

  /// Consumes one of the given characters and returns it.
  package mutating func take(anyOf characters: StaticString) -> UInt8? {
    guard let next, characters.withUTF8Buffer({ $0.contains(next) }) else { return nil }
    position += 1
    return next
  }

  /// Consumes a number of exactly `width` digits, at most 4, that must lie in a range.
  package mutating func number(
    _ name: String, width: Int, in range: ClosedRange<Int>
  ) throws(Mismatch) -> Int {
    let start = position
    var value = 0
    for _ in 0..<width {
      guard let next, Self.isDigit(next) else {
        throw Mismatch(position: position, reason: "expected \(name) of \(width) digits")
      }
      value = value * 10 + Int(next - UInt8(ascii: "0"))
      position += 1
    }
    guard range.contains(value) else {
      throw Mismatch(
        position: start,
        reason: "\(name) \(value) lies outside \(range.lowerBound) … \(range.upperBound)")
    }
    return value
  }

  /// Consumes `Z`, `+01`, `+0100` or `-01:30` and returns seconds east of Greenwich; `nil` if no
  /// zone follows.
  package mutating func zone() throws(Mismatch) -> Int? {
    if take(anyOf: "Zz") != nil { return 0 }
    guard let sign = take(anyOf: "+-") else { return nil }
    let hours = try number("hour of the offset", width: 2, in: 0...23)
    var minutes = 0
    let hasColon = take(anyOf: ":") != nil
    if hasColon || next.map(Self.isDigit) == true {
      minutes = try number("minute of the offset", width: 2, in: 0...59)
    }
    let offset = hours * 3600 + minutes * 60
    return sign == UInt8(ascii: "-") ? -offset : offset
  }
}
