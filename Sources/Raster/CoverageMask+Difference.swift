extension CoverageMask {
  /// Returns the coverage of this mask beyond the coverage of another one with the same anchor,
  /// pixel by pixel.
  ///
  /// A shape and the rest of a larger shape drawn side by side then add up to the larger shape's
  /// coverage exactly, which two separate antialiased shapes do not.
  ///
  /// - Complexity: O(width · height).
  package func subtracting(_ inner: CoverageMask) -> CoverageMask {
    var bytes = coverage
    for row in 0..<height {
      for column in 0..<width {
        let index = row * width + column
        let covered = inner[originX + column, originY + row]
        bytes[index] = bytes[index] > covered ? bytes[index] - covered : 0
      }
    }
    return bytes.withUnsafeBufferPointer {
      CoverageMask(
        trimming: $0, width: width, height: height, originX: originX, originY: originY)
    }
  }
}
