import Synchronization

/// A font face that any thread may use: outlines and measures in font units, cached.
package final class FontFace: Sendable {
  /// The file, and the face's index in it.
  package let path: String
  package let index: Int

  package let familyName: String
  package let styleName: String

  /// Font units in the size of the type.
  package let unitsPerEm: Int

  /// Highest and lowest reach of a line over its baseline, font units, y upward.
  package let ascender: Int
  package let descender: Int

  /// Height of a flat capital (H) over the baseline, font units.
  package let capHeight: Int

  /// Glyphs kept; when there are more, all are forgotten.
  private static let cacheLimit = 4096

  private struct State: ~Copyable {
    let face: FreeTypeFace
    var outlines: [UInt32: GlyphOutline] = [:]
  }

  private let state: Mutex<State>

  /// - Throws: ``FontError`` where the file is not a scalable font.
  package init(path: String, index: Int = 0) throws {
    let face = try FreeTypeFace(path: path, index: index)
    self.path = path
    self.index = index
    familyName = face.familyName
    styleName = face.styleName
    unitsPerEm = face.unitsPerEm
    ascender = face.ascender
    descender = face.descender
    let capital = face.outline(of: face.glyphIndex(of: "H"))?.top ?? 0
    capHeight = capital > 0 ? Int(capital) : face.unitsPerEm * 7 / 10
    state = Mutex(State(face: face))
  }

  /// The glyph of a Unicode scalar; 0 where the face has none.
  package func glyphIndex(of scalar: Unicode.Scalar) -> UInt32 {
    state.withLock { $0.face.glyphIndex(of: scalar) }
  }

  /// How much closer the second glyph stands to the first one, font units, mostly negative.
  func kerning(_ left: UInt32, _ right: UInt32) -> Int {
    state.withLock { $0.face.kerning(left, right) }
  }

  /// The outline of a glyph; empty where the font is damaged there.
  func outline(of glyph: UInt32) -> GlyphOutline {
    state.withLock { state in
      if let known = state.outlines[glyph] { return known }
      let outline = state.face.outline(of: glyph) ?? GlyphOutline()
      if state.outlines.count >= FontFace.cacheLimit { state.outlines.removeAll() }
      state.outlines[glyph] = outline
      return outline
    }
  }
}
