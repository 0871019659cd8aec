/// The transmission of a prefix code in a lossless WebP.
///
/// Source: RFC 9649, 3.7.2 (decoding of prefix codes).
enum WebPPrefixCode {
  /// Maximum number of bits of one code: 280 lengths of at most 7 + 7 bits, and the code for them.
  static let maximumBitCount = 1 + 4 + 19 * 3 + 1 + 280 * 14

  /// The order in which the lengths of the code for lengths are transmitted.
  private static let order = [17, 18, 0, 1, 2, 3, 4, 5, 16, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15]

  /// Writes a code for one symbol, which then takes no bits.
  static func writeSingle(_ symbol: UInt8, into writer: inout BitWriter) {
    writer.put(1, count: 1)
    writer.put(0, count: 1)
    let isBit = symbol < 2
    writer.put(isBit ? 0 : 1, count: 1)
    writer.put(UInt64(symbol), count: isBit ? 1 : 8)
  }

  /// Writes the code that gives 0 and 1 one bit each.
  static func writeBit(into writer: inout BitWriter) {
    writer.put(0b11, count: 2)
    writer.put(0, count: 2)
    writer.put(1, count: 8)
  }

  /// Writes a code, and returns the bits of each symbol: none where only one is used.
  static func write(_ code: DeflateCode, into writer: inout BitWriter) -> [CodedBits] {
    let used = code.lengths.indices.filter { code.lengths[$0] > 0 }
    if used.count == 1, used[0] < 256 {
      writeSingle(UInt8(used[0]), into: &writer)
      return [CodedBits](repeating: CodedBits(), count: code.codes.count)
    }
    let tokens = DynamicBlockHeader.runs(code.lengths)
    var frequencies = [UInt64](repeating: 0, count: order.count)
    for token in tokens { frequencies[token.symbol] += 1 }
    let lengths = DeflateCode(frequencies: frequencies, limit: 7)
    let isSingle = lengths.lengths.count { $0 > 0 } == 1
    var sent = order.count
    while sent > 4, lengths.lengths[order[sent - 1]] == 0 { sent -= 1 }
    writer.put(0, count: 1)
    writer.put(UInt64(sent - 4), count: 4)
    for symbol in order[0..<sent] { writer.put(UInt64(lengths.lengths[symbol]), count: 3) }
    writer.put(0, count: 1)  // all lengths follow
    for token in tokens {
      if !isSingle { writer.put(lengths.codes[token.symbol]) }
      writer.put(token.extra)
    }
    return code.codes
  }
}
