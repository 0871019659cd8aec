import JSON

/// A fast path for coordinates as nearly all files spell them: a few digits, a point, a few digits.
///
/// It reads what ``NumberGrammar`` reads, to the last bit, and leaves all other spellings to it.
enum PlainDecimal {
  /// The number of readable bytes that ``prefix(_:)`` needs.
  static let reach = 24

  /// Returns the number at the front of the bytes and the number of bytes that spell it; a length of
  /// 0 if it is spelled in any other way.
  ///
  /// Both parts have at most seven digits, so that both are read as one word, their digits are an
  /// integer below 2⁵³, and one division rounds once.
  @inline(__always)
  static func prefix(_ bytes: UnsafePointer<UInt8>) -> (value: Double, length: Int) {
    let isNegative = bytes[0] == UInt8(ascii: "-")
    let start = isNegative ? 1 : 0
    let (whole, wholeCount) = digits(bytes + start)
    let point = start &+ wholeCount
    guard (1...7).contains(wholeCount), bytes[point] == UInt8(ascii: "."),
      // A zero in front of other digits is a number by itself.
      bytes[start] != UInt8(ascii: "0") || wholeCount == 1
    else { return (0, 0) }
    let (fraction, count) = digits(bytes + (point &+ 1))
    let end = point &+ 1 &+ count
    guard (1...7).contains(count), bytes[end] | 0x20 != UInt8(ascii: "e") else { return (0, 0) }
    let mantissa = whole &* wholePowersOfTen[count] &+ fraction
    // The processor converts signed integers in one instruction.
    let magnitude = Double(Int64(truncatingIfNeeded: mantissa)) / powersOfTen[count]
    // Without a branch: nothing foresees the signs of coordinates.
    let sign: UInt64 = isNegative ? 1 << 63 : 0
    return (Double(bitPattern: magnitude.bitPattern | sign), end)
  }

  /// Returns the value of the digits at the front of eight bytes, and their number; 8 for eight or
  /// more, and then no value.
  @inline(__always)
  private static func digits(_ bytes: UnsafePointer<UInt8>) -> (value: UInt64, count: Int) {
    let word = UInt64(littleEndian: UnsafeRawPointer(bytes).loadUnaligned(as: UInt64.self))
    let digits = word ^ 0x3030_3030_3030_3030
    // The top bit of each byte above 9, exact up to the lowest: a carry only goes upwards.
    let others = ((digits &+ 0x7676_7676_7676_7676) | digits) & 0x8080_8080_8080_8080
    let count = others.trailingZeroBitCount &>> 3
    // Zeros in front of the digits do not change their value.
    let digitsAlone = digits &<< UInt64(truncatingIfNeeded: 64 &- 8 &* count)
    return (NumberGrammar.eightDigits(digitsAlone), count)
  }

  private static let powersOfTen: [Double] = [1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7]

  private static let wholePowersOfTen: [UInt64] = [
    1, 10, 100, 1000, 10_000, 100_000, 1_000_000, 10_000_000,
  ]
}
