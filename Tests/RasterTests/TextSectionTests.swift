import Testing

@testable import Raster

@Suite("A text in sections")
struct TextSectionTests {
  let shaper: TextShaper

  init() throws {
    shaper = TextShaper(fonts: try FontLibrary(searchPaths: []))
  }

  private let style = TextStyle(fontStack: ["DejaVu Sans"], size: 20, maxWidth: 0)

  @Test(
    "a text split anywhere but between kerned letters equals the whole text",
    arguments: ["Hill Road 12", "one\ntwo", "(\u{5D0}\u{5D1} b)"])
  func cut(text: String) throws {
    let whole = try shaper.shape(text, style: style)
    for length in 1..<text.count {
      let sections = [
        TextSection(String(text.prefix(length))), TextSection(String(text.dropFirst(length))),
      ]
      let parted = try shaper.shape(sections, style: style)
      #expect(parted.path == whole.path && parted.layoutBounds == whole.layoutBounds)
      #expect(parted.parts.count == 1)
    }
  }

  @Test("twice the size for the only section is twice the text-size", arguments: [0.5, 2])
  func scaled(scale: Double) throws {
    var larger = style
    larger.size *= scale
    let scaled = try shaper.shape([TextSection("Ag\nx", scale: scale)], style: style)
    let plain = try shaper.shape("Ag\nx", style: larger)
    #expect(scaled.path == plain.path)
    #expect(scaled.layoutBounds == plain.layoutBounds)
  }

  @Test("sections of two sizes share one baseline, and the larger one determines the line's height")
  func baseline() throws {
    let both = try shaper.layout(
      [TextSection("H"), TextSection("H", scale: 2)], style: style)
    #expect(both.glyphs[0].baseline == both.glyphs[1].baseline)
    #expect(both.height == 48)
    #expect(both.glyphs[1].scale == 2 * both.glyphs[0].scale)
    #expect(both.width == both.glyphs[0].advance + both.glyphs[1].advance)
    let large = try shaper.layout([TextSection("H", scale: 2)], style: style)
    #expect(large.glyphs[0].baseline == both.glyphs[0].baseline)
  }

  @Test("a section aligned to the middle or the top is raised")
  func raised() throws {
    let baselines = try [TextSection.VerticalAlign.bottom, .center, .top].map { align in
      try shaper.layout(
        [TextSection("H", verticalAlign: align), TextSection("H", scale: 2)], style: style
      ).glyphs[0].baseline
    }
    #expect(baselines[0] - baselines[1] == 10 && baselines[0] - baselines[2] == 20)
  }

  @Test("a section takes glyphs from its own fonts")
  func fonts() throws {
    let bold = TextSection("m", fontStack: ["DejaVu Sans Bold"])
    let plain = TextSection("m")
    let widths = try [[bold], [plain], [bold, plain]].map {
      try shaper.advanceWidth(of: $0, style: style)
    }
    #expect(widths[0] > widths[1] + 1)
    #expect(widths[2] == widths[0] + widths[1])
  }

  @Test("a text in sections has a path for each colour, in the order of their first letters")
  func colors() throws {
    let red = Color(red: 1, green: 0, blue: 0)
    let shaped = try shaper.shape(
      [
        TextSection("a", color: red), TextSection("b"), TextSection("c", color: red),
      ], style: style)
    #expect(shaped.parts.map(\.color) == [red, nil])
    let count = shaped.parts.reduce(0) { $0 + $1.path.points.count }
    #expect(shaped.path.points.count == count)
  }

  @Test(
    "a section of scale 0 or NaN is drawn in the text's own size",
    arguments: [0, -1, .nan, .infinity])
  func badScale(scale: Double) throws {
    #expect(TextSection("a", scale: scale) == TextSection("a"))
  }

  @Test("a section of a huge scale has the maximum size of texts")
  func hugeScale() throws {
    let huge = try shaper.layout([TextSection("a", scale: 1e300)], style: style)
    let largest = try shaper.layout("a", size: TextStyle.maxSize)
    #expect(abs(huge.width - largest.width) < 1e-6)
  }
}

@Suite("A text along poses")
struct GlyphPoseTests {
  let shaper: TextShaper

  init() throws {
    shaper = TextShaper(fonts: try FontLibrary(searchPaths: []))
  }

  @Test("a text along poses that lie flat side by side is the flat text")
  func flat() throws {
    let layout = try shaper.layout("Straight 8", size: 16)
    let poses = layout.middles.map { GlyphPose(x: Float($0), y: 0) }
    let bent = layout.shaped(along: poses)
    let flat = layout.shaped(rotate: 0)
    #expect(bent.path.points.count == flat.path.points.count)
    for (first, second) in zip(bent.path.points, flat.path.points) {
      #expect(abs(first.x - second.x) <= 1 && abs(first.y - second.y) <= 1)
    }
  }

  @Test("a text along poses that run downward is the text rotated clockwise")
  func turned() throws {
    let layout = try shaper.layout("Down", size: 16)
    let poses = layout.middles.map { GlyphPose(x: 0, y: Float($0), cosine: 0, sine: 1) }
    let bent = layout.shaped(along: poses)
    let turned = layout.shaped(rotate: 90)
    for (first, second) in zip(bent.path.points, turned.path.points) {
      #expect(abs(first.x - second.x) <= 1 && abs(first.y - second.y) <= 1)
    }
  }

  @Test("a text along poses omits letters without a pose")
  func missing() throws {
    let layout = try shaper.layout("ab", size: 16)
    let one = layout.shaped(along: [GlyphPose(x: 0, y: 0)])
    let alone = try shaper.layout("a", size: 16).shaped(along: [GlyphPose(x: 0, y: 0)])
    #expect(one.path == alone.path)
  }
}

extension TextShaper {
  fileprivate func layout(_ text: String, size: Double) throws -> TextLayout {
    try layout([TextSection(text)], style: TextStyle(fontStack: ["DejaVu Sans"], size: size))
  }
}
