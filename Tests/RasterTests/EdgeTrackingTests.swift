import Testing

@testable import Raster

@Suite("A picture that tracks antialiased edges")
struct EdgeTrackingTests {
  private static let red = PremultipliedColor(Color(red: 1, green: 0, blue: 0))
  private static let glass = PremultipliedColor(Color(red: 0, green: 0, blue: 1, alpha: 0.5))

  private func picture() -> Pixmap { Pixmap(width: 16, height: 1, tracksEdges: true) }

  /// Draws upright bars (left and right in 1/256 px) as one layer of areas.
  private func draw(
    _ bars: [(left: Int32, right: Int32, color: PremultipliedColor)],
    _ coloring: AreaCanvas.Coloring, onto picture: Pixmap
  ) {
    let canvas = AreaCanvas()
    canvas.beginLayer(width: 16, height: 1, coloring: coloring)
    for bar in bars {
      let points = [(bar.left, 0), (bar.right, 0), (bar.right, 256), (bar.left, 256)].map {
        Path.Point(x: $0.0, y: Int32($0.1))
      }
      points.withUnsafeBufferPointer { points in
        [Int32(4)].withUnsafeBufferPointer { canvas.add(points, contourEnds: $0, color: bar.color) }
      }
    }
    canvas.composite(onto: picture)
  }

  private func edges(_ picture: Pixmap) -> String {
    picture.edges.map { $0 == 0 ? "." : "x" }.joined()
  }

  @Test(
    "edge tracking marks pixels that an area partly covers, whatever the colouring",
    arguments: [AreaCanvas.Coloring.constant(red), .each])
  func marks(coloring: AreaCanvas.Coloring) {
    let picture = picture()
    draw([(2 * 256 + 100, 6 * 256 + 7, Self.red)], coloring, onto: picture)
    #expect(edges(picture) == "..x...x.........")
  }

  @Test(
    "edge tracking sees no edge where areas of one colour meet, and one where their colours differ",
    arguments: [red, glass])
  func seams(color: PremultipliedColor) {
    for coloring in [AreaCanvas.Coloring.constant(color), .each] {
      let picture = picture()
      draw([(0, 900, color), (900, 16 * 256, color)], coloring, onto: picture)
      #expect(edges(picture) == "................")
    }
    let picture = picture()
    let other = PremultipliedColor(Color(red: 0, green: 1, blue: 0))
    draw([(0, 900, color), (900, 16 * 256, other)], .each, onto: picture)
    #expect(edges(picture) == "...x............")
  }

  @Test("edge tracking drops an edge under an opaque colour, and keeps it under a translucent one")
  func covers() {
    for (cover, left) in [(Self.red, "............"), (Self.glass, "..x...x.....")] {
      for coloring in [AreaCanvas.Coloring.constant(cover), .each] {
        let picture = picture()
        draw([(2 * 256 + 100, 6 * 256 + 7, Self.red)], .each, onto: picture)
        draw([(0, 12 * 256, cover)], coloring, onto: picture)
        #expect(edges(picture) == left + "....")
      }
    }
  }

  @Test("edge tracking marks the sides of a line, but not of a blurred one")
  func lines() {
    for (blur, expected) in [(0.0, "xxx"), (3, "...")] {
      let picture = Pixmap(width: 16, height: 16, tracksEdges: true)
      let painter = LinePainter()
      let points = [Path.Point(x: -2560, y: 2048), Path.Point(x: 7680, y: 2048)]
      points.withUnsafeBufferPointer { points in
        painter.draw(
          [StrokeRun(points: points)], style: StrokeStyle(width: 5, blur: blur),
          color: Color(red: 1, green: 0, blue: 0),
          into: picture)
      }
      // A line of 5 px about the border of rows 7 and 8 covers half of the rows 5 and 10.
      let marks = [5, 10, 5].map { picture.edges[$0 * 16 + 8] == 0 ? "." : "x" }.joined()
      #expect(marks == expected)
      #expect(picture.edges[7 * 16 + 8] == 0)
    }
  }
}
