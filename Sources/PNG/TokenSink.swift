/// A sink for the deflate tokens of a picture of indices, in order: coded directly, or counted.
protocol TokenSink {
  /// Emits one literal byte.
  mutating func literal(_ byte: UInt8)

  /// Emits a repeat of the byte before, 3 … 258 times.
  mutating func run(_ length: Int)

  /// Emits a repeat of the 3 … 258 bytes above, one row size back.
  mutating func above(_ length: Int)

  /// Emits the longest run a number of times.
  mutating func longestRuns(_ count: Int)

  /// Emits any number of background bytes.
  mutating func blank(_ count: Int)
}

extension TokenSink {
  @inline(__always)
  mutating func blank(_ count: Int) { blankByRuns(count) }

  /// Emits any number of background bytes: one token per 258.
  ///
  /// The background and the filter byte of a row are both 0, so blank rows are not a special case.
  @inline(__always)
  mutating func blankByRuns(_ count: Int) {
    if count < 1 + DeflateSymbol.shortestMatch {
      for _ in 0..<max(count, 0) { literal(0) }
      return
    }
    literal(0)
    var full = (count &- 1) / DeflateSymbol.longestMatch
    let rest = count &- 1 &- full &* DeflateSymbol.longestMatch
    // A rest too short for a match borrows three bytes from the last full one.
    let isShort = rest > 0 && rest < DeflateSymbol.shortestMatch
    if isShort { full &-= 1 }
    if full > 0 { longestRuns(full) }
    if isShort { run(DeflateSymbol.longestMatch &- 3) }
    if rest > 0 { run(isShort ? rest &+ 3 : rest) }
  }
}
