import Raster

/// The extent of a sprite's visible pixels, without the pixels: row by row, from the first to the
/// last visible one, relative to the anchor pixel.
package struct SpriteExtent: Hashable, Sendable {
  package let originX: Int
  package let originY: Int
  package let width: Int
  package let height: Int
  package let rowStarts: ContiguousArray<Int16>
  package let rowEnds: ContiguousArray<Int16>

  /// One bit per pixel, row by row, set if the pixel is visible; empty if every row is one run, as
  /// in discs. Rings and texts have gaps, into which a whole tile may fit.
  package let gapMask: ContiguousArray<UInt64>

  package var isEmpty: Bool { height == 0 }

  package init(
    originX: Int, originY: Int, width: Int, height: Int, rowStarts: ContiguousArray<Int16>,
    rowEnds: ContiguousArray<Int16>, gapMask: ContiguousArray<UInt64>
  ) {
    self.originX = originX
    self.originY = originY
    self.width = width
    self.height = height
    self.rowStarts = rowStarts
    self.rowEnds = rowEnds
    self.gapMask = gapMask
  }

  /// Creates the extent of a symbol of which only the box is known: all pixels of the box.
  init(_ box: PixelBox) {
    self.init(
      originX: box.left, originY: box.top, width: box.width, height: box.height, rowStarts: [],
      rowEnds: [], gapMask: [])
  }

  /// Returns whether a visible pixel lies in a half-open box relative to the anchor.
  ///
  /// - Complexity: O(1) if the box cuts the sprite along one axis only, otherwise O(height), or
  ///   O(pixels in the box) with gaps.
  func isVisible(left: Int, top: Int, right: Int, bottom: Int) -> Bool {
    let x0 = max(left - originX, 0)
    let x1 = min(right - originX, width)
    let y0 = max(top - originY, 0)
    let y1 = min(bottom - originY, height)
    guard x0 < x1, y0 < y1 else { return false }
    // The extent is tight: its outermost rows and columns each hold a visible pixel.
    if x0 == 0, x1 == width, y0 == 0 || y1 == height { return true }
    if y0 == 0, y1 == height, x0 == 0 || x1 == width { return true }
    for y in y0..<y1 {
      let start = max(Int(rowStarts[y]), x0)
      let end = min(Int(rowEnds[y]), x1)
      guard start < end else { continue }
      if gapMask.isEmpty || (start..<end).contains(where: { isSet(y * width + $0) }) { return true }
    }
    return false
  }

  private func isSet(_ pixel: Int) -> Bool {
    gapMask[pixel / 64] >> UInt64(pixel % 64) & 1 != 0
  }
}
