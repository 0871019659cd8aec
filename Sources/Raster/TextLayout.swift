import Platform

/// The glyphs of a text in their positions around its anchor, before rotation or bending.
package struct TextLayout {
  /// A glyph, in pixels around the anchor.
  struct PlacedGlyph {
    let outline: GlyphOutline
    let section: Int
    /// Pixels per font unit.
    let scale: Double
    /// The position of the pen at the glyph's origin.
    let x: Double
    let baseline: Double
    /// The advance of the pen from this glyph to the next, without letter spacing.
    let advance: Double
  }

  let glyphs: [PlacedGlyph]
  let sections: [TextSection]

  /// Width of the longest line, in pixels.
  package let width: Double

  /// Height of all lines, in pixels.
  package let height: Double

  /// The left and upper edges of the lines' boxes.
  package let left: Double
  package let top: Double

  package let lineCount: Int
  let missingGlyphs: Int

  static let empty = TextLayout(
    glyphs: [], sections: [], width: 0, height: 0, left: 0, top: 0, lineCount: 0, missingGlyphs: 0)

  /// The middle of each glyph, in pixels rightward from the anchor.
  package var middles: [Double] { glyphs.map { $0.x + $0.advance / 2 } }

  /// Returns the text's outline, rotated about the anchor.
  ///
  /// - Parameter rotate: the rotation in degrees, clockwise.
  func shaped(rotate: Double) -> ShapedText {
    let angle = rotate.isFinite ? rotate * .pi / 180 : 0
    let cosine = angle == 0 ? 1 : cos(angle)
    let sine = angle == 0 ? 0 : sin(angle)
    return shaped { _, glyph in
      GlyphPlacement(
        scale: glyph.scale, x: glyph.x, y: glyph.baseline, cosine: cosine, sine: sine)
    }
  }

  /// Returns the text's outline with the middle of each glyph at its own position; glyphs without
  /// one are omitted.
  package func shaped(along poses: [GlyphPose]) -> ShapedText {
    shaped { index, glyph in
      guard index < poses.count else { return nil }
      let pose = poses[index]
      return GlyphPlacement(
        scale: glyph.scale, x: -glyph.advance / 2, y: glyph.baseline, cosine: Double(pose.cosine),
        sine: Double(pose.sine), originX: Double(pose.x), originY: Double(pose.y))
    }
  }

  private func shaped(_ placement: (Int, PlacedGlyph) -> GlyphPlacement?) -> ShapedText {
    var parts: [ShapedText.Part] = []
    for (index, glyph) in glyphs.enumerated() {
      guard let placement = placement(index, glyph) else { continue }
      let color = sections[glyph.section].color
      let part = parts.firstIndex { $0.color == color } ?? parts.count
      if part == parts.count { parts.append(ShapedText.Part(color: color, path: Path())) }
      parts[part].path.append(glyph.outline, placed: placement)
    }
    return ShapedText(parts: parts, layout: self)
  }
}
