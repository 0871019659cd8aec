/// A circle of MapLibre's `circle` layer: a disc, and a stroke around it.
///
/// Both follow its shaders, evaluated at pixel centres: the circle fades within the last pixel of
/// its radius, or within its blur, and the disc passes into the stroke within the pixel inside its
/// own radius. The coverages of disc and stroke add up to the coverage of the whole circle, so
/// that no seam shows.
package struct CircleShape: Hashable, Sendable {
  /// Radius of the disc, in pixels.
  package var radius: Double

  /// Width of the stroke outside the disc, in pixels.
  package var strokeWidth: Double

  /// MapLibre's `circle-blur`: the fraction of the whole radius over which the circle fades toward
  /// its rim. At 1 only the centre is opaque, above 1 not even the centre. The fade is at least
  /// one pixel wide.
  package var blur: Double

  package init(radius: Double, strokeWidth: Double = 0, blur: Double = 0) {
    self.radius = radius
    self.strokeWidth = strokeWidth
    self.blur = blur
  }

  /// The largest radius including its stroke, in pixels; larger ones are drawn at this size.
  package static let maxRadius = 4000.0

  /// The largest width of a fade, in pixels; nothing is visible of a wider one.
  private static let largestFade = 0x1p30

  /// Returns the mask of the disc, its centre `phaseX` / 256 and `phaseY` / 256 px from the corner
  /// of the anchor pixel.
  ///
  /// - Complexity: O(radius²), or O(pixels of the window) if that is smaller.
  package func fillMask(
    phaseX: Int32, phaseY: Int32, within window: PixelBox = .ofMasks,
    using rasterizer: CoverageRasterizer
  ) -> CoverageMask {
    mask(of: .fill, phaseX, phaseY, window, rasterizer)
  }

  /// Returns the mask of the stroke: what the circle with its stroke covers beyond the disc.
  ///
  /// - Complexity: as for ``fillMask(phaseX:phaseY:within:using:)``.
  package func strokeMask(
    phaseX: Int32, phaseY: Int32, within window: PixelBox = .ofMasks,
    using rasterizer: CoverageRasterizer
  ) -> CoverageMask {
    hasStroke ? mask(of: .stroke, phaseX, phaseY, window, rasterizer) : .empty
  }

  /// Whether there is a stroke; those under 1/100 px are not drawn, as in MapLibre.
  private var hasStroke: Bool { strokeWidth >= 0.01 }

  /// Whether the blur is intended, so that a faded pixel is not merely an antialiased edge.
  package var isBlurred: Bool { blur * drawnOuterRadius > 1 }

  /// Radius of the disc as it is drawn, in pixels.
  package var drawnRadius: Double { radius > 0 ? min(radius, CircleShape.maxRadius) : 0 }

  /// Radius of the disc and its stroke as they are drawn, in pixels.
  package var drawnOuterRadius: Double {
    min(drawnRadius + (hasStroke ? strokeWidth : 0), CircleShape.maxRadius)
  }

  private enum Part {
    case fill, stroke
  }

  /// Returns a mask of MapLibre's circle shaders.
  ///
  /// With fade width b, at least 1 px: the circle's opacity decreases smoothly from 1 at its outer
  /// radius − b to 0 at that radius; the stroke's share increases from 0 at the disc's radius − b to 1
  /// at that radius.
  private func mask(
    of part: Part, _ phaseX: Int32, _ phaseY: Int32, _ window: PixelBox,
    _ rasterizer: CoverageRasterizer
  ) -> CoverageMask {
    let outer = drawnOuterRadius
    guard outer > 0 else { return .empty }
    let firstColumn = Int((Double(phaseX) / 256 - outer).rounded(.down))
    let firstRow = Int((Double(phaseY) / 256 - outer).rounded(.down))
    let side = Int((2 * outer).rounded(.up)) + 1
    let left = max(firstColumn, window.left)
    let top = max(firstRow, window.top)
    let width = min(firstColumn + side, window.right) - left
    let height = min(firstRow + side, window.bottom) - top
    guard width > 0, height > 0 else { return .empty }
    let fade = isBlurred ? min(blur * outer, Self.largestFade) : 1
    let rim = Ramp(to: outer, width: fade)
    let seam = Ramp(to: hasStroke ? drawnRadius : .infinity, width: fade)
    let bytes = rasterizer.scratch(width * height)
    for row in 0..<height {
      let dy = Double(top + row) + 0.5 - Double(phaseY) / 256
      let line = row * width
      for column in 0..<width {
        let dx = Double(left + column) + 0.5 - Double(phaseX) / 256
        let square = dx * dx + dy * dy
        let whole = 255 - 255 * rim.height(atSquare: square)
        let stroke = UInt8((whole * seam.height(atSquare: square)).rounded())
        bytes[line + column] = part == .stroke ? stroke : UInt8(whole.rounded()) - stroke
      }
    }
    return CoverageMask(
      trimming: UnsafeBufferPointer(bytes), width: width, height: height, originX: left,
      originY: top)
  }

  /// A smooth rise from 0 to 1 (GLSL's smoothstep) up to a distance from the centre, in pixels.
  private struct Ramp {
    private let start: Double
    private let width: Double

    /// The squares of the distances at which it begins and ends; most pixels need no root.
    private let startSquare: Double
    private let endSquare: Double

    init(to end: Double, width: Double) {
      start = end - width
      self.width = width
      startSquare = start >= 0 ? start * start : -1
      endSquare = end * end
    }

    /// Returns the height at the square of a distance.
    @inline(__always)
    func height(atSquare square: Double) -> Double {
      if square <= startSquare { return 0 }
      if square >= endSquare { return 1 }
      let position = (square.squareRoot() - start) / width
      return position * position * (3 - 2 * position)
    }
  }
}
