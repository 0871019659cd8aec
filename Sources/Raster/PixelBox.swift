/// A box of pixels, half-open, relative to the pixel that a symbol is anchored to.
package struct PixelBox: Hashable, Sendable {
  package var left: Int
  package var top: Int
  package var right: Int
  package var bottom: Int

  /// Creates a box of pixels within ± 2³¹.
  package init(left: Int, top: Int, right: Int, bottom: Int) {
    self.left = left
    self.top = top
    self.right = right
    self.bottom = bottom
  }

  /// Creates the box of pixels that a box in pixels around the anchor touches; its sides are within
  /// ± 2³¹ px.
  package init(_ box: ShapedText.Box) {
    self.init(
      left: Int(box.minX.rounded(.down)), top: Int(box.minY.rounded(.down)),
      right: Int(box.maxX.rounded(.up)), bottom: Int(box.maxY.rounded(.up)))
  }

  package static let empty = PixelBox(left: 0, top: 0, right: 0, bottom: 0)

  /// The box within which masks may extend so that they fit any position:
  /// ``CoverageRasterizer/maskReach`` to each side.
  package static let ofMasks = PixelBox(
    left: -CoverageRasterizer.maskReach, top: -CoverageRasterizer.maskReach,
    right: CoverageRasterizer.maskReach, bottom: CoverageRasterizer.maskReach)

  package var width: Int { max(right - left, 0) }
  package var height: Int { max(bottom - top, 0) }
  package var isEmpty: Bool { width == 0 || height == 0 }

  /// Returns the box relative to another pixel.
  package func moved(dx: Int, dy: Int) -> PixelBox {
    PixelBox(left: left + dx, top: top + dy, right: right + dx, bottom: bottom + dy)
  }

  /// Returns the box extended by a number of pixels on each side.
  package func grown(by pixels: Int) -> PixelBox {
    PixelBox(
      left: left - pixels, top: top - pixels, right: right + pixels, bottom: bottom + pixels)
  }

  /// Returns the intersection with another box.
  package func clipped(to other: PixelBox) -> PixelBox {
    PixelBox(
      left: max(left, other.left), top: max(top, other.top), right: min(right, other.right),
      bottom: min(bottom, other.bottom))
  }

  /// Returns the box around this one and another; empty ones are ignored.
  package func joined(with other: PixelBox) -> PixelBox {
    if isEmpty { return other }
    if other.isEmpty { return self }
    return PixelBox(
      left: min(left, other.left), top: min(top, other.top), right: max(right, other.right),
      bottom: max(bottom, other.bottom))
  }
}
