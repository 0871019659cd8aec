import CHarfBuzz

/// The characters that a face can draw: those in its table, and those whose canonical
/// decomposition it has, which HarfBuzz then uses (é as e and an accent).
struct GlyphCoverage {
  let face: FontFace

  /// Whether the face has all characters of a cluster.
  func has(_ cluster: [Unicode.Scalar]) -> Bool {
    var last: Unicode.Scalar?
    for scalar in cluster {
      if has(scalar) {
        last = scalar
      } else if let letter = last, let whole = Self.composed(letter, scalar),
        face.glyphIndex(of: whole) != 0
      {
        last = whole
      } else {
        return false
      }
    }
    return true
  }

  /// Whether the face has a character or all of its parts.
  func has(_ scalar: Unicode.Scalar) -> Bool { has(scalar, depth: 0) }

  private func has(_ scalar: Unicode.Scalar, depth: Int) -> Bool {
    if face.glyphIndex(of: scalar) != 0 { return true }
    guard depth < 4, scalar.value >= 0xC0, let parts = Self.decomposed(scalar) else { return false }
    return has(parts.letter, depth: depth + 1)
      && (parts.mark.map { has($0, depth: depth + 1) } ?? true)
  }

  private static func composed(
    _ letter: Unicode.Scalar, _ mark: Unicode.Scalar
  ) -> Unicode.Scalar? {
    var whole: hb_codepoint_t = 0
    let functions = hb_unicode_funcs_get_default()
    guard hb_unicode_compose(functions, letter.value, mark.value, &whole) != 0 else { return nil }
    return Unicode.Scalar(whole)
  }

  private static func decomposed(
    _ scalar: Unicode.Scalar
  ) -> (letter: Unicode.Scalar, mark: Unicode.Scalar?)? {
    var letter: hb_codepoint_t = 0
    var mark: hb_codepoint_t = 0
    let functions = hb_unicode_funcs_get_default()
    guard hb_unicode_decompose(functions, scalar.value, &letter, &mark) != 0,
      let first = Unicode.Scalar(letter)
    else { return nil }
    return (first, mark == 0 ? nil : Unicode.Scalar(mark))
  }
}
