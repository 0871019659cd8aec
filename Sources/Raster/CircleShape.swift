/// A circle of MapLibre's `circle` layer: a disc, and a stroke around it.
///
/// Without blur both are exact area coverage (MapLibre fades the last pixel inward instead). With
/// blur they follow its shader, evaluated at pixel centres. The coverages of disc and stroke add up
/// to that of the whole, so ``Pixmap/blend(_:color:border:borderColor:x:y:)`` shows no seam.
package struct CircleShape: Hashable, Sendable {
  /// Radius of the disc, in pixels.
  package var radius: Double

  /// Width of the stroke outside the disc, in pixels.
  package var strokeWidth: Double

  /// MapLibre's `circle-blur`: the fraction of the whole radius that fades toward the rim; 1 leaves
  /// only the centre opaque, more than 1 not even that. There is no blur if the fading part is at
  /// most a pixel wide, or if it is negative.
  package var blur: Double

  package init(radius: Double, strokeWidth: Double = 0, blur: Double = 0) {
    self.radius = radius
    self.strokeWidth = strokeWidth
    self.blur = blur
  }

  /// The largest radius including its stroke, in pixels; larger ones are drawn at this size.
  package static let maxRadius = 4000.0

  /// Returns the mask of the disc, its centre `phaseX` / 256 and `phaseY` / 256 px from the corner
  /// of the anchor pixel.
  ///
  /// - Complexity: O(radius²), or O(pixels of the window) if that is smaller.
  package func fillMask(
    phaseX: Int32, phaseY: Int32, within window: PixelBox = .ofMasks,
    using rasterizer: CoverageRasterizer
  ) -> CoverageMask {
    if isBlurred { return blurred(.fill, phaseX, phaseY, window, rasterizer) }
    return disc(drawnRadius, phaseX, phaseY, window, rasterizer)
  }

  /// Returns the mask of the stroke: what the circle with its stroke covers beyond the disc.
  ///
  /// - Complexity: as for ``fillMask(phaseX:phaseY:within:using:)``.
  package func strokeMask(
    phaseX: Int32, phaseY: Int32, within window: PixelBox = .ofMasks,
    using rasterizer: CoverageRasterizer
  ) -> CoverageMask {
    guard hasStroke else { return .empty }
    if isBlurred { return blurred(.stroke, phaseX, phaseY, window, rasterizer) }
    let whole = disc(drawnOuterRadius, phaseX, phaseY, window, rasterizer)
    return whole.subtracting(disc(drawnRadius, phaseX, phaseY, window, rasterizer))
  }

  /// Whether there is a stroke; those under 1/100 px are not drawn, as in MapLibre.
  private var hasStroke: Bool { strokeWidth >= 0.01 }

  /// Whether the circle is intentionally blurred. MapLibre fades at least the outermost pixel,
  /// whatever the blur; here area coverage takes its place.
  package var isBlurred: Bool { blur * drawnOuterRadius > 1 }

  /// Radius of the disc as it is drawn, in pixels.
  package var drawnRadius: Double { radius > 0 ? min(radius, CircleShape.maxRadius) : 0 }

  /// Radius of the disc and its stroke as they are drawn, in pixels.
  package var drawnOuterRadius: Double {
    min(drawnRadius + (hasStroke ? strokeWidth : 0), CircleShape.maxRadius)
  }

  private func disc(
    _ radius: Double, _ phaseX: Int32, _ phaseY: Int32, _ window: PixelBox,
    _ rasterizer: CoverageRasterizer
  ) -> CoverageMask {
    rasterizer.mask(
      of: .circle(centerX: phaseX, centerY: phaseY, radius: radius), rule: .nonZero, within: window)
  }

  private enum Part {
    case fill, stroke
  }

  /// Returns a mask of the fading circle of MapLibre's circle shaders.
  ///
  /// With distances in whole radii and fade width b, at least 1 px: the circle's opacity decreases
  /// smoothly from 1 at 1 − b to 0 at 1; the stroke's share increases from 0 at r − b to 1 at r,
  /// the disc's own radius.
  private func blurred(
    _ part: Part, _ phaseX: Int32, _ phaseY: Int32, _ window: PixelBox,
    _ rasterizer: CoverageRasterizer
  ) -> CoverageMask {
    let outer = drawnOuterRadius
    guard outer > 0 else { return .empty }
    let fade = max(blur, 1 / outer)
    let inner = drawnRadius / outer
    let reach = outer + 1
    let firstColumn = Int((Double(phaseX) / 256 - reach).rounded(.down))
    let firstRow = Int((Double(phaseY) / 256 - reach).rounded(.down))
    let side = Int((2 * reach).rounded(.up)) + 1
    let left = max(firstColumn, window.left)
    let top = max(firstRow, window.top)
    let width = min(firstColumn + side, window.right) - left
    let height = min(firstRow + side, window.bottom) - top
    guard width > 0, height > 0 else { return .empty }
    let bytes = rasterizer.scratch(width * height)
    for row in 0..<height {
      let dy = (Double(top + row) + 0.5) * 256 - Double(phaseY)
      for column in 0..<width {
        let dx = (Double(left + column) + 0.5) * 256 - Double(phaseX)
        let distance = (dx * dx + dy * dy).squareRoot() / 256 / outer
        let whole = 255 * smoothed((1 - distance) / fade)
        let share = hasStroke ? smoothed((distance - inner) / fade + 1) : 0
        let stroke = UInt8((whole * share).rounded())
        bytes[row * width + column] = part == .stroke ? stroke : UInt8(whole.rounded()) - stroke
      }
    }
    return CoverageMask(
      trimming: UnsafeBufferPointer(bytes), width: width, height: height, originX: left,
      originY: top)
  }

  /// Returns GLSL's smoothstep of a position in 0 … 1.
  private func smoothed(_ position: Double) -> Double {
    let t = min(max(position, 0), 1)
    return t * t * (3 - 2 * t)
  }
}
