extension Pixmap {
  /// Composites a shape and its border over the picture as one: where they meet, their colours are
  /// mixed by coverage and nothing below shines through.
  ///
  /// - Precondition: the two coverages of a pixel add up to 255 at most, as those of
  ///   ``CircleShape`` and ``CoverageMask/subtracting(_:)`` do; an excess is subtracted from the
  ///   border.
  /// - Complexity: O(pixels of both masks' boxes).
  package func blend(
    _ fill: CoverageMask, color: PremultipliedColor, border: CoverageMask,
    borderColor: PremultipliedColor, x: Int, y: Int
  ) {
    if fill.isEmpty { return blend(border, color: borderColor, x: x, y: y) }
    if border.isEmpty { return blend(fill, color: color, x: x, y: y) }
    guard Pixmap.isNear(x), Pixmap.isNear(y) else { return }
    let top = max(min(fill.originY, border.originY) + y, 0)
    let bottom = min(max(fill.originY + fill.height, border.originY + border.height) + y, height)
    guard top < bottom else { return }
    fill.coverage.withUnsafeBufferPointer { fillCoverage in
      border.coverage.withUnsafeBufferPointer { borderCoverage in
        for row in top..<bottom {
          let inner = columns(of: fill, x: x, row: row - y)
          let outer = columns(of: border, x: x, row: row - y)
          let hull = Pixmap.hull(inner.visible, outer.visible)
          for column in hull.clamped(to: 0..<width) {
            let inside =
              inner.visible.contains(column) ? fillCoverage[inner.start &+ column] : 0
            let beside =
              outer.visible.contains(column) ? borderCoverage[outer.start &+ column] : 0
            guard inside | beside != 0 else { continue }
            let index = row &* width &+ column
            if inside == 255 {
              pixels[index] = PremultipliedColor.over(color.bits, pixels[index])
              continue
            }
            let mixed =
              color.covered(inside).bits &+ borderColor.covered(min(beside, 255 &- inside)).bits
            pixels[index] = PremultipliedColor.over(mixed, pixels[index])
          }
        }
      }
    }
  }

  private static func hull(_ first: Range<Int>, _ second: Range<Int>) -> Range<Int> {
    if first.isEmpty { return second }
    if second.isEmpty { return first }
    return min(first.lowerBound, second.lowerBound)..<max(first.upperBound, second.upperBound)
  }

  /// Returns the picture's columns in which a row of a mask is visible, and the offset in its
  /// coverage that corresponds to column 0.
  private func columns(
    of mask: CoverageMask, x: Int, row: Int
  ) -> (visible: Range<Int>, start: Int) {
    let line = row - mask.originY
    guard line >= 0, line < mask.height else { return (0..<0, 0) }
    let left = mask.originX + x
    let span = mask.rowSpans[line]
    guard !span.isEmpty else { return (0..<0, 0) }
    return (left + Int(span.lowerBound)..<left + Int(span.upperBound), line * mask.width - left)
  }
}
