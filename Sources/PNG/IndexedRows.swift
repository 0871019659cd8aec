/// A view of palette indices row by row, of which only spans contain more than background.
///
/// The memory belongs to a sprite or a canvas and reaches ``overread`` bytes beyond the last row.
struct IndexedRows {
  /// The number of bytes after the last index that may be read but are never used.
  static let overread = 8

  let indices: UnsafePointer<UInt8>

  /// The number of indices from one row to the next.
  let stride: Int

  /// The first column of the span in each row, and the column after the last; equal in a blank row.
  let starts: UnsafePointer<Int32>
  let ends: UnsafePointer<Int32>

  /// The rows that may hold spans.
  let rows: Range<Int>

  /// Returns the columns of a row from its first non-background index to its last, between `left`
  /// and `right`; an empty span if there are none.
  @inline(__always)
  func span(row: Int, left: Int = 0, right: Int = .max) -> IndexedSpan {
    let first = indices + row &* stride
    var start = max(Int(starts[row]), left)
    var end = min(Int(ends[row]), right)
    while start < end, first[start] == 0 { start &+= 1 }
    while start < end, first[end &- 1] == 0 { end &-= 1 }
    return IndexedSpan(first: first + start, start: start, count: max(end &- start, 0))
  }

  /// Emits the tokens of a tile from its first byte to the last that is not background.
  ///
  /// The tokens depend only on the picture, not on how tight its spans are.
  ///
  /// - Parameters:
  ///   - sink: receives the tokens.
  ///   - rowSize: the bytes of a row of the tile, with its filter byte in PNG.
  ///   - lead: the bytes of a row before its first index.
  /// - Returns: the sums, and the offset after the last byte written.
  /// - Complexity: O(indices in spans).
  @inline(__always)
  func write<Sink: TokenSink>(
    into sink: inout Sink, rowSize: Int, lead: Int = 1
  ) -> (sums: IndexSums, end: Int) {
    var sums = IndexSums()
    var position = 0
    var rowAbove = -2
    for row in rows {
      let span = span(row: row)
      if span.count == 0 { continue }
      let offset = row &* rowSize &+ lead &+ span.start
      sink.blank(offset &- position)
      span.write(into: &sink, above: rowAbove == row &- 1 ? span.first - stride : nil)
      sums.add(span, at: offset)
      position = offset &+ span.count
      rowAbove = row
    }
    return (sums, position)
  }

  /// The largest index.
  ///
  /// - Complexity: O(indices in spans).
  var largest: UInt8 {
    var largest: UInt8 = 0
    for row in rows {
      let first = indices + row &* stride
      for column in Int(starts[row])..<max(Int(starts[row]), Int(ends[row])) {
        largest = max(largest, first[column])
      }
    }
    return largest
  }
}
