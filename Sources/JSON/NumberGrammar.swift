/// The single grammar of numbers in files: the one of JSON (RFC 8259, section 6).
///
/// Numbers have no leading `+` and no leading zeros, and digits on both sides of the point; nan,
/// inf and hexadecimal are invalid. So `01234` and `+1 305` are not numbers. The locale has no
/// influence.
@usableFromInline
package enum NumberGrammar {
  /// Returns the number that all of the bytes spell, or `nil`.
  ///
  /// - Complexity: O(n); about 5 ns for a coordinate.
  package static func parse(_ bytes: UnsafeRawBufferPointer) -> Double? {
    guard let prefix = parsePrefix(bytes), prefix.length == bytes.count else { return nil }
    return prefix.value
  }

  /// Whether a number is written as digits alone, optionally after a minus sign.
  ///
  /// - Parameter bytes: a number in this grammar.
  package static func isPlainInteger(_ bytes: UnsafeRawBufferPointer) -> Bool {
    let digits = bytes.first == UInt8(ascii: "-") ? bytes.dropFirst() : bytes[...]
    return digits.allSatisfy { $0 &- UInt8(ascii: "0") < 10 }
  }

  /// Whether a number is a plain integer that a Double may not distinguish from its neighbours,
  /// ±2⁵³ and beyond; as an identifier it keeps its digits.
  ///
  /// - Parameters:
  ///   - bytes: a number in this grammar.
  ///   - value: its value as a Double.
  package static func isLargeInteger(_ bytes: UnsafeRawBufferPointer, value: Double) -> Bool {
    value.magnitude >= 0x1p53 && isPlainInteger(bytes)
  }

  /// Returns the number at the front of the bytes and the number of bytes that spell it.
  ///
  /// - Returns: `nil` if no number begins there, if it is incomplete (`-`, `1.`, `1e`), or if it
  ///   exceeds the range of Double.
  package static func parsePrefix(
    _ bytes: UnsafeRawBufferPointer
  ) -> (value: Double, length: Int)? {
    let isNegative = !bytes.isEmpty && bytes[0] == UInt8(ascii: "-")
    var end = isNegative ? 1 : 0
    var mantissa: UInt64 = 0
    let start = end
    end = accumulate(bytes, from: start, into: &mantissa)
    guard end > start else { return nil }
    if bytes[start] == UInt8(ascii: "0"), end > start + 1 {
      // A leading zero is a number by itself; what follows is not part of it.
      return (isNegative ? -0.0 : 0, start + 1)
    }
    var digits = end - start
    var exponent = 0
    if end < bytes.count, bytes[end] == UInt8(ascii: ".") {
      let fraction = end + 1
      end = accumulate(bytes, from: fraction, into: &mantissa)
      guard end > fraction else { return nil }
      digits += end - fraction
      exponent = fraction - end
    }
    if end < bytes.count, bytes[end] | 0x20 == UInt8(ascii: "e") {
      guard let power = parseExponent(bytes, from: end + 1) else { return nil }
      exponent += power.value
      end = power.end
    }
    let magnitude =
      digits <= 19 ? scale(mantissa, byTenToThe: exponent) : nil
    guard let magnitude else { return parseSlowly(bytes, length: end) }
    return (isNegative ? -magnitude : magnitude, end)
  }

  /// Appends digits to the mantissa (wrapping: the caller uses it only up to 19 digits), eight at a
  /// time as long as the bytes reach.
  ///
  /// - Returns: the index of the first byte that is not a digit.
  @inline(__always)
  private static func accumulate(
    _ bytes: UnsafeRawBufferPointer, from start: Int, into mantissa: inout UInt64
  ) -> Int {
    var index = start
    while bytes.count &- index >= 8 {
      let word = UInt64(
        littleEndian: bytes.loadUnaligned(fromByteOffset: index, as: UInt64.self))
      let digits = word ^ 0x3030_3030_3030_3030
      // The top bit of each byte above 9, exact up to the lowest: a carry only goes upwards.
      let others = ((digits &+ 0x7676_7676_7676_7676) | digits) & 0x8080_8080_8080_8080
      let count = others.trailingZeroBitCount &>> 3
      if count == 0 { return index }
      // Zeros before the digits do not change their value.
      let value = eightDigits(digits &<< UInt64(truncatingIfNeeded: 64 &- 8 &* count))
      mantissa = mantissa &* wholePowersOfTen[count] &+ value
      index &+= count
      if count < 8 { return index }
    }
    while index < bytes.count {
      let digit = bytes[index] &- UInt8(ascii: "0")
      guard digit < 10 else { break }
      mantissa = mantissa &* 10 &+ UInt64(digit)
      index += 1
    }
    return index
  }

  /// Returns the number that eight digits spell, the first in the lowest byte: pairs, fours and
  /// eights are joined by one multiplication each (D. Lemire, "Quickly parsing eight digits", 2018).
  @inlinable @inline(__always)
  package static func eightDigits(_ digits: UInt64) -> UInt64 {
    let pairs = (digits &* 2561) &>> 8 & 0x00FF_00FF_00FF_00FF
    let fours = (pairs &* 6_553_601) &>> 16 & 0x0000_FFFF_0000_FFFF
    return (fours &* 42_949_672_960_001) &>> 32
  }

  /// Parses an exponent after its `e`; clamped at ±99,999, far beyond the range of Double.
  private static func parseExponent(
    _ bytes: UnsafeRawBufferPointer, from start: Int
  ) -> (value: Int, end: Int)? {
    var index = start
    guard index < bytes.count else { return nil }
    let isNegative = bytes[index] == UInt8(ascii: "-")
    if isNegative || bytes[index] == UInt8(ascii: "+") { index += 1 }
    let first = index
    var value = 0
    while index < bytes.count, case let digit = bytes[index] &- UInt8(ascii: "0"), digit < 10 {
      value = min(value * 10 + Int(digit), 99_999)
      index += 1
    }
    return index > first ? (isNegative ? -value : value, index) : nil
  }

  /// Returns mantissa · 10^exponent, correctly rounded, or `nil` if the fast paths do not apply.
  ///
  /// Up to 2⁵³ and 10²² both factors are exact, so one operation rounds once (Clinger, "How to read
  /// floating point numbers accurately", 1990). Longer mantissas with up to 19 decimals, common in
  /// printed coordinates, are divided as integers with a sticky remainder.
  @inline(__always)
  private static func scale(_ mantissa: UInt64, byTenToThe exponent: Int) -> Double? {
    if mantissa == 0 { return 0 }
    if mantissa <= 1 << 53 {
      if exponent == 0 { return Double(mantissa) }
      if exponent < 0, exponent >= -22 { return Double(mantissa) / powersOfTen[-exponent] }
      if exponent > 0, exponent <= 22 { return Double(mantissa) * powersOfTen[exponent] }
    }
    guard exponent <= 0, exponent >= -19 else { return nil }
    return divide(mantissa, by: wholePowersOfTen[-exponent])
  }

  /// Returns numerator / denominator, both above 0, rounded to nearest even.
  private static func divide(_ numerator: UInt64, by denominator: UInt64) -> Double {
    let up = numerator.leadingZeroBitCount
    let down = denominator.leadingZeroBitCount
    let high = numerator << UInt64(up)
    // The quotient has 63 or 64 bits, so its last bit lies below the rounding position and can
    // carry the fact that there was a remainder.
    let (quotient, remainder) = (denominator << UInt64(down)).dividingFullWidth(
      (high >> 1, high << 63))
    let sticky = quotient | (remainder == 0 ? 0 : 1)
    // A power of two between 2⁻¹²⁶ and 1: exact, and far from the subnormals.
    return Double(sticky) * Double(bitPattern: UInt64(1023 + down - up - 63) << 52)
  }

  /// Parses a text that matches the grammar; the library rounds it correctly at any length.
  private static func parseSlowly(
    _ bytes: UnsafeRawBufferPointer, length: Int
  ) -> (value: Double, length: Int)? {
    let text = String(decoding: bytes.prefix(length), as: UTF8.self)
    guard let value = Double(text), value.isFinite else { return nil }
    return (value, length)
  }

  private static let powersOfTen: [Double] = [
    1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16,
    1e17, 1e18, 1e19, 1e20, 1e21, 1e22,
  ]

  private static let wholePowersOfTen: [UInt64] = [
    1, 10, 100, 1000, 10_000, 100_000, 1_000_000, 10_000_000, 100_000_000, 1_000_000_000,
    10_000_000_000, 100_000_000_000, 1_000_000_000_000, 10_000_000_000_000, 100_000_000_000_000,
    1_000_000_000_000_000, 10_000_000_000_000_000, 100_000_000_000_000_000,
    1_000_000_000_000_000_000, 10_000_000_000_000_000_000,
  ]
}
