/// Source-over in premultiplied 8-bit channels, with one rounding rule.
///
/// Every product of two channels is divided by 255 and rounded to nearest, exactly:
/// `t = a · b + 128; (t + (t >> 8)) >> 8` (Blinn, Three Wrongs Make a Right, 1995). The rule is
/// monotone, so no channel ever exceeds alpha and no sum exceeds 255.
extension PremultipliedColor {
  /// All channels times `factor` / 255: the colour of a pixel that is only partly covered.
  @inlinable
  package func covered(_ factor: UInt8) -> PremultipliedColor {
    PremultipliedColor(bits: PremultipliedColor.scaled(bits, by: UInt32(factor)))
  }

  /// This colour laid over another one.
  @inlinable
  package func over(_ below: PremultipliedColor) -> PremultipliedColor {
    PremultipliedColor(bits: PremultipliedColor.over(bits, below.bits))
  }

  /// Two channels at a time in the halves of a word; 255 · 255 + 128 + 254 still fits in 16 bits.
  @inlinable
  static func scaled(_ bits: UInt32, by factor: UInt32) -> UInt32 {
    let lanes: UInt32 = 0x00FF_00FF
    let even = (bits & lanes) &* factor &+ 0x0080_0080
    let odd = (bits >> 8 & lanes) &* factor &+ 0x0080_0080
    return ((even &+ (even >> 8 & lanes)) >> 8 & lanes) | ((odd &+ (odd >> 8 & lanes)) & ~lanes)
  }

  @inlinable
  static func over(_ source: UInt32, _ below: UInt32) -> UInt32 {
    source &+ scaled(below, by: 255 &- (source >> 24))
  }
}

extension Pixmap {
  /// Lays a colour over the pixels of a mask whose anchor is the pixel (`x`, `y`), as far as they
  /// lie in the picture.
  ///
  /// - Complexity: O(visible pixels of the mask).
  package func blend(_ mask: CoverageMask, color: PremultipliedColor, x: Int, y: Int) {
    guard color != .transparent, let window = window(of: mask, x: x, y: y) else { return }
    mask.coverage.withUnsafeBufferPointer { coverage in
      for row in window.rows {
        let span = mask.rowSpans[row]
        let first = max(Int(span.lowerBound), window.columns.lowerBound)
        let end = min(Int(span.upperBound), window.columns.upperBound)
        guard first < end else { continue }
        let source = row * mask.width
        blendRow(
          UnsafeBufferPointer(rebasing: coverage[(source + first)..<(source + end)]), color: color,
          at: (window.top + row) * width + window.left + first)
      }
    }
  }

  /// Lays a shape and its border over the picture as one: where both meet, their colours are mixed
  /// by coverage and nothing below shines through.
  ///
  /// - Precondition: the two coverages of a pixel add up to 255 at most, as ``CircleShape`` and
  ///   ``CoverageMask/subtracting(_:)`` give them; an excess is cut off the border.
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
    let left = max(min(fill.originX, border.originX) + x, 0)
    let right = min(max(fill.originX + fill.width, border.originX + border.width) + x, width)
    guard top < bottom, left < right else { return }
    for row in top..<bottom {
      for column in left..<right {
        let inside = fill[column - x, row - y]
        let beside = min(border[column - x, row - y], 255 - inside)
        guard inside | beside != 0 else { continue }
        let mixed = color.covered(inside).bits &+ borderColor.covered(beside).bits
        let index = row * width + column
        pixels[index] = PremultipliedColor.over(mixed, pixels[index])
      }
    }
  }

  /// Lays another picture over this one, its first pixel at (`x`, `y`).
  ///
  /// - Parameter opacity: 0 … 255, the factor of all its channels over 255.
  /// - Complexity: O(pixels common to both).
  package func blend(_ picture: Pixmap, x: Int, y: Int, opacity: UInt8 = 255) {
    guard Pixmap.isNear(x), Pixmap.isNear(y), opacity > 0 else { return }
    let columns = max(0, -x)..<max(min(picture.width, width - x), max(0, -x))
    let rows = max(0, -y)..<max(min(picture.height, height - y), max(0, -y))
    for row in rows {
      let source = row * picture.width
      let target = (row + y) * width + x
      for column in columns {
        let above = PremultipliedColor.scaled(picture.pixels[source + column], by: UInt32(opacity))
        pixels[target + column] = PremultipliedColor.over(above, pixels[target + column])
      }
    }
  }

  /// Lays a colour over consecutive pixels of one row, by their coverage.
  func blendRow(_ coverage: UnsafeBufferPointer<UInt8>, color: PremultipliedColor, at start: Int) {
    precondition(start >= 0 && start + coverage.count <= pixels.count)
    let solid = color.bits
    let isOpaque = color.alpha == 255
    for column in 0..<coverage.count {
      let factor = coverage[column]
      if factor == 0 { continue }
      if factor == 255 && isOpaque {
        pixels[start &+ column] = solid
      } else {
        let above = PremultipliedColor.scaled(solid, by: UInt32(factor))
        pixels[start &+ column] = PremultipliedColor.over(above, pixels[start &+ column])
      }
    }
  }

  /// Whether a position is one that sums with sizes of pictures cannot overflow from.
  private static func isNear(_ position: Int) -> Bool {
    (-0x4000_0000...0x4000_0000).contains(position)
  }

  /// The part of a mask that lies in the picture: its rows and columns, and where its first pixel is.
  private func window(
    of mask: CoverageMask, x: Int, y: Int
  ) -> (rows: Range<Int>, columns: Range<Int>, left: Int, top: Int)? {
    guard Pixmap.isNear(x), Pixmap.isNear(y) else { return nil }
    let left = x + mask.originX
    let top = y + mask.originY
    let firstRow = max(0, -top)
    let firstColumn = max(0, -left)
    let endRow = min(mask.height, height - top)
    let endColumn = min(mask.width, width - left)
    guard firstRow < endRow, firstColumn < endColumn else { return nil }
    return (firstRow..<endRow, firstColumn..<endColumn, left, top)
  }
}
