/// The glyphs of one font stack, each from the first face that has it; one shaper's own.
final class GlyphSource {
  struct Glyph {
    let face: FontFace
    let index: UInt32
    let outline: GlyphOutline

    /// Of the pen, in em.
    var advance: Double { Double(outline.advance) / Double(face.unitsPerEm) }
  }

  /// The face that sets the height of the lines.
  let primary: FontFace

  private let fonts: FontLibrary
  private let candidates: [FontCatalogue.Entry]
  private var glyphs: [Unicode.Scalar: Glyph] = [:]

  /// Glyphs kept; when there are more, all are forgotten.
  private static let cacheLimit = 4096

  init(stack: [String], fonts: FontLibrary) throws {
    self.fonts = fonts
    primary = try fonts.face(forStack: stack)
    candidates = fonts.candidates(forStack: stack)
  }

  /// The glyph of a scalar; the primary face's sign for a missing glyph where no face has it.
  ///
  /// - Throws: ``FontError`` where a font's file became unreadable.
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
