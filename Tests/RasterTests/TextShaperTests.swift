import Testing

@testable import Raster

@Suite("TextShaper")
struct TextShaperTests {
  let shaper: TextShaper
  let rasterizer = CoverageRasterizer()

  init() throws {
    shaper = TextShaper(fonts: try FontLibrary(searchPaths: []))
  }

  @Test(
    "digits anchored at their centre are centred to half a pixel",
    arguments: ["0", "1", "42", "888", "12.3k"], [10, 12, 18.5])
  func centredDigits(text: String, size: Double) throws {
    let shaped = try shaper.shape(text, style: TextStyle(fontStack: ["Any Bold"], size: size))
    let box = try #require(shaped.bounds)
    #expect(abs(box.minY + box.maxY) / 2 < 0.5)
    #expect(abs(shaped.layoutBounds.minX + shaped.layoutBounds.maxX) < 0.001)
    // Ink may stand off the middle of its advance widths by the glyphs' own bearings.
    #expect(abs(box.minX + box.maxX) / 2 < 0.08 * size)
  }

  @Test("a label moved by whole pixels has the same masks moved, halo and fill")
  func wholePixels() throws {
    let shaped = try shaper.shape("12.3k", style: TextStyle(size: 12, rotate: 10))
    for (phaseX, phaseY) in [(0, 0), (17, 200), (255, 1)] as [(Int32, Int32)] {
      let fill = shaped.fillMask(phaseX: phaseX, phaseY: phaseY, using: rasterizer)
      let moved = shaped.fillMask(
        phaseX: phaseX + 5 * 256, phaseY: phaseY - 3 * 256, using: rasterizer)
      #expect(fill.coverage == moved.coverage && fill.rowSpans == moved.rowSpans)
      #expect(moved.originX == fill.originX + 5 && moved.originY == fill.originY - 3)
      let halo = shaped.haloMask(
        width: 1.5, blur: 0.5, phaseX: phaseX, phaseY: phaseY, using: rasterizer)
      let movedHalo = shaped.haloMask(
        width: 1.5, blur: 0.5, phaseX: phaseX + 5 * 256, phaseY: phaseY - 3 * 256,
        using: rasterizer)
      #expect(halo.coverage == movedHalo.coverage && !halo.isEmpty)
      #expect(movedHalo.originX == halo.originX + 5 && movedHalo.originY == halo.originY - 3)
    }
  }

  @Test("each anchor puts that part of the text at the point", arguments: TextStyle.Anchor.allCases)
  func anchors(anchor: TextStyle.Anchor) throws {
    let shaped = try shaper.shape("Anchor", style: TextStyle(size: 20, anchor: anchor))
    let box = shaped.layoutBounds
    #expect(abs(box.minX + anchor.horizontal * shaped.width) < 1e-9)
    #expect(abs(box.minY + anchor.vertical * shaped.height) < 1e-9)
    #expect(shaped.height == 24)
    let ink = try #require(shaped.bounds)
    #expect(ink.minX > box.minX - 2 && ink.maxX < box.maxX + 2)
    #expect(ink.minY > box.minY && ink.maxY < box.maxY)
  }

  @Test("pairs are kerned, and letter spacing is added between letters only")
  func spacing() throws {
    let style = TextStyle(fontStack: ["DejaVu Sans"], size: 100)
    let single = try ["A", "V"].map { try shaper.advanceWidth(of: $0, style: style) }
    let pair = try shaper.advanceWidth(of: "AV", style: style)
    #expect(pair < single[0] + single[1] - 1)
    var spaced = style
    spaced.letterSpacing = 0.1
    #expect(abs(try shaper.advanceWidth(of: "AV", style: spaced) - pair - 10) < 1e-9)
    #expect(try shaper.advanceWidth(of: "A", style: spaced) == single[0])
  }

  @Test(
    "letters that are spaced backward are as centred as others",
    arguments: [-0.2, -1, -3], TextStyle.Anchor.allCases)
  func backward(spacing: Double, anchor: TextStyle.Anchor) throws {
    var style = TextStyle(fontStack: ["DejaVu Sans"], size: 100)
    (style.letterSpacing, style.anchor) = (spacing, anchor)
    let layout = try shaper.layout([TextSection("Wien")], style: style)
    let first = try #require(layout.glyphs.first)
    let last = try #require(layout.glyphs.last)
    let (start, end) = (first.x, last.x + last.advance)
    // A text of negative width is centred whatever its anchor, as in MapLibre.
    let middle = end < start ? 0 : (0.5 - anchor.horizontal) * (end - start)
    #expect(abs((start + end) / 2 - middle) < 1e-9)
  }

  @Test("widths grow in proportion to the size, so that a label can be shrunk to fit")
  func proportion() throws {
    let small = try shaper.advanceWidth(of: "Waterfall 12", style: TextStyle(size: 8, maxWidth: 0))
    let large = try shaper.advanceWidth(of: "Waterfall 12", style: TextStyle(size: 24, maxWidth: 0))
    #expect(abs(large - 3 * small) < 1e-9)
  }

  @Test(
    "long texts are broken into even lines, short ones are not",
    arguments: [
      ("short", 1), ("São Tomé & Príncipe and some more words", 3), ("two\nlines", 2),
      ("Donaudampfschifffahrtsgesellschaft", 1), ("a\r\n\r\nb", 3), ("", 0), (" \n ", 2),
    ])
  func lines(text: String, count: Int) throws {
    let shaped = try shaper.shape(text, style: TextStyle(size: 10))
    #expect(shaped.lineCount == count)
    #expect(abs(shaped.height - 12 * Double(count)) < 1e-9)
  }

  @Test(
    "only newlines break a text without a maximal width", arguments: [0, -1, Double.nan, .infinity])
  func unbroken(maxWidth: Double) throws {
    let style = TextStyle(size: 10, maxWidth: maxWidth)
    #expect(try shaper.shape("one long line of some words, and on", style: style).lineCount == 1)
    #expect(try shaper.shape("one long line\nand another one", style: style).lineCount == 2)
  }

  @Test("justification moves the short line", arguments: [TextStyle.Justify.left, .center, .right])
  func justification(justify: TextStyle.Justify) throws {
    let shaped = try shaper.shape(
      "WWWWWW\nI", style: TextStyle(size: 20, maxWidth: 0, justify: justify, anchor: .topLeft))
    let second = shaped.path.points.filter { Double($0.y) / 256 > 24 }
    let middle =
      try Double(
        #require(second.map(\.x).min()) + #require(second.map(\.x).max())) / 512
    switch justify {
    case .left: #expect(middle < 10)
    case .right: #expect(middle > shaped.width - 10)
    default: #expect(abs(middle - shaped.width / 2) < 1)
    }
  }

  @Test("a rotation by 90° rotates the text clockwise about the anchor, with its offset")
  func rotation() throws {
    let style = TextStyle(size: 20, anchor: .left, offsetX: 1)
    var turned = style
    turned.rotate = 90
    let flat = try #require(try shaper.shape("Hi", style: style).bounds)
    let box = try #require(try shaper.shape("Hi", style: turned).bounds)
    #expect(flat.minX > 20 && box.minY > 20)
    #expect(abs(box.minY - flat.minX) < 0.02 && abs(box.maxX + flat.minY) < 0.02)
  }

  @Test("a character that the font lacks comes from another face or is shown as missing")
  func missingGlyphs() throws {
    let style = TextStyle(fontStack: ["DejaVu Sans Mono"], size: 20)
    let missing = try shaper.shape("\u{10FFFD}", style: style)
    #expect(missing.bounds != nil && missing.missingGlyphs == 1)
    // A rook, which the Mono face may lack, is no missing box.
    let rook = try shaper.shape("♜", style: style)
    #expect(rook.path != missing.path && rook.missingGlyphs == 0)
  }

  @Test("control, joining and directional characters draw nothing")
  func invisible() throws {
    let style = TextStyle(size: 20)
    let plain = try shaper.shape("ab", style: style)
    let noisy = try shaper.shape("\u{0}a\u{200D}\u{FE0F}\u{202E}b\u{7F}", style: style)
    #expect(noisy.path == plain.path)
  }

  @Test(
    "invalid text sizes and lengths draw little or nothing",
    arguments: [0, -5, Double.nan, .infinity, -.infinity])
  func nonsense(value: Double) throws {
    let text = String(repeating: "x", count: 50)
    let style = TextStyle(
      size: 12, letterSpacing: value, lineHeight: value, maxWidth: value, offsetX: value,
      offsetY: value, rotate: value)
    _ = try shaper.shape(text, style: style).bounds
    let shaped = try shaper.shape("x", style: TextStyle(size: value))
    #expect(shaped.path.isEmpty == !(value > 0))
    _ = shaped.haloMask(width: value, blur: value, phaseX: 0, phaseY: 0, using: rasterizer)
  }

  @Test("a text is truncated at its maximum length")
  func greatestLength() throws {
    let style = TextStyle(size: 1, maxWidth: 0)
    let full = String(repeating: "i", count: TextShaper.maxLength)
    let width = try shaper.advanceWidth(of: full, style: style)
    #expect(try shaper.advanceWidth(of: full + "more", style: style) == width)
  }
}
