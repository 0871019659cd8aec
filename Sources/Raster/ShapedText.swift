import Platform

/// A text laid out around its anchor, ready to be drawn anywhere.
package struct ShapedText: Sendable {
  /// A rectangle in px, y downward.
  package struct Box: Hashable, Sendable {
    package var minX: Double
    package var minY: Double
    package var maxX: Double
    package var maxY: Double

    package init(minX: Double, minY: Double, maxX: Double, maxY: Double) {
      self.minX = minX
      self.minY = minY
      self.maxX = maxX
      self.maxY = maxY
    }

    /// The box around this one turned clockwise about (0, 0).
    func turned(degrees: Double) -> Box {
      let (cosine, sine) = (cos(degrees * .pi / 180), sin(degrees * .pi / 180))
      let corners = [(minX, minY), (maxX, minY), (maxX, maxY), (minX, maxY)]
      let xs = corners.map { $0.0 * cosine - $0.1 * sine }
      let ys = corners.map { $0.0 * sine + $0.1 * cosine }
      return Box(
        minX: xs.min() ?? 0, minY: ys.min() ?? 0, maxX: xs.max() ?? 0, maxY: ys.max() ?? 0)
    }
  }

  /// The glyphs of one colour.
  package struct Part: Sendable {
    /// That of their section; the text's own where it is nil.
    package let color: Color?

    /// Their outlines, in 1/256 px, the anchor at (0, 0).
    package internal(set) var path: Path

    init(color: Color?, path: Path) {
      self.color = color
      self.path = path
    }

    /// As ``ShapedText/fillMask(phaseX:phaseY:within:using:)``.
    package func fillMask(
      phaseX: Int32, phaseY: Int32, within window: PixelBox = .ofMasks,
      using rasterizer: CoverageRasterizer
    ) -> CoverageMask {
      rasterizer.mask(
        of: path.translated(dx: phaseX, dy: phaseY), rule: .nonZero, within: window)
    }
  }

  /// The glyphs by colour, in the order of their first ones.
  package let parts: [Part]

  /// The outlines of all glyphs, in 1/256 px, the anchor at (0, 0).
  package let path: Path

  /// Of the longest line, px, not rotated.
  package let width: Double

  /// Of all lines, px, not rotated.
  package let height: Double

  package let lineCount: Int

  /// Characters that no face has; a box stands for each.
  package let missingGlyphs: Int

  /// What the lines' boxes take up around the anchor, px, not rotated.
  package let layoutBounds: Box

  /// What the outlines take up around the anchor, px; nil where nothing is visible.
  package let bounds: Box?

  /// A text without characters.
  package static let empty = ShapedText(parts: [], layout: .empty)

  init(parts: [Part], layout: TextLayout) {
    self.parts = parts
    if parts.count == 1 {
      path = parts[0].path
    } else {
      var whole = Path()
      for part in parts { whole.append(part.path) }
      path = whole
    }
    width = layout.width
    height = layout.height
    lineCount = layout.lineCount
    missingGlyphs = layout.missingGlyphs
    layoutBounds = Box(
      minX: layout.left, minY: layout.top, maxX: layout.left + width, maxY: layout.top + height)
    bounds = path.bounds.map { box in
      Box(
        minX: Double(box.minX) / 256, minY: Double(box.minY) / 256, maxX: Double(box.maxX) / 256,
        maxY: Double(box.maxY) / 256)
    }
  }

  /// The text with its anchor `phaseX` / 256 and `phaseY` / 256 px from the corner of the mask's
  /// anchor pixel.
  package func fillMask(
    phaseX: Int32, phaseY: Int32, within window: PixelBox = .ofMasks,
    using rasterizer: CoverageRasterizer
  ) -> CoverageMask {
    rasterizer.mask(of: path.translated(dx: phaseX, dy: phaseY), rule: .nonZero, within: window)
  }

  /// The halo of the text, which is drawn before the text and lies under it, too.
  ///
  /// MapLibre leaves the halo out where the text is; where that is to be seen, because the text is
  /// translucent, use ``CoverageMask/hollowed(by:)``.
  ///
  /// - Parameters:
  ///   - width: how far the halo reaches beyond the outline, px; nothing is drawn at 0 or less.
  ///   - blur: how far its rim fades, px, as `text-halo-blur`.
  /// - Complexity: O(edges · reach²).
  package func haloMask(
    width: Double, blur: Double, phaseX: Int32, phaseY: Int32,
    within window: PixelBox = .ofMasks, using rasterizer: CoverageRasterizer
  ) -> CoverageMask {
    rasterizer.halo(
      of: path.translated(dx: phaseX, dy: phaseY), width: width, blur: blur, within: window)
  }
}
