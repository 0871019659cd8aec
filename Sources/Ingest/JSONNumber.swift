/// Numbers by the grammar of RFC 8259: `-?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][+-]?[0-9]+)?`.
///
/// Values are correctly rounded: what `strtod` gives. Nearly all of them come from 64-bit
/// arithmetic; the rest goes to the standard library.
enum JSONNumber {
  /// What stands at the start of some bytes.
  struct Scan {
    /// The bytes of the number, or before the byte that breaks the grammar.
    var length: Int
    /// Infinite where the number is beyond the range of a Double; NaN for no number.
    var value: Double
  }

  /// Reads a number that begins at `start` and ends at the first byte that cannot belong to it.
  ///
  /// - Precondition: some readable byte behind the start belongs to no number.
  @inline(__always)
  static func scan(_ start: UnsafePointer<UInt8>) -> Scan {
    var next = start
    let isNegative = next.pointee == JSONByte.minus
    if isNegative { next += 1 }
    let integer = next
    var mantissa: UInt64 = 0
    readDigits(&next, &mantissa)
    var digits = next - integer
    guard digits > 0 else { return Scan(length: next - start, value: .nan) }
    if integer.pointee == JSONByte.zero, digits > 1 {
      return Scan(length: integer + 1 - start, value: .nan)
    }
    var exponent = 0
    if next.pointee == JSONByte.point {
      next += 1
      let fraction = next
      readDigits(&next, &mantissa)
      guard next > fraction else { return Scan(length: next - start, value: .nan) }
      digits += next - fraction
      exponent = fraction - next
    }
    if next.pointee | 0x20 == UInt8(ascii: "e") {
      guard readExponent(&next, &exponent) else {
        return Scan(length: next - start, value: .nan)
      }
    }
    // Nineteen digits fit 64 bits; with more, the mantissa has wrapped around.
    let magnitude =
      (digits <= 19 ? fast(mantissa, exponent) : nil)
      ?? slow(UnsafeBufferPointer(start: integer, count: next - integer))
    return Scan(length: next - start, value: isNegative ? -magnitude : magnitude)
  }

  @inline(__always)
  private static func readDigits(_ next: inout UnsafePointer<UInt8>, _ mantissa: inout UInt64) {
    var digit = next.pointee &- JSONByte.zero
    while digit < 10 {
      mantissa = mantissa &* 10 &+ UInt64(digit)
      next += 1
      digit = next.pointee &- JSONByte.zero
    }
  }

  /// Adds the exponent that begins with the `e` at `next`; false where the grammar breaks.
  private static func readExponent(
    _ next: inout UnsafePointer<UInt8>, _ exponent: inout Int
  ) -> Bool {
    next += 1
    let isNegative = next.pointee == JSONByte.minus
    if isNegative || next.pointee == JSONByte.plus { next += 1 }
    let first = next
    var value = 0
    while next.pointee &- JSONByte.zero < 10 {
      value = min(value * 10 + Int(next.pointee &- JSONByte.zero), 1_000_000)
      next += 1
    }
    exponent += isNegative ? -value : value
    return next > first
  }

  /// mantissa × 10^exponent where 64-bit arithmetic gives it correctly rounded.
  ///
  /// A mantissa up to 2^53 and a power up to 10^22 are exact doubles, so one operation rounds once
  /// (W. D. Clinger, How to read floating point numbers accurately, 1990).
  @inline(__always)
  static func fast(_ mantissa: UInt64, _ exponent: Int) -> Double? {
    if mantissa <= 1 << 53, exponent >= -22, exponent <= 22 {
      let value = Double(mantissa)
      return exponent < 0 ? value / doublePowers[-exponent] : value * doublePowers[exponent]
    }
    if exponent <= 0, exponent >= -19 { return quotient(mantissa, integerPowers[-exponent]) }
    return mantissa == 0 ? 0 : nil
  }

  /// mantissa / divisor, rounded once, half to even.
  ///
  /// Both are shifted until their top bits are set; the quotient of 128 by 64 bits then has at
  /// least 63 bits, ten more than a Double keeps, and the remainder joins as the last of them so
  /// that the conversion cannot see a tie that is none.
  ///
  /// - Precondition: neither is 0.
  private static func quotient(_ mantissa: UInt64, _ divisor: UInt64) -> Double {
    let numeratorShift = mantissa.leadingZeroBitCount
    let divisorShift = divisor.leadingZeroBitCount
    let numerator = mantissa << UInt64(numeratorShift)
    let (quotient, remainder) = (divisor << UInt64(divisorShift))
      .dividingFullWidth((numerator >> 1, numerator << 63))
    let scale = UInt64(1023 - 63 + divisorShift - numeratorShift)
    return Double(quotient | (remainder == 0 ? 0 : 1)) * Double(bitPattern: scale << 52)
  }

  /// The value of an unsigned number whose grammar has been checked.
  private static func slow(_ text: UnsafeBufferPointer<UInt8>) -> Double {
    Double(String(decoding: text, as: UTF8.self)) ?? .infinity
  }

  private static let doublePowers: [Double] = [
    1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16,
    1e17, 1e18, 1e19, 1e20, 1e21, 1e22,
  ]

  private static let integerPowers: [UInt64] = [
    1, 10, 100, 1000, 10000, 100_000, 1_000_000, 10_000_000, 100_000_000, 1_000_000_000,
    10_000_000_000, 100_000_000_000, 1_000_000_000_000, 10_000_000_000_000, 100_000_000_000_000,
    1_000_000_000_000_000, 10_000_000_000_000_000, 100_000_000_000_000_000,
    1_000_000_000_000_000_000, 10_000_000_000_000_000_000,
  ]
}

extension JSONTokenizer {
  /// Reads the number whose first byte ``peek()`` just saw; infinite where it is beyond a Double.
  package mutating func readNumber() throws(JSONFailure) -> Double {
    while true {
      let scan = JSONNumber.scan(base + cursor)
      let length = scan.length
      guard length <= limits.numberBytes else {
        throw JSONFailure(.text, place(), "a number longer than \(limits.numberBytes) bytes")
      }
      if cursor + length >= end, try refill(from: cursor) { continue }
      guard !scan.value.isNaN else {
        cursor += length
        throw unexpected("a digit of a number")
      }
      cursor += length
      awaited = .separator
      return scan.value
    }
  }

  /// Reads `true`, `false` or `null`, or says that no value begins here.
  package mutating func readLiteral() throws(JSONFailure) -> JSONLiteral {
    let literal: JSONLiteral
    switch try peek() {
    case UInt8(ascii: "t"): literal = .true
    case UInt8(ascii: "f"): literal = .false
    case UInt8(ascii: "n"): literal = .null
    default: throw unexpected("a value")
    }
    let word = literal.word
    guard try ensure(word.utf8CodeUnitCount),
      UnsafeRawBufferPointer(start: base + cursor, count: word.utf8CodeUnitCount).holds(word)
    else { throw unexpected("a value (true, false and null in lower case)") }
    cursor += word.utf8CodeUnitCount
    awaited = .separator
    return literal
  }
}

/// The three words of JSON.
package enum JSONLiteral: Sendable {
  case null
  case `false`
  case `true`

  var word: StaticString {
    switch self {
    case .null: "null"
    case .false: "false"
    case .true: "true"
    }
  }
}

extension UnsafeRawBufferPointer {
  /// Whether the bytes are those of the word.
  @inline(__always)
  func holds(_ word: StaticString) -> Bool {
    guard count == word.utf8CodeUnitCount else { return false }
    for index in 0..<count where self[index] != word.utf8Start[index] { return false }
    return true
  }
}
