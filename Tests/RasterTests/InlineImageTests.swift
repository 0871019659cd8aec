import Testing

@testable import Raster

@Suite("Images in lines of text")
struct InlineImageTests {
  /// Letters of 24 px, so that an em has MapLibre's 24 units; lines are 28.8 px apart.
  private let style = TextStyle(fontStack: ["DejaVu Sans"], size: 24)

  private func shaped(
    _ sections: [TextSection], _ change: (inout TextStyle) -> Void = { _ in }
  ) throws -> ShapedText {
    var style = style
    change(&style)
    return try shaper().shape(sections, style: style)
  }

  private func shaper() throws -> TextShaper { TextShaper(fonts: try FontLibrary(searchPaths: [])) }

  private func image(
    _ width: Double, _ height: Double, _ align: TextSection.VerticalAlign = .bottom
  ) -> TextSection {
    TextSection(InlineImage(number: 0, width: width, height: height), verticalAlign: align)
  }

  @Test("an image alone has the width of its line and stands 7 of 24 units below the middle")
  func alone() throws {
    let text = try shaped([image(2, 0.5)])
    #expect(text.width == 48 && abs(text.height - 28.8) < 1e-9)
    #expect(text.missingGlyphs == 0 && text.parts.isEmpty)
    let placed = try #require(text.images.first)
    #expect(placed.width == 48 && placed.height == 12 && placed.rotate == 0)
    #expect(placed.x == 0 && abs(placed.y - (7 - 6)) < 1e-9)
    #expect(abs((text.bounds?.minX ?? 0) + 25) < 1e-9)
  }

  @Test(
    "a low image is raised by the free height of its line",
    arguments: [(TextSection.VerticalAlign.bottom, 0.0), (.center, 6), (.top, 12)])
  func aligned(align: TextSection.VerticalAlign, raised: Double) throws {
    let placed = try #require(try shaped([TextSection("A"), image(1, 0.5, align)]).images.first)
    #expect(abs(placed.y + placed.height / 2 - (7 - raised)) < 1e-9)
  }

  @Test(
    "a high image makes room: the line grows by what exceeds an em, its letters stand at the bottom",
    arguments: [(TextSection.VerticalAlign.bottom, 0.0), (.center, 12), (.top, 24)])
  func high(align: TextSection.VerticalAlign, raised: Double) throws {
    let layout = try shaper().layout(
      [image(1, 2), TextSection("A", verticalAlign: align)], style: style)
    #expect(abs(layout.height - (28.8 + 24)) < 1e-9)
    let text = layout.shaped(rotate: 0)
    let placed = try #require(text.images.first)
    // The line begins with the image; half of the leading above it is left out, as in MapLibre.
    #expect(abs(placed.y - placed.height / 2 + layout.height / 2) < 1e-9)
    let letter = try #require(layout.glyphs.first { $0.image == nil })
    let flat = try shaper().layout([TextSection("A")], style: style)
    // 17 of 24 units below the upper edge of its em is the middle of a capital.
    let middle = letter.baseline - flat.glyphs[0].baseline
    #expect(abs(middle - (-layout.height / 2 + 24 + 17 - raised)) < 1e-9)
  }

  @Test(
    "an image advances the pen by its width and the letter spacing, and has a middle of its own")
  func advance() throws {
    let letter = try shaper().advanceWidth(of: "A", style: style)
    var spaced = style
    spaced.letterSpacing = 0.5
    let layout = try shaper().layout(
      [TextSection("A"), image(3, 1), TextSection("A")], style: spaced)
    #expect(abs(layout.width - (2 * letter + 72 + 24)) < 1e-9)
    #expect(layout.middles.count == 3)
    #expect(abs(layout.middles[1]) < 1e-9)
  }

  @Test("a line may end behind an image, and before one only behind a space")
  func lines() throws {
    func count(_ sections: [TextSection]) throws -> Int {
      try shaped(sections) { $0.maxWidth = 1 }.lineCount
    }
    #expect(try count([image(1, 1), TextSection("word")]) == 2)
    #expect(try count([TextSection("word"), image(1, 1)]) == 1)
    #expect(try count([TextSection("word "), image(1, 1)]) == 2)
    #expect(try count([image(1, 1), image(1, 1), image(1, 1)]) == 3)
    #expect(try count([TextSection("東"), image(1, 1)]) == 2)
  }

  @Test("images follow the rotation of a text and the direction of a line")
  func turned() throws {
    let turned = try #require(try shaped([image(2, 1)]) { $0.rotate = 90 }.images.first)
    #expect(abs(turned.rotate - 90) < 1e-9)
    #expect(abs(turned.x - 5) < 1e-9 && abs(turned.y) < 1e-9)
    let layout = try shaper().layout([TextSection("A"), image(2, 1)], style: style)
    let poses = [
      GlyphPose(x: 0, y: 0, cosine: 1, sine: 0), GlyphPose(x: 100, y: 50, cosine: 0, sine: 1),
    ]
    let along = try #require(layout.shaped(along: poses).images.first)
    #expect(abs(along.x - 105) < 1e-5 && abs(along.y - 50) < 1e-5)
    #expect(abs(along.rotate - 90) < 1e-9)
  }

  @Test("an image of a vertical text stays upright, in the middle of its column")
  func vertical() throws {
    let text = try shaped([TextSection("東"), image(1, 2), TextSection("京")]) {
      $0.writingMode = .stacked
    }
    let placed = try #require(text.images.first)
    #expect(abs(placed.rotate) < 1e-9)
    #expect(abs(placed.x) < 1e-9 && abs(placed.y) < 1e-6)
    let letters = try shaped([TextSection("東京")]) { $0.writingMode = .stacked }
    #expect(abs(text.width - letters.width - 2 * 24) < 1e-6)
  }

  @Test("an image among letters from right to left keeps its place between them")
  func direction() throws {
    let text = try shaped([TextSection("אב"), image(1, 1), TextSection("ג")])
    let latin = try shaped([TextSection("ab"), image(1, 1), TextSection("c")])
    // Two letters stand on the right of the image, one on its left.
    #expect(try #require(text.images.first).x < 0)
    #expect(try #require(latin.images.first).x > 0)
  }
}
