/// A block of tiles, seen from a world copy.
struct TileBlock {
  var columns: Range<Int>
  var rows: Range<Int>
  var shape: Int
  /// The number of world widths by which the shape is moved eastward.
  var copy: Int

  var isTile: Bool { columns.count == 1 && rows.count == 1 }

  /// The halves of the longer side.
  var halves: (TileBlock, TileBlock) {
    var first = self
    var second = self
    if columns.count >= rows.count {
      let middle = columns.lowerBound + columns.count / 2
      first.columns = columns.lowerBound..<middle
      second.columns = middle..<columns.upperBound
    } else {
      let middle = rows.lowerBound + rows.count / 2
      first.rows = rows.lowerBound..<middle
      second.rows = middle..<rows.upperBound
    }
    return (first, second)
  }
}
