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
}
