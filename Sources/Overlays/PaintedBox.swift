/// The pixels of a tile that show anything, as ranges of columns and rows.
package struct PaintedBox: Hashable, Sendable {
  package var columns: Range<Int>
  package var rows: Range<Int>

  package init(columns: Range<Int>, rows: Range<Int>) {
    self.columns = columns
    self.rows = rows
  }

  /// Creates the tight box of a picture's non-transparent pixels, or `nil` if there are none.
  ///
  /// - Parameter rows: the rows to examine; the others are known to be transparent.
  /// - Complexity: O(pixels of those rows).
  init?(of pixels: UnsafeMutableBufferPointer<UInt32>, width: Int, rows: Range<Int>) {
    var (left, right, top, bottom) = (width, 0, rows.upperBound, rows.lowerBound)
    for y in rows {
      let row = UnsafeMutableBufferPointer(rebasing: pixels[y * width..<(y + 1) * width])
      var any: UInt32 = 0
      for x in 0..<width { any |= row[x] }
      guard any != 0 else { continue }
      (top, bottom) = (min(top, y), y + 1)
      if let first = row.firstIndex(where: { $0 != 0 }) { left = min(left, first) }
      if let last = row.lastIndex(where: { $0 != 0 }) { right = max(right, last + 1) }
    }
    guard left < right, top < bottom else { return nil }
    self.init(columns: left..<right, rows: top..<bottom)
  }
}
