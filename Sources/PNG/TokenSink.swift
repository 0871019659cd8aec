/// Takes the deflate tokens of a picture of indices, in order: coded at once, or counted.
protocol TokenSink {
  /// One byte as it is.
  mutating func literal(_ byte: UInt8)

  /// The byte before, 3 … 258 times again.
  mutating func run(_ length: Int)

  /// The 3 … 258 bytes that stand above, one row size back.
  mutating func above(_ length: Int)

  /// The longest run, any number of times.
  mutating func longestRuns(_ count: Int)
}

extension TokenSink {
  /// Any number of background bytes: one token for each 258.
  ///
  /// The background and the filter byte of a row are both 0, so blank rows need no care.
  @inline(__always)
  mutating func blank(_ count: Int) {
    if count < 1 + DeflateSymbol.shortestMatch {
      for _ in 0..<max(count, 0) { literal(0) }
      return
    }
    literal(0)
    var full = (count &- 1) / DeflateSymbol.longestMatch
    let rest = count &- 1 &- full &* DeflateSymbol.longestMatch
    // A rest too short for a match takes three bytes from the last full one.
    let isShort = rest > 0 && rest < DeflateSymbol.shortestMatch
    if isShort { full &-= 1 }
    if full > 0 { longestRuns(full) }
    if isShort { run(DeflateSymbol.longestMatch &- 3) }
    if rest > 0 { run(isShort ? rest &+ 3 : rest) }
  }
}
