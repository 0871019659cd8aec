/// The symbol of a length or distance of a copy in a lossless WebP, and the bits that follow it.
///
/// Each power of two is divided into 2 symbols, and the extra bits count from the symbol's base.
/// Source: RFC 9649, 3.5.2.2 (LZ77 backward references).
struct WebPSymbol: Hashable {
  let symbol: Int
  let extra: CodedBits

  /// The number of literals, and of symbols of lengths, which follow them in one code.
  static let literalCount = 256
  static let lengthCount = 24

  static let longestCopy = 4096

  /// The symbols of the distances to the pixel above and to the one on the left.
  static let above = 0
  static let left = 1

  /// Creates the symbol, from 0 on, of a length of 1 … 4096 pixels.
  init(length: Int) {
    precondition((1...Self.longestCopy).contains(length))
    let value = UInt32(length - 1)
    guard value > 1 else {
      symbol = Int(value)
      extra = CodedBits()
      return
    }
    let highest = UInt32(value.bitWidth - value.leadingZeroBitCount - 1)
    let extraBits = highest - 1
    symbol = Int(2 * highest + value >> extraBits & 1)
    extra = CodedBits(bits: value & (1 << extraBits - 1), count: extraBits)
  }
}

extension SymbolFrequencies {
  /// The frequencies of the symbols of a lossless WebP with the same tokens. Literals keep theirs;
  /// a length counts for the symbol of the shortest length that shares its deflate symbol.
  ///
  /// A blank stretch takes one copy in WebP instead of 16 of deflate's longest runs, and a gap
  /// between the rows of a symbol on a wide tile takes one copy instead of two.
  func webP(width: Int) -> [UInt64] {
    let base = WebPSymbol.literalCount
    var found = Array(literals[0..<base])
    found += [UInt64](repeating: 1, count: WebPSymbol.lengthCount)
    for length in DeflateSymbol.shortestMatch..<DeflateSymbol.longestMatch {
      let symbol = DeflateSymbol(length: length)
      // The first length of each symbol stands for all of them.
      guard symbol.extra.bits == 0 else { continue }
      found[base + WebPSymbol(length: length).symbol] &+= literals[symbol.symbol]
    }
    let longest = literals[DeflateSymbol(length: DeflateSymbol.longestMatch).symbol]
    found[base + WebPSymbol.lengthCount - 1] &+= longest / 16
    for symbol in 15..<WebPSymbol.lengthCount { found[base + symbol] &+= longest / 256 }
    if width > DeflateSymbol.longestMatch {
      let gap = WebPSymbol(length: min(width - 32, WebPSymbol.longestCopy)).symbol
      found[base + gap] &+= longest / 2
    }
    return found
  }
}
