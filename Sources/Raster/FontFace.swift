import CHarfBuzz
import Synchronization

/// A thread-safe font face: outlines and metrics in font units, cached.
package final class FontFace: Sendable {
  /// The file, and the index of the face in it.
  package let path: String
  package let index: Int

  package let familyName: String
  package let styleName: String

  /// The number of font units per em.
  package let unitsPerEm: Int

  /// The highest and lowest extent of a line relative to the baseline, in font units, y upward.
  package let ascender: Int
  package let descender: Int

  /// The height of a flat capital (H) over the baseline, in font units.
  package let capHeight: Int

  /// Maximum number of cached glyphs; beyond it all are dropped.
  private static let cacheLimit = 4096

  private struct State: ~Copyable {
    let face: FreeTypeFace
    var outlines: [UInt32: GlyphOutline] = [:]
  }

  private let state: Mutex<State>

  /// The face as HarfBuzz reads it.
  private let shaping: HarfBuzzFont

  /// - Throws: ``FontError`` if the file is not a scalable font.
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
    shaping = HarfBuzzFont(path: path, index: index, unitsPerEm: face.unitsPerEm)
    state = Mutex(State(face: face))
  }

  /// Whether HarfBuzz can shape texts with the face; texts in other faces are set letter by letter.
  var isShapable: Bool { shaping.handle != nil }

  /// Whether the face has glyphs designed for vertical lines.
  var hasVerticalForms: Bool { shaping.hasVerticalForms }

  /// Replaces the characters of a buffer by glyphs with positions in font units.
  ///
  /// Threads may do so at the same time.
  func shape(_ buffer: OpaquePointer, features: [hb_feature_t]) {
    guard let font = shaping.handle else { return }
    hb_shape(font, buffer, features, UInt32(features.count))
  }

  /// Returns the glyph of a Unicode scalar; 0 if the face lacks it.
  package func glyphIndex(of scalar: Unicode.Scalar) -> UInt32 {
    state.withLock { $0.face.glyphIndex(of: scalar) }
  }

  /// Returns the outline of a glyph; empty if the font is damaged there.
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
