import Testing
import TextAnalysis

@testable import Raster

/// What the tables of a font do to a text. DejaVu has Arabic, Hebrew, and ligatures of Latin.
@Suite("Shaping")
struct ShapingTests {
  let shaper: TextShaper
  let fonts: FontLibrary

  init() throws {
    fonts = try FontLibrary(searchPaths: [])
    shaper = TextShaper(fonts: fonts)
  }

  private let style = TextStyle(fontStack: ["DejaVu Sans"], size: 20, maxWidth: 0)

  private func layout(_ text: String) throws -> TextLayout {
    try shaper.layout([TextSection(text)], style: style)
  }

  @Test("Arabic letters are joined, from right to left, and lam with alef is one cluster")
  func arabic() throws {
    let joined = try layout("\u{628}\u{644}\u{627}")
    let apart = try layout("\u{628}\u{200C}\u{644}\u{200C}\u{627}")
    #expect(joined.middles.count == 2 && apart.middles.count == 3)
    #expect(joined.width < apart.width && joined.missingGlyphs == 0)
    // The ligature stands to the left of the first letter, which has the form of a beginning.
    let forms = try layout("\u{FE91}\u{FEFC}")
    #expect(joined.shaped(rotate: 0).path == forms.shaped(rotate: 0).path)
  }

  @Test("letters of two sections join and are kerned, but make no ligature of choice")
  func sections() throws {
    let split = try shaper.layout(
      [TextSection("\u{628}"), TextSection("\u{628}", color: .black)], style: style)
    let whole = try layout("\u{628}\u{628}")
    #expect(split.glyphs.map(\.section) == [1, 0] && split.width == whole.width)
    #expect(split.width < 2 * (try layout("\u{628}")).width)
    let kerned = try shaper.layout(
      [TextSection("A"), TextSection("V", color: .black)], style: style)
    #expect(kerned.width == (try layout("AV")).width)
    let apart = try shaper.layout(
      [TextSection("f"), TextSection("i", color: .black)], style: style)
    #expect(apart.glyphs.map(\.section) == [0, 1])
  }

  @Test(
    "a mark stands over its letter, in one cluster",
    arguments: ["\u{639}\u{64F}", "\u{5D1}\u{5B8}", "x\u{301}", "\u{915}\u{93F}"])
  func marks(text: String) throws {
    let layout = try layout(text)
    #expect(layout.middles.count == 1)
    let letter = try self.layout(String(text.unicodeScalars.prefix(1).map(Character.init)))
    if text.unicodeScalars.first != "\u{915}" { #expect(abs(layout.width - letter.width) < 1e-9) }
  }

  @Test("a letter and its accent are the letter with the accent, whichever a text has")
  func composition() throws {
    let (whole, parts) = (try layout("é"), try layout("e\u{301}"))
    #expect(whole.shaped(rotate: 0).path == parts.shaped(rotate: 0).path)
  }

  @Test("f and i are one glyph unless letters are spaced out")
  func ligatures() throws {
    #expect(try layout("fi").glyphs.count == 1)
    var spaced = style
    spaced.letterSpacing = 0.1
    #expect(try shaper.layout([TextSection("fi")], style: spaced).glyphs.count == 2)
  }

  @Test("each line of a text that is broken has the glyphs of the line alone")
  func brokenLines() throws {
    var narrow = style
    narrow.maxWidth = 6
    narrow.justify = .left
    narrow.anchor = .topLeft
    for text in ["office AVAVA waffle", "فندق السلام الكبير", "\u{5D0}\u{5D1} (c) \u{5D2}"] {
      let words = text.split(separator: " ").map(String.init)
      let broken = try shaper.layout([TextSection(text)], style: narrow)
      let lines = try shaper.layout([TextSection(words.joined(separator: "\n"))], style: narrow)
      guard broken.lineCount == words.count else { continue }
      #expect(broken.shaped(rotate: 0).path == lines.shaped(rotate: 0).path)
    }
  }

  @Test("a line that is cut where letters join is shaped again")
  func cutRuns() throws {
    let analyzer = TextAnalyzer()
    let source = try GlyphSource(stack: ["DejaVu Sans"], faces: ShapingFaces(fonts: fonts))
    let runs = try TextRuns(
      DrawableText([TextSection("سلام")]), sources: [source], scales: [1], mode: .horizontal,
      analyzer: analyzer)
    let setter = LineSetter(runs, size: 20, scales: [1], spacing: 0, shaper: RunShaper())
    let whole = setter.line(0..<4)
    let part = setter.line(0..<2)
    let alone = try layout("سل")
    #expect(part.width == alone.width && part.glyphs.count == 2)
    #expect(whole.glyphs.count == 3)
  }

  @Test("a cluster comes from the first face that has all of it")
  func fallback() throws {
    // The Mono face has letters but not all marks; whatever it lacks comes with its letter.
    let source = try GlyphSource(stack: ["DejaVu Sans Mono"], faces: ShapingFaces(fonts: fonts))
    let letter = Array("a".unicodeScalars)
    let mono = try source.face(of: letter[...])
    #expect(mono.face.familyName == "DejaVu Sans Mono")
    let hebrew = Array("\u{5D1}\u{5B8}".unicodeScalars)
    let face = try source.face(of: hebrew[...])
    #expect(hebrew.allSatisfy { face.face.glyphIndex(of: $0) != 0 })
    #expect(face.face.familyName != "DejaVu Sans Mono")
    let missing = Array("a\u{10FFFD}".unicodeScalars)
    #expect(try source.face(of: missing[...]) === mono)
  }

  @Test("a vertical text runs downward with its characters upright")
  func vertical() throws {
    var vertical = style
    vertical.writingMode = .stacked
    // DejaVu has no ideographs; geometric shapes stand upright as well.
    let shaped = try shaper.shape("ab", style: vertical)
    let upright = try #require(shaped.bounds)
    #expect(upright.maxY - upright.minY > 20 && upright.maxX - upright.minX < 16)
    let letter = try #require(try shaper.shape("b", style: style).bounds)
    #expect(abs((upright.maxX - upright.minX) - (letter.maxX - letter.minX)) < 1)
    #expect(abs(upright.minX + upright.maxX) < 2)
    // Where Latin lies on its side, the text is the horizontal one turned.
    vertical.writingMode = .vertical
    var turned = style
    turned.rotate = 90
    #expect(
      try shaper.shape("ab", style: vertical).path == shaper.shape("ab", style: turned).path)
  }

  @Test("the box of a vertical text encloses it")
  func verticalBox() throws {
    var vertical = TextStyle(
      fontStack: ["DejaVu Sans"], size: 20, maxWidth: 0, anchor: .topLeft, offsetX: 1)
    vertical.writingMode = .stacked
    let layout = try shaper.layout([TextSection("HHHH")], style: vertical)
    let box = vertical.box(width: layout.width, height: layout.height, scale: 1)
    let ink = try #require(layout.shaped(rotate: 0).bounds)
    #expect(box.minX <= ink.minX && box.maxX >= ink.maxX)
    #expect(box.minY <= ink.minY && box.maxY >= ink.maxY)
    #expect(box.maxY - box.minY > 60 && abs(box.maxX) < 1e-9 && abs(box.minY - 20) < 1e-9)
  }

  @Test("a text along a line bends between clusters only")
  func clustersAlongLines() throws {
    let layout = try layout("\u{5D1}\u{5B8}\u{5D2}")
    #expect(layout.glyphs.count == 3 && layout.middles.count == 2)
    let one = layout.shaped(along: [GlyphPose(x: 0, y: 0)])
    let letter = try self.layout("\u{5D2}").shaped(along: [GlyphPose(x: 0, y: 0)])
    #expect(one.path == letter.path)
  }

  @Test(
    "hostile texts are set in bounded time",
    arguments: [
      String(repeating: "\u{301}", count: 3000), "a" + String(repeating: "\u{35C}", count: 3000),
      String(repeating: "\u{FDFA}", count: 2000), String(repeating: "\u{202B}", count: 2000) + "a",
      String(repeating: "\u{200D}", count: 2000),
      String(repeating: "\u{AC00}\u{11A8}", count: 1000),
      String(repeating: "\u{D4D}\u{D15}", count: 1000), "\u{FFFF}\u{E0001}\u{E0020}\u{1F3F4}",
    ])
  func hostile(text: String) throws {
    var narrow = style
    narrow.maxWidth = 5
    for mode in [TextStyle.WritingMode.horizontal, .vertical, .stacked] {
      narrow.writingMode = mode
      let layout = try shaper.layout([TextSection(text)], style: narrow)
      #expect(layout.width.isFinite && layout.glyphs.count <= 64 * TextShaper.maxLength)
    }
  }

  @Test("the versions of the libraries are known")
  func versions() {
    #expect(TextLibraries.versions.count == 4)
    #expect(TextLibraries.versions.allSatisfy { $0.contains(".") })
  }
}
