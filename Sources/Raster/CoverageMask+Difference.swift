extension CoverageMask {
  /// Returns the coverage of this mask beyond that of another one with the same anchor, pixel by
  /// pixel.
  ///
  /// A shape and the rest of a larger shape drawn side by side then add up to the larger shape's
  /// coverage exactly, which two separate antialiased shapes do not.
  ///
  /// - Complexity: O(width · height).
  package func subtracting(_ inner: CoverageMask) -> CoverageMask {
    combined(with: inner) { $0 > $1 ? $0 - $1 : 0 }
  }

  /// Returns this mask where another one with the same anchor leaves room: the minimum of this
  /// coverage and the remainder of the other, as MapLibre removes the halo under translucent text.
  ///
  /// - Complexity: O(width · height).
  package func hollowed(by inner: CoverageMask) -> CoverageMask {
    combined(with: inner) { min($0, 255 - $1) }
  }

  private func combined(
    with other: CoverageMask, _ operation: (UInt8, UInt8) -> UInt8
  ) -> CoverageMask {
    var bytes = coverage
    for row in 0..<height {
      for column in 0..<width {
        let index = row * width + column
        bytes[index] = operation(bytes[index], other[originX + column, originY + row])
      }
    }
    return bytes.withUnsafeBufferPointer {
      CoverageMask(
        trimming: $0, width: width, height: height, originX: originX, originY: originY)
    }
  }
}
