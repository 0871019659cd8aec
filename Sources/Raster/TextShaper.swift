import TextAnalysis

/// A shaper that lays texts out like MapLibre's symbol layers; owned by one worker, because of its
/// caches.
///
/// HarfBuzz chooses and places the glyphs by the font's tables, unhinted: every length is a length
/// of the font times the size. FriBidi orders bidirectional text, and ICU finds the possible line
/// breaks. A line's height box has the height of a flat capital in its middle, so digits anchored
/// at their centre are centred (as in MapLibre with its usual fonts).
package final class TextShaper {
  /// Maximum number of characters of a text; the rest are dropped.
  package static let maxLength = 2000

  private let faces: ShapingFaces
  private let runShaper = RunShaper()
  private let analyzer = TextAnalyzer()
  private var sources: [[String]: GlyphSource] = [:]

  package init(fonts: FontLibrary) {
    faces = ShapingFaces(fonts: fonts)
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
  /// A line is as high as its largest section. All sections share its baseline, except those with
  /// another vertical alignment, whose em boxes are aligned, as in MapLibre.
  ///
  /// - Throws: ``FontError`` if a font's file cannot be read; ``TextAnalysisError``.
  /// - Complexity: O(length + possible line breaks²).
  package func layout(_ sections: [TextSection], style: TextStyle) throws -> TextLayout {
    guard style.drawnSize > 0 else { return .empty }
    let lines = try lines(of: sections, style: style)
    let primary = try source(for: style.fontStack).primary.face
    let capHeight = Double(primary.capHeight) / Double(primary.unitsPerEm) * style.drawnSize
    return TextLayout(lines, sections: sections, style: style, capHeight: capHeight)
  }

  /// Returns the width of the longest line of a text in sections, in pixels.
  package func advanceWidth(of sections: [TextSection], style: TextStyle) throws -> Double {
    guard style.drawnSize > 0 else { return 0 }
    return try lines(of: sections, style: style).reduce(0) { max($0, $1.width) }
  }

  private func source(for stack: [String]) throws -> GlyphSource {
    if let known = sources[stack] { return known }
    let source = try GlyphSource(stack: stack, faces: faces)
    if sources.count >= 64 { sources.removeAll() }
    sources[stack] = source
    return source
  }

  private func lines(of sections: [TextSection], style: TextStyle) throws -> [TextLine] {
    let text = DrawableText(sections)
    guard !text.scalars.isEmpty else { return [] }
    let size = style.drawnSize
    let scales = sections.map { min($0.scale, TextStyle.maxSize / size) }
    let runs = try TextRuns(
      text, sources: sections.map { try source(for: $0.fontStack ?? style.fontStack) },
      images: sections.map(\.image), scales: scales, mode: style.writingMode, analyzer: analyzer)
    let setter = LineSetter(
      runs, size: size, scales: scales,
      spacing: style.pixels(style.letterSpacing), shaper: runShaper)
    return try ranges(of: text.scalars, setter, style: style).map { setter.line($0) }
  }

  /// Returns the scalars of each line.
  private func ranges(
    of scalars: [Unicode.Scalar], _ setter: LineSetter, style: TextStyle
  ) throws -> [Range<Int>] {
    let breaker = LineBreaker(maxWidth: style.maxWidth > 0 ? style.maxWidth * 24 : .infinity)
    let isOneLine = !scalars.contains("\n")
    if isOneLine, !breaker.breaksWords { return [breaker.trimmed(scalars.indices, of: scalars)] }
    let unit = 24 / style.drawnSize
    let advances = setter.advances.map { $0 * unit }
    let isWide = breaker.breaksWords && !breaker.fits(scalars, advances: advances)
    guard isWide else { return breaker.lines(scalars, advances: advances, breaks: []) }
    var breaks = try analyzer.lineBreaks(in: scalars)
    LineBreaker.adjust(&breaks, of: scalars)
    setter.keepImagesBehindLetters(&breaks)
    return breaker.lines(scalars, advances: advances, breaks: breaks)
  }
}
