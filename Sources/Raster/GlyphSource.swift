/// The glyphs of one font stack, each from the first face that has it; owned by one shaper.
final class GlyphSource {
  struct Glyph {
    let face: FontFace
    let index: UInt32
    let outline: GlyphOutline

    /// The advance of the pen, in em.
    var advance: Double { Double(outline.advance) / Double(face.unitsPerEm) }
  }

  /// The face that determines the height of lines.
  let primary: FontFace

  private let fonts: FontLibrary
  private let candidates: [FontCatalogue.Entry]
  private var glyphs: [Unicode.Scalar: Glyph] = [:]

  /// Maximum number of cached glyphs; beyond it all are dropped.
  private static let cacheLimit = 4096

  init(stack: [String], fonts: FontLibrary) throws {
    self.fonts = fonts
    primary = try fonts.face(forStack: stack)
    candidates = fonts.candidates(forStack: stack)
  }

  /// Returns the glyph of a scalar; the primary face's missing-glyph box if no face has it.
  ///
  /// - Throws: ``FontError`` if a font's file became unreadable.
  func glyph(of scalar: Unicode.Scalar) throws -> Glyph {
    if let known = glyphs[scalar] { return known }
    var found = Glyph(face: primary, index: 0, outline: primary.outline(of: 0))
    for entry in candidates {
      let face = try fonts.face(entry)
      let index = face.glyphIndex(of: scalar)
      if index != 0 {
        found = Glyph(face: face, index: index, outline: face.outline(of: index))
        break
      }
    }
    if glyphs.count >= GlyphSource.cacheLimit { glyphs.removeAll() }
    glyphs[scalar] = found
    return found
  }
}
