import CHarfBuzz

/// A face of a font file as HarfBuzz reads it: the owner of its handle.
///
/// Lengths are font units, never hinted. Threads may share it, since it does not change.
struct HarfBuzzFont: ~Copyable {
  /// The font; `nil` if HarfBuzz reads no glyph of the file, which FreeType may nevertheless do
  /// (WOFF, Type 1).
  let handle: OpaquePointer?

  /// Whether the face has glyphs designed for vertical lines.
  let hasVerticalForms: Bool

  init(path: String, index: Int, unitsPerEm: Int) {
    let blob = hb_blob_create_from_file(path)
    let face = hb_face_create(blob, UInt32(clamping: index))
    defer {
      hb_face_destroy(face)
      hb_blob_destroy(blob)
    }
    guard let face, hb_face_get_glyph_count(face) > 0, let font = hb_font_create(face) else {
      handle = nil
      hasVerticalForms = false
      return
    }
    hb_font_set_scale(font, Int32(clamping: unitsPerEm), Int32(clamping: unitsPerEm))
    hb_font_make_immutable(font)
    handle = font
    hasVerticalForms = Self.hasFeature("vert", in: face)
  }

  deinit { hb_font_destroy(handle) }

  /// The maximum number of features that are looked through.
  private static let featureLimit = 1024

  private static func hasFeature(_ name: String, in face: OpaquePointer) -> Bool {
    var tags = [hb_tag_t](repeating: 0, count: featureLimit)
    var count = UInt32(tags.count)
    _ = hb_ot_layout_table_get_feature_tags(
      face, Self.tag("GSUB"), 0, &count, &tags)
    return tags.prefix(Int(min(count, UInt32(featureLimit)))).contains(Self.tag(name))
  }

  /// Returns the tag of four letters.
  static func tag(_ name: String) -> hb_tag_t {
    name.utf8.prefix(4).reduce(0) { $0 << 8 | UInt32($1) }
  }
}

// Immutable fonts and the faces behind them may be used by several threads at once.
extension HarfBuzzFont: @unchecked Sendable {}
