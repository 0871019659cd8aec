/// The symbol of a length or distance of a deflate match, and the bits that follow it.
///
/// The tables of RFC 1951, 3.2.5, as formulas: each power of two is divided into 4 symbols for
/// lengths and 2 for distances, and the extra bits count from the symbol's base.
struct DeflateSymbol: Hashable {
  let symbol: Int
  let extra: CodedBits

  static let endOfBlock = 256
  static let literalCount = 286
  static let distanceCount = 30
  static let shortestMatch = 3
  static let longestMatch = 258

  /// Creates the symbol 257 … 285 of a match of 3 … 258 bytes.
  init(length: Int) {
    precondition((Self.shortestMatch...Self.longestMatch).contains(length))
    if length == Self.longestMatch {
      symbol = 285
      extra = CodedBits()
      return
    }
    let value = UInt32(length - Self.shortestMatch)
    let extraBits = value < 8 ? 0 : value.bitWidth - value.leadingZeroBitCount - 3
    symbol = 257 + 4 * extraBits + Int(value >> UInt32(extraBits))
    extra = CodedBits(bits: value & (1 << UInt32(extraBits) - 1), count: UInt32(extraBits))
  }

  /// Creates the symbol 0 … 29 of a distance of 1 … 32768 bytes.
  init(distance: Int) {
    precondition((1...32768).contains(distance))
    let value = UInt32(distance - 1)
    let extraBits = value < 4 ? 0 : value.bitWidth - value.leadingZeroBitCount - 2
    symbol = 2 * extraBits + Int(value >> UInt32(extraBits))
    extra = CodedBits(bits: value & (1 << UInt32(extraBits) - 1), count: UInt32(extraBits))
  }
}
