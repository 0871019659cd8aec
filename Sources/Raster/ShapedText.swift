import Platform

/// A text laid out around its anchor, ready to be drawn anywhere.
package struct ShapedText: Sendable {
  /// A rectangle in pixels, y downward.
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

    /// Returns the box around this one and another.
    func joined(with other: Box) -> Box {
      Box(
        minX: min(minX, other.minX), minY: min(minY, other.minY), maxX: max(maxX, other.maxX),
        maxY: max(maxY, other.maxY))
    }

    /// Returns the box around this one rotated clockwise about (0, 0).
    package func turned(degrees: Double) -> Box {
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
    /// The colour of their section; nil for the colour of the text.
    package let color: Color?

    /// The outlines in 1/256 px, the anchor at (0, 0).
    package internal(set) var path: Path

    init(color: Color?, path: Path) {
      self.color = color
      self.path = path
    }

    /// Returns the mask, as ``ShapedText/fillMask(phaseX:phaseY:within:using:)`` does.
    package func fillMask(
      phaseX: Int32, phaseY: Int32, within window: PixelBox = .ofMasks,
      using rasterizer: CoverageRasterizer
    ) -> CoverageMask {
      rasterizer.mask(
        of: path.translated(dx: phaseX, dy: phaseY), rule: .nonZero, within: window)
    }
  }

  /// An image among the glyphs, in pixels around the anchor.
  package struct PlacedImage: Hashable, Sendable {
    /// The index of the image among the images of the text.
    package let number: Int

    /// The position of its middle.
    package let x: Double
    package let y: Double
    package let width: Double
    package let height: Double

    /// The rotation about its middle, in degrees clockwise.
    package let rotate: Double

    /// The box around the image and the pixels beside it that it may touch.
    var box: Box {
      let flat = Box(minX: -width / 2, minY: -height / 2, maxX: width / 2, maxY: height / 2)
      let turned = rotate == 0 ? flat : flat.turned(degrees: rotate)
      return Box(
        minX: x + turned.minX - 1, minY: y + turned.minY - 1, maxX: x + turned.maxX + 1,
        maxY: y + turned.maxY + 1)
    }
  }

  /// The glyphs by colour, in the order of first occurrence.
  package let parts: [Part]

  /// The images in the order of the lines.
  package let images: [PlacedImage]

  /// The outlines of all glyphs in 1/256 px, the anchor at (0, 0).
  package let path: Path

  /// Width of the longest line, in pixels, not rotated.
  package let width: Double

  /// Height of all lines, in pixels, not rotated.
  package let height: Double

  package let lineCount: Int

  /// The number of characters that no face has; a box is drawn for each.
  package let missingGlyphs: Int

  /// The extent of the lines' boxes around the anchor, in pixels, not rotated.
  package let layoutBounds: Box

  /// The extent of outlines and images around the anchor, in pixels; nil if nothing is visible.
  package let bounds: Box?

  init(parts: [Part], images: [PlacedImage] = [], layout: TextLayout) {
    self.parts = parts
    self.images = images
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
    let outlines = path.bounds.map { box in
      Box(
        minX: Double(box.minX) / 256, minY: Double(box.minY) / 256, maxX: Double(box.maxX) / 256,
        maxY: Double(box.maxY) / 256)
    }
    bounds = images.reduce(outlines) { whole, image in whole?.joined(with: image.box) ?? image.box }
  }

  /// Returns the mask of the text with its anchor `phaseX` / 256 and `phaseY` / 256 px from the
  /// corner of the mask's anchor pixel.
  package func fillMask(
    phaseX: Int32, phaseY: Int32, within window: PixelBox = .ofMasks,
    using rasterizer: CoverageRasterizer
  ) -> CoverageMask {
    rasterizer.mask(of: path.translated(dx: phaseX, dy: phaseY), rule: .nonZero, within: window)
  }

  /// Returns the mask of the text's halo, which is drawn before the text. As in MapLibre Native
  /// the halo lies under the whole text, even if the text is translucent; MapLibre GL JS leaves it
  /// out under the glyphs.
  ///
  /// - Parameters:
  ///   - width: the width of the halo beyond the outline, in pixels; nothing is drawn at 0 or less.
  ///   - blur: the width of its fading rim, in pixels, as in `text-halo-blur`.
  /// - Complexity: O(edges · reach²).
  package func haloMask(
    width: Double, blur: Double, phaseX: Int32, phaseY: Int32,
    within window: PixelBox = .ofMasks, using rasterizer: CoverageRasterizer
  ) -> CoverageMask {
    rasterizer.halo(
      of: path.translated(dx: phaseX, dy: phaseY), width: width, blur: blur, within: window)
  }
}
