/// The start of a deflate block with its own codes: the lengths of both codes, which are themselves
/// coded.
///
/// RFC 1951, 3.2.7.
enum DynamicBlockHeader {
  /// Maximum number of bits of a header: 316 lengths of at most 7 + 7 bits, and the counts.
  static let maximumBitCount = 3 + 14 + 19 * 3 + 316 * 14

  /// One symbol of the code for lengths, with the bits after it.
  struct LengthToken {
    let symbol: Int
    var extra = CodedBits()
  }

  /// The order in which the lengths of the code for lengths are transmitted.
  private static let order = [16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15]

  /// Writes the header of the stream's last block.
  static func write(
    literals: DeflateCode, distances: DeflateCode, into writer: inout BitWriter
  ) {
    let literalCount = count(literals, atLeast: 257)
    let distanceCount = count(distances, atLeast: 1)
    let tokens = runs(
      Array(literals.lengths[0..<literalCount] + distances.lengths[0..<distanceCount]))
    var frequencies = [UInt64](repeating: 0, count: order.count)
    for token in tokens { frequencies[token.symbol] += 1 }
    let code = DeflateCode(frequencies: frequencies, limit: 7)
    var sent = order.count
    while sent > 4, code.lengths[order[sent - 1]] == 0 { sent -= 1 }

    writer.put(1, count: 1)  // the last block
    writer.put(2, count: 2)  // with its own codes
    writer.put(UInt64(literalCount - 257), count: 5)
    writer.put(UInt64(distanceCount - 1), count: 5)
    writer.put(UInt64(sent - 4), count: 4)
    for symbol in order[0..<sent] { writer.put(UInt64(code.lengths[symbol]), count: 3) }
    for token in tokens {
      writer.put(code.codes[token.symbol])
      writer.put(token.extra)
    }
  }

  /// Returns the number of symbols that are transmitted: up to the last with a code.
  private static func count(_ code: DeflateCode, atLeast least: Int) -> Int {
    max(least, (code.lengths.lastIndex { $0 > 0 } ?? 0) + 1)
  }

  /// Returns lengths as themselves, or as repeats: 16 for the one before, 17 and 18 for zeros.
  static func runs(_ lengths: [UInt8]) -> [LengthToken] {
    var tokens: [LengthToken] = []
    var start = 0
    while start < lengths.count {
      let value = lengths[start]
      let run = lengths[start...].prefix { $0 == value }.count
      var left = run
      if value != 0 {
        tokens.append(LengthToken(symbol: Int(value)))
        left -= 1
      }
      while left >= 3 {
        let most = value != 0 ? 6 : left <= 10 ? 10 : 138
        let taken = min(left, most)
        tokens.append(repeated(taken, isZero: value == 0))
        left -= taken
      }
      for _ in 0..<left { tokens.append(LengthToken(symbol: Int(value))) }
      start += run
    }
    return tokens
  }

  private static func repeated(_ count: Int, isZero: Bool) -> LengthToken {
    if !isZero {
      return LengthToken(symbol: 16, extra: CodedBits(bits: UInt32(count - 3), count: 2))
    }
    return count <= 10
      ? LengthToken(symbol: 17, extra: CodedBits(bits: UInt32(count - 3), count: 3))
      : LengthToken(symbol: 18, extra: CodedBits(bits: UInt32(count - 11), count: 7))
  }
}
