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

  /// The corners and the coverage of circles, for charts.
  var turns = TurnTable()
  private var discs = DiscCoverage()

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
    let mask = coverage(
      of: path, rule: rule,
      in: PixelBox(left: left, top: top, right: left + width, bottom: top + height))
    return CoverageMask(
      trimming: UnsafeBufferPointer(mask), width: width, height: height, originX: left,
      originY: top)
  }

  /// Returns the coverage of every pixel of a box, row by row, valid until the next call.
  ///
  /// - Complexity: O(vertices + pixels of the box).
  func coverage(
    of path: Path, rule: FillRule, in box: PixelBox
  ) -> UnsafeMutableBufferPointer<UInt8> {
    accumulator.begin(width: box.width, height: box.height)
    accumulator.add(path, originX: box.left, originY: box.top)
    return swept(box, rule)
  }

  /// Returns the coverage of every pixel of a box by one closed contour, row by row, valid until the next
  /// call.
  func coverage(
    ofClosed contour: UnsafeBufferPointer<Path.Point>, in box: PixelBox
  ) -> UnsafeMutableBufferPointer<UInt8> {
    accumulator.begin(width: box.width, height: box.height)
    withUnsafePointer(to: Int32(contour.count)) { end in
      accumulator.add(
        contour, contourEnds: UnsafeBufferPointer(start: end, count: 1), originX: box.left,
        originY: box.top)
    }
    return swept(box, .nonZero)
  }

  /// Returns the coverage of a disc, which is drawn where it is not known, valid until the next call.
  func coverage(
    of disc: DiscCoverage.Disc, orDrawn draw: () -> UnsafeMutableBufferPointer<UInt8>
  ) -> UnsafeMutableBufferPointer<UInt8> {
    if let known = discs[disc] {
      let bytes = scratch(known.count)
      _ = bytes.initialize(from: known)
      return bytes
    }
    let bytes = draw()
    discs[disc] = ContiguousArray(bytes)
    return bytes
  }

  private func swept(_ box: PixelBox, _ rule: FillRule) -> UnsafeMutableBufferPointer<UInt8> {
    let width = box.width
    let mask = scratch(width * box.height)
    mask.update(repeating: 0)
    for row in 0..<box.height {
      let line = UnsafeMutableBufferPointer(rebasing: mask[(row * width)..<((row + 1) * width)])
      _ = accumulator.sweep(row: row, rule: rule, into: line)
    }
    return mask
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
