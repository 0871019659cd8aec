/// A box of pixels, half-open, counted from the pixel that a symbol is anchored to.
package struct PixelBox: Hashable, Sendable {
  package var left: Int
  package var top: Int
  package var right: Int
  package var bottom: Int

  /// A box of pixels within ± 2³¹.
  package init(left: Int, top: Int, right: Int, bottom: Int) {
    self.left = left
    self.top = top
    self.right = right
    self.bottom = bottom
  }

  /// The pixels that a box in px around the anchor touches; its sides are within ± 2³¹ px.
  package init(_ box: ShapedText.Box) {
    self.init(
      left: Int(box.minX.rounded(.down)), top: Int(box.minY.rounded(.down)),
      right: Int(box.maxX.rounded(.up)), bottom: Int(box.maxY.rounded(.up)))
  }

  package static let empty = PixelBox(left: 0, top: 0, right: 0, bottom: 0)

  /// The box of masks that serve for any place: ``CoverageRasterizer/maskReach`` to each side.
  package static let ofMasks = PixelBox(
    left: -CoverageRasterizer.maskReach, top: -CoverageRasterizer.maskReach,
    right: CoverageRasterizer.maskReach, bottom: CoverageRasterizer.maskReach)

  package var width: Int { max(right - left, 0) }
  package var height: Int { max(bottom - top, 0) }
  package var isEmpty: Bool { width == 0 || height == 0 }

  /// The same box, counted from another pixel.
  package func moved(dx: Int, dy: Int) -> PixelBox {
    PixelBox(left: left + dx, top: top + dy, right: right + dx, bottom: bottom + dy)
  }

  /// The box with so many pixels more on each side.
  package func grown(by pixels: Int) -> PixelBox {
    PixelBox(
      left: left - pixels, top: top - pixels, right: right + pixels, bottom: bottom + pixels)
  }

  /// The pixels that lie in another box, too.
  package func clipped(to other: PixelBox) -> PixelBox {
    PixelBox(
      left: max(left, other.left), top: max(top, other.top), right: min(right, other.right),
      bottom: min(bottom, other.bottom))
  }

  /// The box around this one and another; empty ones count for nothing.
  package func joined(with other: PixelBox) -> PixelBox {
    if isEmpty { return other }
    if other.isEmpty { return self }
    return PixelBox(
      left: min(left, other.left), top: min(top, other.top), right: max(right, other.right),
      bottom: max(bottom, other.bottom))
  }
}
