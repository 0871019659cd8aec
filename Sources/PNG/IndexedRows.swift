/// A view of palette indices row by row, of which only spans hold more than background.
///
/// The memory belongs to a sprite or a canvas and reaches ``overread`` bytes beyond the last row.
struct IndexedRows {
  /// Bytes behind the last index that may be read, never used.
  static let overread = 8

  let indices: UnsafePointer<UInt8>

  /// Indices from one row to the next.
  let stride: Int

  /// For each row the first column of its span, and the column behind the last; equal where blank.
  let starts: UnsafePointer<Int32>
  let ends: UnsafePointer<Int32>

  /// The rows that may hold spans.
  let rows: Range<Int>

  /// What was written, as Adler-32 needs it; offsets count the bytes of rows of the picture's size.
  struct Sums {
    /// Column of the first index plus its row times the row size.
    var first = 0

    /// Bytes from the first index to the last that is no background; 0 where all is background.
    var extent = 0

    /// Σ index.
    var sum: UInt64 = 0

    /// Σ index × bytes from the first.
    var weighted: UInt64 = 0

    /// The greatest index.
    var largest: UInt8 = 0
  }

  /// Emits the tokens from the first index that is no background to the last.
  ///
  /// The tokens follow from the picture alone, not from how wide its spans were guessed.
  ///
  /// - Parameters:
  ///   - sink: takes the tokens.
  ///   - rowSize: bytes of a row of the picture that is written, with its filter byte.
  ///   - leading: filter bytes before the first row, whose blank stretch is emitted too; `nil` to
  ///     begin with the first index.
  /// - Complexity: O(indices in spans).
  @inline(__always)
  func write<Sink: TokenSink>(into sink: inout Sink, rowSize: Int, leading: Int?) -> Sums {
    var sums = Sums()
    var position = leading.map { -$0 }
    var rowAbove = -2
    for y in rows {
      let row = indices + y &* stride
      var (start, end) = (Int(starts[y]), Int(ends[y]))
      while start < end, row[start] == 0 { start &+= 1 }
      while start < end, row[end &- 1] == 0 { end &-= 1 }
      if start >= end { continue }
      let offset = y &* rowSize &+ start
      if let position { sink.blank(offset &- position) }
      if sums.extent == 0 { sums.first = offset }
      let above = rowAbove == y &- 1 ? row - stride : nil
      Self.writeSpan(row + start, above: above.map { $0 + start }, count: end &- start, &sink)
      Self.add(row + start, count: end &- start, at: offset &- sums.first, to: &sums)
      position = offset &+ end &- start
      sums.extent = offset &+ end &- start &- sums.first
      rowAbove = y
    }
    return sums
  }

  /// Emits one span: repeats of the row above where they are at least as long as runs, then runs.
  @inline(__always)
  private static func writeSpan<Sink: TokenSink>(
    _ span: UnsafePointer<UInt8>, above: UnsafePointer<UInt8>?, count: Int, _ sink: inout Sink
  ) {
    var x = 0
    while x < count {
      let word = load(span + x)
      let longest = min(count &- x, DeflateSymbol.longestMatch)
      // Most bytes are settled by these two tests of the next bytes.
      let mayRun = (word ^ word &>> 8) & 0xFF_FFFF == 0
      if let above, (word ^ load(above + x)) & 0xFF_FFFF == 0 {
        let match = equalCount(span + x, above + x, longest)
        let run = mayRun ? 1 &+ equalCount(span + x, span + x + 1, longest &- 1) : 1
        if match >= DeflateSymbol.shortestMatch, match >= run {
          sink.above(match)
          x &+= match
          continue
        }
      }
      sink.literal(span[x])
      x &+= 1
      if mayRun {
        let run = equalCount(span + (x &- 1), span + x, min(count &- x, DeflateSymbol.longestMatch))
        if run >= DeflateSymbol.shortestMatch {
          sink.run(run)
          x &+= run
        }
      }
    }
  }

  /// Adds one span, `offset` bytes behind the first index, to the sums.
  @inline(__always)
  private static func add(
    _ span: UnsafePointer<UInt8>, count: Int, at offset: Int, to sums: inout Sums
  ) {
    var (sum, weighted): (UInt32, UInt32) = (0, 0)
    var largest: UInt8 = 0
    for x in 0..<count {
      let index = UInt32(span[x])
      sum &+= index
      // 255 × 4096² / 2 is below 2^32.
      weighted &+= index &* UInt32(truncatingIfNeeded: x)
      largest = max(largest, span[x])
    }
    sums.sum &+= UInt64(sum)
    sums.weighted &+= UInt64(weighted) &+ UInt64(sum) &* UInt64(truncatingIfNeeded: offset)
    sums.largest = max(sums.largest, largest)
  }

  /// How many bytes agree from the start, up to `limit`.
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

  /// 8 bytes, the first in the lowest place.
  @inline(__always)
  private static func load(_ bytes: UnsafePointer<UInt8>) -> UInt64 {
    UnsafeRawPointer(bytes).loadUnaligned(as: UInt64.self).littleEndian
  }
}
