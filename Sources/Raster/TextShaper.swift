/// A shaper that lays texts out like MapLibre's symbol layers; owned by one worker, because of its
/// caches.
///
/// Kerned and unhinted: every length is the font's own times the size. A line's height box has the
/// height of a flat capital in its middle, so digits anchored at their centre are centred (as in
/// MapLibre with its usual fonts). Right-to-left runs are put in visual order, and Arabic letters
/// are joined where the font has their presentation forms.
package final class TextShaper {
  /// Maximum number of characters of a text; the rest are dropped.
  package static let maxLength = 2000

  private let fonts: FontLibrary
  private var sources: [[String]: GlyphSource] = [:]

  package init(fonts: FontLibrary) {
    self.fonts = fonts
  }

  /// Returns the outline of a text around its anchor.
  ///
  /// - Throws: ``FontError`` if a font's file cannot be read.
  /// - Complexity: O(length + possible line breaks²).
  package func shape(_ text: String, style: TextStyle) throws -> ShapedText {
    try shape([TextSection(text)], style: style)
  }

  /// Returns the outline of a text in sections around its anchor.
  package func shape(_ sections: [TextSection], style: TextStyle) throws -> ShapedText {
    try layout(sections, style: style).shaped(rotate: style.rotate)
  }

  /// Returns the glyphs of a text in their positions around its anchor, not rotated.
  ///
  /// The height of a line is that of its largest section; all sections share its baseline, except
  /// for those with another alignment: their em boxes are aligned, as in MapLibre.
  ///
  /// - Throws: ``FontError`` if a font's file cannot be read.
  /// - Complexity: O(length + possible line breaks²).
  package func layout(_ sections: [TextSection], style: TextStyle) throws -> TextLayout {
    guard style.drawnSize > 0 else { return .empty }
    let lines = try lines(of: sections, style: style)
    let width = lines.reduce(0) { max($0, $1.width) }
    let lineHeight = style.pixels(style.lineHeight)
    let height = lineHeight * lines.reduce(0) { $0 + $1.scale }
    let left = style.pixels(style.offsetX) - style.anchor.horizontal * width
    let top = style.pixels(style.offsetY) - style.anchor.vertical * height
    let primary = try source(for: style.fontStack).primary
    let capHeight = Double(primary.capHeight) / Double(primary.unitsPerEm) * style.drawnSize
    var glyphs: [TextLayout.PlacedGlyph] = []
    var missingGlyphs = 0
    var above = 0.0
    for line in lines {
      let baseline = top + (above + 0.5 * line.scale) * lineHeight + capHeight * line.scale / 2
      let start = left + (width - line.width) * style.justifyShare
      for pen in line.pens {
        if pen.glyph.index == 0 { missingGlyphs += 1 }
        let raised = sections[pen.section].verticalAlign.shareBelow
        let free = line.scale * style.drawnSize - pen.size
        glyphs.append(
          TextLayout.PlacedGlyph(
            outline: pen.glyph.outline, section: pen.section,
            scale: pen.size / Double(pen.glyph.face.unitsPerEm), x: start + pen.x,
            baseline: raised == 0 ? baseline : baseline - free * raised,
            advance: pen.glyph.advance * pen.size))
      }
      above += line.scale
    }
    return TextLayout(
      glyphs: glyphs, sections: sections, width: width, height: height, left: left, top: top,
      lineCount: lines.count, missingGlyphs: missingGlyphs)
  }

  /// Returns the width of the longest line of a text in sections, in pixels.
  package func advanceWidth(of sections: [TextSection], style: TextStyle) throws -> Double {
    guard style.drawnSize > 0 else { return 0 }
    return try lines(of: sections, style: style).reduce(0) { max($0, $1.width) }
  }

  /// A glyph and the position of its pen, in pixels from the start of the line.
  private struct Pen {
    let glyph: GlyphSource.Glyph
    let section: Int
    /// Pixels per em.
    let size: Double
    let x: Double
  }

  private struct Line {
    var pens: [Pen] = []
    var width = 0.0
    /// The scale of the largest section; 1 for a line without characters.
    var scale = 1.0
  }

  /// A character and the section that it belongs to.
  private struct Character {
    let scalar: Unicode.Scalar
    let section: Int
  }

  /// The face and size of one section.
  private struct SectionFace {
    let source: GlyphSource
    /// A factor on the style's size.
    let scale: Double
  }

  private func source(for stack: [String]) throws -> GlyphSource {
    if let known = sources[stack] { return known }
    let source = try GlyphSource(stack: stack, fonts: fonts)
    if sources.count >= 64 { sources.removeAll() }
    sources[stack] = source
    return source
  }

  private func lines(of sections: [TextSection], style: TextStyle) throws -> [Line] {
    let drawable = TextShaper.drawable(sections)
    guard !drawable.isEmpty else { return [] }
    let size = style.drawnSize
    let faces = try sections.map { section in
      SectionFace(
        source: try source(for: section.fontStack ?? style.fontStack),
        scale: min(section.scale, TextStyle.maxSize / size))
    }
    let characters = try joined(drawable, faces: faces)
    let spacing = style.pixels(style.letterSpacing) / size
    let advances = try characters.map { character in
      guard !TextShaper.isInvisible(character.scalar) else { return 0.0 }
      let face = faces[character.section]
      return 24 * (try face.source.glyph(of: character.scalar).advance * face.scale + spacing)
    }
    let breaker = LineBreaker(maxWidth: style.maxWidth > 0 ? style.maxWidth * 24 : .infinity)
    let scalars = characters.map(\.scalar)
    let order = VisualOrder(scalars)
    return try breaker.lines(scalars, advances: advances).map { range in
      try line(characters, range, order, faces: faces, style: style)
    }
  }

  /// Returns the characters with Arabic letters joined, as far as the face of each has the forms.
  private func joined(_ characters: [Character], faces: [SectionFace]) throws -> [Character] {
    let scalars = characters.map(\.scalar)
    guard ArabicJoining.concerns(scalars) else { return characters }
    let drawn = try ArabicJoining.joined(
      scalars, isOne: { characters[$0].section == characters[$1].section },
      hasForm: { form, index in
        let source = faces[characters[index].section].source
        let (glyph, letter) = (try source.glyph(of: form), try source.glyph(of: scalars[index]))
        return glyph.index != 0 && glyph.face === letter.face
      })
    return zip(drawn, characters).compactMap { scalar, character in
      scalar.map { Character(scalar: $0, section: character.section) }
    }
  }

  private func line(
    _ characters: [Character], _ range: Range<Int>, _ order: VisualOrder, faces: [SectionFace],
    style: TextStyle
  ) throws -> Line {
    let spacing = style.pixels(style.letterSpacing)
    var line = Line()
    line.scale = characters[range].reduce(0) { max($0, faces[$1.section].scale) }
    if line.scale == 0 { line.scale = 1 }
    var pen = 0.0
    for (index, scalar) in order.line(range) where !TextShaper.isInvisible(scalar) {
      let section = characters[index].section
      let size = style.drawnSize * faces[section].scale
      let glyph = try faces[section].source.glyph(of: scalar)
      if let last = line.pens.last {
        pen += spacing
        if last.glyph.face === glyph.face, last.size == size {
          let kerning = glyph.face.kerning(last.glyph.index, glyph.index)
          pen += Double(kerning) / Double(glyph.face.unitsPerEm) * size
        }
      }
      line.pens.append(Pen(glyph: glyph, section: section, size: size, x: pen))
      pen += glyph.advance * size
    }
    line.width = max(pen, 0)
    return line
  }

  /// Returns the scalars that are drawn or break lines; line ends as "\n", other white space as
  /// spaces.
  private static func drawable(_ sections: [TextSection]) -> [Character] {
    var characters: [Character] = []
    var read = 0
    var wasReturn = false
    for (number, section) in sections.enumerated() {
      for scalar in section.text.unicodeScalars {
        read += 1
        guard read <= maxLength else { return characters }
        if let drawn = drawn(scalar, after: wasReturn) {
          characters.append(Character(scalar: drawn, section: number))
        }
        wasReturn = scalar == "\r"
      }
    }
    return characters
  }

  /// Returns the scalar that replaces another; `nil` if it is dropped.
  private static func drawn(_ scalar: Unicode.Scalar, after isReturn: Bool) -> Unicode.Scalar? {
    switch scalar {
    case "\u{20}"..."\u{7E}": return scalar
    case "\n" where isReturn: return nil
    case "\n", "\r", "\u{85}", "\u{2028}", "\u{2029}": return "\n"
    case "\t", "\u{0B}", "\u{0C}": return " "
    case "\u{AD}", "\u{200B}"..."\u{200F}", "\u{61C}": return scalar
    default:
      let properties = scalar.properties
      let isHidden =
        properties.generalCategory == .control || properties.isDefaultIgnorableCodePoint
      return isHidden ? nil : scalar
    }
  }

  /// Whether a scalar of a label needs a glyph.
  package static func needsGlyph(_ scalar: Unicode.Scalar) -> Bool {
    drawn(scalar, after: false).map { !isInvisible($0) } ?? false
  }

  /// Whether a scalar only affects line breaking, joining of letters or direction.
  private static func isInvisible(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar {
    case "\u{AD}", "\u{200B}"..."\u{200F}", "\u{61C}", "\n": true
    default: false
    }
  }
}
