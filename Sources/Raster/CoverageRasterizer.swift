/// A rasterizer that fills outlines with exact area coverage; the scratch memory of one worker, not
/// shared.
package final class CoverageRasterizer {
  /// The distance in pixels from the anchor at which masks end; larger shapes are drawn by
  /// ``fill``.
  package static let maskReach = 2048

  private var accumulator = CoverageAccumulator()

  /// A buffer for a whole mask, or for one row of a fill.
  private var bytes = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: 0)

  /// Distances around an outline, for halos.
  var distances = OutlineDistances()

  package init() {}

  deinit {
    bytes.deallocate()
  }

  /// Returns the pixels that a path covers, relative to pixel (0, 0) of the path's own coordinates.
  ///
  /// - Complexity: O(vertices + pixels of the path's box within the window).
  package func mask(
    of path: Path, rule: FillRule, within window: PixelBox = .ofMasks
  ) -> CoverageMask {
    guard let box = path.bounds else { return .empty }
    let left = max(Int(box.minX) >> 8, window.left)
    let top = max(Int(box.minY) >> 8, window.top)
    let width = min((Int(box.maxX) + 255) >> 8, window.right) - left
    let height = min((Int(box.maxY) + 255) >> 8, window.bottom) - top
    guard width > 0, height > 0 else { return .empty }
    let mask = scratch(width * height)
    mask.update(repeating: 0)
    accumulator.begin(width: width, height: height)
    accumulator.add(path, originX: left, originY: top)
    for row in 0..<height {
      let line = UnsafeMutableBufferPointer(rebasing: mask[(row * width)..<((row + 1) * width)])
      _ = accumulator.sweep(row: row, rule: rule, into: line)
    }
    return CoverageMask(
      trimming: UnsafeBufferPointer(mask), width: width, height: height, originX: left,
      originY: top)
  }

  /// Fills a path into a picture, source over destination.
  ///
  /// The result equals blending the path's mask exactly, for shapes of any size.
  ///
  /// - Parameters:
  ///   - offsetX: the picture's column of the path's pixel 0, within ± 2²² px.
  ///   - offsetY: the picture's row of the path's pixel 0, within ± 2²² px.
  /// - Complexity: O(vertices + pixels between the first and the last edge of each row).
  package func fill(
    _ path: Path, rule: FillRule, color: PremultipliedColor, into pixmap: Pixmap, offsetX: Int,
    offsetY: Int
  ) {
    guard color != .transparent else { return }
    let originX = -min(max(offsetX, -0x40_0000), 0x40_0000)
    let originY = -min(max(offsetY, -0x40_0000), 0x40_0000)
    let line = scratch(pixmap.width)
    accumulator.begin(width: pixmap.width, height: pixmap.height)
    accumulator.add(path, originX: originX, originY: originY)
    for row in 0..<pixmap.height {
      let columns = accumulator.sweep(row: row, rule: rule, into: line)
      guard !columns.isEmpty else { continue }
      pixmap.blendRow(
        UnsafeBufferPointer(rebasing: line[columns]), color: color,
        at: row * pixmap.width + columns.lowerBound)
    }
  }

  /// Returns at least `count` uninitialized bytes, valid until the next call.
  func scratch(_ count: Int) -> UnsafeMutableBufferPointer<UInt8> {
    if bytes.count < count {
      bytes.deallocate()
      bytes = .allocate(capacity: count)
      bytes.initialize(repeating: 0)
    }
    return UnsafeMutableBufferPointer(rebasing: bytes[0..<count])
  }
}
