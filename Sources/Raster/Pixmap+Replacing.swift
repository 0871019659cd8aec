extension Pixmap {
  /// Copies another picture into this one, its first pixel at (`x`, `y`), as far as it fits.
  ///
  /// - Complexity: O(pixels common to both).
  package func replace(with picture: Pixmap, x: Int, y: Int) {
    let columns = max(0, -x)..<max(min(picture.width, width - x), max(0, -x))
    let rows = max(0, -y)..<max(min(picture.height, height - y), max(0, -y))
    guard !columns.isEmpty else { return }
    for row in rows {
      let source = row * picture.width + columns.lowerBound
      let target = (row + y) * width + columns.lowerBound + x
      _ = UnsafeMutableBufferPointer(rebasing: pixels[target..<(target + columns.count)])
        .update(fromContentsOf: picture.pixels[source..<(source + columns.count)])
    }
  }

  /// Replaces the colours of a range's pixels that are marked as ``mixedEdge``.
  ///
  /// - Parameter color: returns the bits of the colour to draw instead of a colour.
  /// - Complexity: O(pixels), eight at a time where none is marked.
  @inlinable @inline(__always)
  package func replaceMixedEdges(
    in range: Range<Int>, by color: (_ bits: UInt32) -> UInt32
  ) {
    precondition(range.lowerBound >= 0 && range.upperBound <= edges.count)
    guard let marks = edges.baseAddress else { return }
    let mixed = UInt64(Pixmap.mixedEdge) &* 0x0101_0101_0101_0101
    var index = range.lowerBound
    while index < range.upperBound {
      let end = min(index &+ 8, range.upperBound)
      let isUnmarked =
        end &- index == 8
        && UnsafeRawPointer(marks + index).loadUnaligned(as: UInt64.self) & mixed == 0
      if !isUnmarked {
        for index in index..<end where marks[index] & Pixmap.mixedEdge != 0 {
          pixels[index] = color(pixels[index])
        }
      }
      index = end
    }
  }
}
