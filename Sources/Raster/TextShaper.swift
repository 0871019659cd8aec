#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// Lays texts out as MapLibre's symbol layers do; one worker's own, for its caches.
///
/// Kerned and unhinted: every length is the font's own times the size. A line's height box has the
/// height of a flat capital in its middle, so digits anchored at their centre stand centred (as
/// MapLibre's do with its usual fonts). Right-to-left runs are put in visual order, without joining
/// letters.
package final class TextShaper {
  /// Characters of a text beyond this many are left out.
  package static let maxLength = 2000

  private let fonts: FontLibrary
  private var sources: [[String]: GlyphSource] = [:]

  package init(fonts: FontLibrary) {
    self.fonts = fonts
  }

  /// The outline of a text around its anchor.
  ///
  /// - Throws: ``FontError`` where a font's file cannot be read.
  /// - Complexity: O(length + possible line breaks²).
  package func shape(_ text: String, style: TextStyle) throws -> ShapedText {
    guard style.drawnSize > 0 else { return .empty }
    let source = try source(for: style.fontStack)
    let lines = try lines(of: text, style: style, source: source)
    let size = style.drawnSize
    let width = lines.reduce(0) { max($0, $1.width) }
    let lineHeight = style.pixels(style.lineHeight)
    let height = lineHeight * Double(lines.count)
    let left = style.pixels(style.offsetX) - style.anchor.horizontal * width
    let top = style.pixels(style.offsetY) - style.anchor.vertical * height
    let capHeight = Double(source.primary.capHeight) / Double(source.primary.unitsPerEm) * size
    let angle = style.rotate.isFinite ? style.rotate * .pi / 180 : 0
    var path = Path()
    var missingGlyphs = 0
    for (number, line) in lines.enumerated() {
      let baseline = top + (Double(number) + 0.5) * lineHeight + capHeight / 2
      let start = left + (width - line.width) * style.justifyShare
      for placed in line.glyphs {
        if placed.glyph.index == 0 { missingGlyphs += 1 }
        path.append(
          placed.glyph.outline,
          placed: GlyphPlacement(
            scale: size / Double(placed.glyph.face.unitsPerEm), x: start + placed.x, y: baseline,
            cosine: angle == 0 ? 1 : cos(angle), sine: angle == 0 ? 0 : sin(angle)))
      }
    }
    return ShapedText(
      path: path, width: width, height: height, lineCount: lines.count,
      missingGlyphs: missingGlyphs, left: left, top: top)
  }

  /// How wide the longest line of a text is, px.
  ///
  /// - Throws: ``FontError`` where a font's file cannot be read.
  package func advanceWidth(of text: String, style: TextStyle) throws -> Double {
    guard style.drawnSize > 0 else { return 0 }
    let source = try source(for: style.fontStack)
    return try lines(of: text, style: style, source: source).reduce(0) { max($0, $1.width) }
  }

  /// A glyph and where its pen stood, px from the start of the line.
  private struct PlacedGlyph {
    let glyph: GlyphSource.Glyph
    let x: Double
  }

  private struct Line {
    var glyphs: [PlacedGlyph] = []
    var width = 0.0
  }

  private func source(for stack: [String]) throws -> GlyphSource {
    if let known = sources[stack] { return known }
    let source = try GlyphSource(stack: stack, fonts: fonts)
    if sources.count >= 64 { sources.removeAll() }
    sources[stack] = source
    return source
  }

  private func lines(
    of text: String, style: TextStyle, source: GlyphSource
  ) throws -> [Line] {
    let scalars = TextShaper.drawable(text)
    guard !scalars.isEmpty else { return [] }
    let spacing = style.pixels(style.letterSpacing) / style.drawnSize
    let advances = try scalars.map { scalar in
      24 * (TextShaper.isInvisible(scalar) ? 0 : try source.glyph(of: scalar).advance + spacing)
    }
    let breaker = LineBreaker(maxWidth: style.maxWidth > 0 ? style.maxWidth * 24 : .infinity)
    return try breaker.lines(scalars, advances: advances).map { range in
      try line(Array(scalars[range]), style: style, source: source)
    }
  }

  private func line(
    _ scalars: [Unicode.Scalar], style: TextStyle, source: GlyphSource
  ) throws -> Line {
    let size = style.drawnSize
    let spacing = style.pixels(style.letterSpacing)
    var line = Line()
    var pen = 0.0
    for scalar in VisualOrder.reordered(scalars) where !TextShaper.isInvisible(scalar) {
      let glyph = try source.glyph(of: scalar)
      if let last = line.glyphs.last?.glyph {
        pen += spacing
        if last.face === glyph.face {
          let kerning = glyph.face.kerning(last.index, glyph.index)
          pen += Double(kerning) / Double(glyph.face.unitsPerEm) * size
        }
      }
      line.glyphs.append(PlacedGlyph(glyph: glyph, x: pen))
      pen += glyph.advance * size
    }
    line.width = max(pen, 0)
    return line
  }

  /// The scalars that are drawn or break lines; line ends as "\n", other white space as spaces.
  private static func drawable(_ text: String) -> [Unicode.Scalar] {
    var scalars: [Unicode.Scalar] = []
    var wasReturn = false
    for scalar in text.unicodeScalars.prefix(maxLength) {
      let isReturn = scalar == "\r"
      switch scalar {
      case "\n" where wasReturn: break
      case "\n", "\r", "\u{85}", "\u{2028}", "\u{2029}": scalars.append("\n")
      case "\t", "\u{0B}", "\u{0C}": scalars.append(" ")
      case "\u{AD}", "\u{200B}": scalars.append(scalar)
      default:
        let isControl = scalar.properties.generalCategory == .control
        if !isControl && !scalar.properties.isDefaultIgnorableCodePoint { scalars.append(scalar) }
      }
      wasReturn = isReturn
    }
    return scalars
  }

  /// Whether a scalar only marks where a line may be broken.
  private static func isInvisible(_ scalar: Unicode.Scalar) -> Bool {
    scalar == "\u{AD}" || scalar == "\u{200B}" || scalar == "\n"
  }
}
