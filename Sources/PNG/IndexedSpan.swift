/// A part of one row of palette indices.
struct IndexedSpan {
  /// The first index; ``IndexedRows/overread`` bytes after the last may be read.
  let first: UnsafePointer<UInt8>

  /// The column of the first index.
  let start: Int
  let count: Int

  /// Emits the span's tokens: repeats of the row above if they are at least as long as a run,
  /// otherwise runs, otherwise single bytes.
  ///
  /// - Parameter above: the indices above these; `nil` if that row is blank or does not exist.
  /// - Complexity: O(`count`), by words where bytes agree.
  @inline(__always)
  func write<Sink: TokenSink>(into sink: inout Sink, above: UnsafePointer<UInt8>?) {
    var x = 0
    while x < count {
      let word = Self.load(first + x)
      let longest = min(count &- x, DeflateSymbol.longestMatch)
      // These two tests of the next bytes decide most cases.
      let mayRun = (word ^ word &>> 8) & 0xFF_FFFF == 0
      if let above, (word ^ Self.load(above + x)) & 0xFF_FFFF == 0 {
        let match = Self.equalCount(first + x, above + x, longest)
        let run = mayRun ? 1 &+ Self.equalCount(first + x, first + (x &+ 1), longest &- 1) : 1
        if match >= DeflateSymbol.shortestMatch, match >= run {
          sink.above(match)
          x &+= match
          continue
        }
      }
      sink.literal(first[x])
      x &+= 1
      if mayRun {
        let most = min(count &- x, DeflateSymbol.longestMatch)
        let run = Self.equalCount(first + (x &- 1), first + x, most)
        if run >= DeflateSymbol.shortestMatch {
          sink.run(run)
          x &+= run
        }
      }
    }
  }

  /// Returns the number of equal bytes from the start, up to `limit`.
  @inline(__always)
  private static func equalCount(
    _ one: UnsafePointer<UInt8>, _ other: UnsafePointer<UInt8>, _ limit: Int
  ) -> Int {
    var count = 0
    while count < limit {
      let difference = load(one + count) ^ load(other + count)
      if difference != 0 {
        return min(count &+ difference.trailingZeroBitCount &>> 3, limit)
      }
      count &+= 8
    }
    return limit
  }

  /// Loads 8 bytes, the first in the lowest position.
  @inline(__always)
  private static func load(_ bytes: UnsafePointer<UInt8>) -> UInt64 {
    UnsafeRawPointer(bytes).loadUnaligned(as: UInt64.self).littleEndian
  }
}
