import Platform

/// The glyphs of a text in their positions around its anchor, before rotation or bending.
///
/// A vertical text is set like a horizontal one whose upright glyphs are turned to the left; in
/// the end the whole text is turned to the right, as in MapLibre.
package struct TextLayout {
  /// A glyph, in pixels around the anchor.
  struct PlacedGlyph {
    let outline: GlyphOutline
    let section: Int
    /// Pixels per font unit.
    let scale: Double
    /// The position of the glyph's origin.
    let x: Double
    let baseline: Double
    /// The advance of the pen from this glyph to the next, without letter spacing.
    let advance: Double
    /// Whether the glyph stands upright in a vertical line.
    let isUpright: Bool
    /// The index of its cluster in ``TextLayout/middles``.
    let cluster: Int
    /// The image that stands instead of a glyph, its lower edge at the baseline, or its middle if it
    /// is upright.
    var image: InlineImage?
  }

  private(set) var glyphs: [PlacedGlyph] = []
  let sections: [TextSection]

  /// Width of the longest line, in pixels.
  package let width: Double

  /// Height of all lines, in pixels.
  package let height: Double

  /// The left and upper edges of the lines' boxes.
  package let left: Double
  package let top: Double

  package let lineCount: Int
  private(set) var missingGlyphs = 0

  /// Whether the lines run downward.
  private let isVertical: Bool

  /// Pixels per em.
  private let em: Double

  /// The middle of each cluster (a letter with its marks, a ligature), in pixels rightward from the
  /// anchor.
  package private(set) var middles: [Double] = []

  static let empty = TextLayout([], sections: [], style: TextStyle(), capHeight: 0)

  /// Places lines around the anchor.
  ///
  /// - Parameter capHeight: the height of a flat capital, in pixels.
  init(_ lines: [TextLine], sections: [TextSection], style: TextStyle, capHeight: Double) {
    self.sections = sections
    let lineHeight = style.pixels(style.lineHeight)
    em = style.drawnSize
    width = lines.reduce(0) { max($0, $1.width) }
    let excess = lines.reduce(0) { $0 + $1.imageExcess }
    height = lineHeight * lines.reduce(0) { $0 + $1.scale } + excess
    left = style.pixels(style.offsetX) - style.anchor.horizontal * width
    top = style.pixels(style.offsetY) - style.anchor.vertical * height
    lineCount = lines.count
    isVertical = style.writingMode != .horizontal
    var above = 0.0
    var excessAbove = 0.0
    for line in lines {
      let middle =
        excess == 0
        ? top + (above + 0.5 * line.scale) * lineHeight
        : top + above * lineHeight + excessAbove + lead(of: line, lineHeight: lineHeight)
      let baseline = middle + capHeight * line.scale / 2
      let start = left + (width - line.width) * style.justifyShare
      let firstCluster = middles.count
      middles += line.middles.map { start + $0 }
      for glyph in line.glyphs {
        if glyph.isMissing { missingGlyphs += 1 }
        let raised = glyph.isUpright ? 0 : sections[glyph.section].verticalAlign.shareBelow
        let extent = glyph.image.map { $0.height * em } ?? glyph.size
        let free = line.scale * em + line.imageExcess - extent
        var base = glyph.isUpright ? middle : baseline
        if let image = glyph.image, !glyph.isUpright {
          base = middle + line.scale * em * (1 - Self.capMiddle) + image.shiftY * em
        }
        let shift = glyph.isUpright ? 0 : (glyph.image?.shiftX ?? 0) * em
        glyphs.append(
          PlacedGlyph(
            outline: glyph.outline, section: glyph.section, scale: glyph.scale,
            x: start + glyph.x + shift,
            baseline: (raised == 0 ? base : base - free * raised) - glyph.rise,
            advance: glyph.advance, isUpright: glyph.isUpright,
            cluster: firstCluster + glyph.cluster, image: glyph.image))
      }
      above += line.scale
      excessAbove += line.imageExcess
    }
  }

  /// The share of an em above the middle of its capitals: 17 of MapLibre's 24 units.
  private static let capMiddle = 17.0 / 24

  /// Returns the distance from the upper edge of a line to the middle of its largest letters, for
  /// a text in which an image is higher than the letters of its line.
  ///
  /// As in MapLibre, such a text begins with the em box of its first line instead of half of the
  /// leading.
  private func lead(of line: TextLine, lineHeight: Double) -> Double {
    isVertical
      ? (line.scale * lineHeight + line.imageExcess) / 2
      : line.imageExcess + line.scale * em * Self.capMiddle
  }

  /// Returns the text's outline, rotated about the anchor.
  ///
  /// - Parameter rotate: the rotation in degrees, clockwise.
  func shaped(rotate: Double) -> ShapedText {
    let angle = rotate.isFinite ? rotate * .pi / 180 : 0
    var direction = (
      cosine: angle == 0 ? 1 : cos(angle), sine: angle == 0 ? 0 : sin(angle)
    )
    if isVertical { direction = (-direction.sine, direction.cosine) }
    return shaped { glyph in
      GlyphPlacement(
        scale: glyph.scale, x: glyph.x, y: glyph.baseline, cosine: direction.cosine,
        sine: direction.sine)
    }
  }

  /// Returns the text's outline with the middle of each cluster at its own position; clusters
  /// without one are omitted.
  package func shaped(along poses: [GlyphPose]) -> ShapedText {
    shaped { glyph in
      guard glyph.cluster < poses.count else { return nil }
      let pose = poses[glyph.cluster]
      return GlyphPlacement(
        scale: glyph.scale, x: glyph.x - middles[glyph.cluster], y: glyph.baseline,
        cosine: Double(pose.cosine), sine: Double(pose.sine), originX: Double(pose.x),
        originY: Double(pose.y))
    }
  }

  private func shaped(_ placement: (PlacedGlyph) -> GlyphPlacement?) -> ShapedText {
    var parts: [ShapedText.Part] = []
    var images: [ShapedText.PlacedImage] = []
    for glyph in glyphs {
      guard let placement = placement(glyph) else { continue }
      if let image = glyph.image {
        images.append(placed(image, glyph, placement))
        continue
      }
      let color = sections[glyph.section].color
      let part = parts.firstIndex { $0.color == color } ?? parts.count
      if part == parts.count { parts.append(ShapedText.Part(color: color, path: Path())) }
      parts[part].path.append(
        glyph.outline, placed: glyph.isUpright ? placement.turnedLeft : placement)
    }
    return ShapedText(parts: parts, images: images, layout: self)
  }

  /// Returns an image at its middle, with the rotation of the letters beside it.
  private func placed(
    _ image: InlineImage, _ glyph: PlacedGlyph, _ placement: GlyphPlacement
  ) -> ShapedText.PlacedImage {
    let (width, height) = (image.width * em, image.height * em)
    let x = placement.x + (glyph.isUpright ? glyph.advance : width) / 2
    let y = placement.y - (glyph.isUpright ? 0 : height / 2)
    let angle = atan2(placement.sine, placement.cosine) * 180 / .pi
    return ShapedText.PlacedImage(
      number: image.number, x: x * placement.cosine - y * placement.sine + placement.originX,
      y: x * placement.sine + y * placement.cosine + placement.originY,
      width: width, height: height, rotate: glyph.isUpright ? angle - 90 : angle)
  }
}
