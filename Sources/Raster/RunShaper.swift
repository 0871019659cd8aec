import CHarfBuzz
import TextAnalysis

/// A glyph of a run, in font units; `x` along the line, `y` upward.
struct RunGlyph {
  let index: UInt32

  /// The index of the first scalar of its cluster in the text.
  let cluster: Int

  /// The advance of the pen along the line: rightward, or downward in upright runs.
  let advance: Int32

  /// The offset of the glyph's origin from the pen, rightward and upward on an upright page.
  let offsetX: Int32
  let offsetY: Int32

  /// Whether the glyphs change if a line begins at the cluster.
  let isUnsafeToBreak: Bool
}

/// A part of a text that is shaped at once: of one face, size, direction and script.
struct TextRun {
  /// The indexes of its scalars in the text.
  var range: Range<Int>

  /// A factor on the style's size.
  let scale: Double
  let face: ShapingFace

  /// The embedding level, odd for leftward text.
  let level: UInt8
  let script: Script

  /// Whether its glyphs stand upright in a vertical line.
  let isUpright: Bool

  /// The image that the run consists of instead of glyphs.
  var image: InlineImage?
}

/// A shaper of runs by HarfBuzz; owned by one worker, because of its buffer.
final class RunShaper {
  private let buffer: OpaquePointer?

  init() {
    buffer = hb_buffer_create()
  }

  deinit { hb_buffer_destroy(buffer) }

  /// Returns the glyphs of a run from left to right, or downward if it is upright.
  ///
  /// Optional ligatures are not used in spaced-out text, nor across the end of a section. HarfBuzz
  /// limits the number of glyphs and operations by the length of the run itself.
  ///
  /// - Parameters:
  ///   - text: the scalars of the whole text.
  ///   - line: the line of the text, whose letters may join with the run's.
  ///   - cuts: the indexes of the scalars with which sections begin; their letters form no
  ///     ligature with the letter before.
  ///   - isSpaced: whether letters are spaced out.
  /// - Complexity: O(length of the run), times the font's rules.
  func glyphs(
    of run: TextRun, in text: [UInt32], line: Range<Int>, cuts: [Int] = [], isSpaced: Bool
  ) -> [RunGlyph] {
    guard run.face.face.isShapable, let buffer else { return nominalGlyphs(of: run, in: text) }
    hb_buffer_clear_contents(buffer)
    text.withUnsafeBufferPointer { scalars in
      guard let base = scalars.baseAddress else { return }
      hb_buffer_add_utf32(
        buffer, base + line.lowerBound, Int32(line.count),
        UInt32(run.range.lowerBound - line.lowerBound), Int32(run.range.count))
    }
    var flags = HB_BUFFER_FLAG_REMOVE_DEFAULT_IGNORABLES.rawValue
    if run.range.lowerBound == line.lowerBound { flags |= HB_BUFFER_FLAG_BOT.rawValue }
    if run.range.upperBound == line.upperBound { flags |= HB_BUFFER_FLAG_EOT.rawValue }
    hb_buffer_set_flags(buffer, hb_buffer_flags_t(rawValue: flags))
    hb_buffer_set_script(buffer, hb_script_from_iso15924_tag(run.script.tag))
    hb_buffer_set_direction(
      buffer,
      run.isUpright ? HB_DIRECTION_TTB : run.level % 2 == 1 ? HB_DIRECTION_RTL : HB_DIRECTION_LTR)
    let apart =
      isSpaced
      ? [run.range]
      : cuts.filter { run.range.contains($0) && $0 > run.range.lowerBound }
        .map { $0 - 1..<$0 + 1 }
    run.face.face.shape(
      buffer, features: apart.flatMap { Self.withoutLigatures($0, from: line.lowerBound) })
    guard hb_buffer_allocation_successful(buffer) != 0 else {
      return nominalGlyphs(of: run, in: text)
    }
    return glyphs(in: buffer, of: run, from: line.lowerBound)
  }

  /// Returns the features that keep a font from making ligatures of some scalars.
  private static func withoutLigatures(_ range: Range<Int>, from start: Int) -> [hb_feature_t] {
    ["liga", "clig"].map { name in
      hb_feature_t(
        tag: HarfBuzzFont.tag(name), value: 0, start: UInt32(clamping: range.lowerBound - start),
        end: UInt32(clamping: range.upperBound - start))
    }
  }

  /// Returns the glyphs in the buffer, their clusters counted from the start of the text.
  private func glyphs(in buffer: OpaquePointer, of run: TextRun, from start: Int) -> [RunGlyph] {
    var count: UInt32 = 0
    guard let infos = hb_buffer_get_glyph_infos(buffer, &count),
      let positions = hb_buffer_get_glyph_positions(buffer, &count)
    else { return [] }
    return (0..<Int(count)).map { number in
      let (info, position) = (infos[number], positions[number])
      return RunGlyph(
        index: info.codepoint, cluster: start + Int(info.cluster),
        advance: run.isUpright ? 0 &- position.y_advance : position.x_advance,
        offsetX: position.x_offset, offsetY: position.y_offset,
        isUnsafeToBreak: info.mask & HB_GLYPH_FLAG_UNSAFE_TO_BREAK.rawValue != 0)
    }
  }

  /// Returns a glyph for each scalar of a run, as the face's table of characters has them: for fonts
  /// without OpenType tables.
  private func nominalGlyphs(of run: TextRun, in text: [UInt32]) -> [RunGlyph] {
    let glyphs = run.range.compactMap { index -> RunGlyph? in
      guard let scalar = Unicode.Scalar(text[index]), TextShaper.needsGlyph(scalar) else {
        return nil
      }
      let glyph = run.face.face.glyphIndex(of: scalar)
      let outline = run.face.outline(of: glyph)
      let units = Int32(clamping: run.face.face.unitsPerEm)
      return RunGlyph(
        index: glyph, cluster: index, advance: run.isUpright ? units : outline.advance,
        offsetX: run.isUpright ? 0 &- outline.advance / 2 : 0,
        offsetY: run.isUpright ? 0 &- Int32(clamping: run.face.face.ascender) : 0,
        isUnsafeToBreak: false)
    }
    return run.level % 2 == 1 ? glyphs.reversed() : glyphs
  }
}
