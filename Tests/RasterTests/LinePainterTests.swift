import Platform
import TestSupport
import Testing

@testable import Raster

@Suite("LinePainter")
struct LinePainterTests {
  let ink = Color.black

  /// Draws one line, vertices in px.
  func drawn(
    _ vertices: [(Double, Double)], _ style: StrokeStyle, color: Color? = nil,
    isClosed: Bool = false, startDistance: Int64 = 0, width: Int = 40, height: Int = 40
  ) -> Pixmap {
    let points = vertices.map {
      Path.Point(x: Int32(($0.0 * 256).rounded()), y: Int32(($0.1 * 256).rounded()))
    }
    let pixmap = Pixmap(width: width, height: height)
    points.withUnsafeBufferPointer {
      LinePainter().draw(
        [StrokeRun(points: $0, startDistance: startDistance, isClosed: isClosed)], style: style,
        color: color ?? ink, into: pixmap)
    }
    return pixmap
  }

  /// The sum of all coverages, px².
  func area(_ pixmap: Pixmap) -> Double {
    pixmap.bits.reduce(0) { $0 + Double($1 >> 24) } / 255
  }

  @Test("a line of one pixel along a row's middle is exactly that row")
  func onePixelRow() {
    let row = drawn([(-5, 10.5), (60, 10.5)], StrokeStyle(width: 1))
    for y in 0..<40 {
      for x in 0..<40 { #expect(row[x, y].alpha == (y == 10 ? 255 : 0)) }
    }
    let column = drawn([(7.5, -5), (7.5, 60)], StrokeStyle(width: 1))
    #expect(column[7, 20].alpha == 255 && column[6, 20].alpha == 0 && column[8, 20].alpha == 0)
    let between = drawn([(-5, 10), (60, 10)], StrokeStyle(width: 1))
    #expect(between[20, 9].alpha == 128 && between[20, 10].alpha == 128)
    #expect(drawn([(0, 5), (40, 5)], StrokeStyle(width: 0)).bits.allSatisfy { $0 == 0 })
  }

  /// Returns the distance of a place from a line, in px.
  private static func distance(
    from place: SIMD2<Double>, to vertices: [(Double, Double)]
  ) -> Double {
    var least = Double.infinity
    for (start, end) in zip(vertices, vertices.dropFirst()) {
      let edge = SIMD2(end.0 - start.0, end.1 - start.1)
      let way = place - SIMD2(start.0, start.1)
      let part: Double = (way * edge).sum() / (edge * edge).sum()
      let rest = way - edge * min(max(part, 0), 1)
      least = min(least, (rest * rest).sum().squareRoot())
    }
    return least
  }

  @Test("a glow is even at bends, where the triangles of another blurred line add up")
  func glow() {
    let vertices = [(4.0, 30.0), (18, 12), (22, 14), (24, 11), (38, 32)]
    func excess(_ style: StrokeStyle) -> Double {
      let picture = drawn(vertices, style)
      var excess = 0.0
      for y in 0..<40 {
        for x in 0..<40 {
          let pixel = SIMD2(Double(x) + 0.5, Double(y) + 0.5)
          let distance = Self.distance(from: pixel, to: vertices)
          let ramp = min(max((style.width / 2 + 0.5 - distance) / (style.blur + 1), 0), 1)
          excess += max(Double(picture[x, y].alpha) - ramp * 255, 0)
        }
      }
      return excess
    }
    var style = StrokeStyle(width: 20, blur: 18, join: .round)
    let rays = excess(style)
    style.isGlow = true
    let rest = excess(style)
    #expect(rays > 4000 && rest < rays / 4, "\(rays), \(rest)")
  }

  @Test(
    "a glow is as bright as its distance says at short edges, too, whatever the bend",
    arguments: 0..<40)
  func shortEdges(seed: Int) {
    var random = SplitMix64(seed: UInt64(seed) + 7)
    var vertices = [(6.0, 20.0)]
    var angle = 0.0
    for _ in 0..<12 {
      angle += Double.random(in: -1...1, using: &random) * (seed % 2 == 0 ? 0.6 : 2.5)
      let length = Double.random(in: 0.3...5, using: &random)
      let last = vertices[vertices.count - 1]
      vertices.append((last.0 + length * cos(angle), last.1 + length * sin(angle)))
    }
    vertices = vertices.map { (($0.0 * 256).rounded() / 256, ($0.1 * 256).rounded() / 256) }
    var style = StrokeStyle(width: 20, blur: 18, cap: .round, join: .round)
    style.isGlow = true
    let picture = drawn(vertices, style)
    for y in 0..<40 {
      for x in 0..<40 {
        let pixel = SIMD2(Double(x) + 0.5, Double(y) + 0.5)
        let distance = Self.distance(from: pixel, to: vertices)
        let ramp = min(max((style.width / 2 + 0.5 - distance) / (style.blur + 1), 0), 1)
        #expect(abs(Double(picture[x, y].alpha) - ramp * 255) < 7)
      }
    }
  }

  @Test(
    "a pixel beside a line has the opacity of MapLibre's line shader for the distance of its centre",
    arguments: [(1.0, 0.0), (0.3, 0.95), (0.7, 0.7), (-0.9, 0.2), (0.05, -1)],
    [0.2, 0.5, 1, 2.5, 7])
  func ramp(direction: (Double, Double), width: Double) {
    let size = (direction.0 * direction.0 + direction.1 * direction.1).squareRoot()
    let (tx, ty) = (direction.0 / size, direction.1 / size)
    let (cx, cy) = (20.25, 19.75)
    let line = drawn(
      [(cx - tx * 99, cy - ty * 99), (cx + tx * 99, cy + ty * 99)], StrokeStyle(width: width))
    for y in 0..<40 {
      for x in 0..<40 {
        let distance = abs((Double(y) + 0.5 - cy) * tx - (Double(x) + 0.5 - cx) * ty)
        let alpha = min(max(width / 2 + 0.5 - distance, 0), 1)
        #expect(abs(Double(line[x, y].alpha) - alpha * 255) <= 3)
      }
    }
  }

  @Test("caps add nothing, half a width on both ends, or half a disk on both ends")
  func caps() {
    let line = [(10.3, 20.4), (28.1, 17.2)]
    let length = (17.8 * 17.8 + 3.2 * 3.2).squareRoot()
    for width in [3.0, 6, 11] {
      let butt = area(drawn(line, StrokeStyle(width: width, cap: .butt)))
      let square = area(drawn(line, StrokeStyle(width: width, cap: .square)))
      let round = area(drawn(line, StrokeStyle(width: width, cap: .round)))
      // Straight ends are not antialiased: whole rows of pixels at both.
      #expect(abs(butt - length * width) < 0.06 * butt)
      // The corners of a square cap lie half a pixel beyond the width's half.
      #expect(abs(square - (length + width + 1) * width) < 0.06 * square)
      #expect(abs(round - (length * width + .pi * width * width / 4)) < 0.03 * round)
    }
  }

  @Test("a line of zero length is a dot if its cap is round or square")
  func dots() {
    let dot = [(20.25, 20.5), (20.25, 20.5)]
    #expect(area(drawn(dot, StrokeStyle(width: 8, cap: .butt))) == 0)
    #expect(abs(area(drawn(dot, StrokeStyle(width: 8, cap: .round))) - .pi * 16) < 1)
    #expect(abs(area(drawn(dot, StrokeStyle(width: 8, cap: .square))) - 72) < 9)
  }

  @Test("at a right angle a miter fills the corner, a bevel half of it, a round join four fifths")
  func joins() {
    let corner = [(8.0, 30.0), (8, 8), (30, 8)]
    let width = 8.0
    // Both arms, less the quarter that they share.
    let arms = 2 * 22 * width - width * width / 4
    let square = width * width / 4
    for (join, expected) in [
      (StrokeStyle.Join.miter, square), (.bevel, square / 2), (.round, square * 0.79),
    ] {
      let found = area(drawn(corner, StrokeStyle(width: width, join: join))) - arms
      #expect(abs(found - expected) < 1.5)
    }
  }

  @Test("a miter beyond the limit becomes a bevel")
  func miterLimit() {
    // 60° between the arms: the miter is twice the width.
    let sharp = [(5.0, 30.0), (20, 4), (35, 30)]
    func found(_ limit: Double, _ join: StrokeStyle.Join = .miter) -> [UInt32] {
      drawn(sharp, StrokeStyle(width: 5, join: join, miterLimit: limit)).bits
    }
    #expect(found(2.1) != found(1.5))
    #expect(found(1.5) == found(2, .bevel))
  }

  @Test("a round join below its limit becomes a miter")
  func roundLimit() {
    let flat = [(2.0, 20.0), (20, 19), (38, 21)]
    func found(_ join: StrokeStyle.Join, _ limit: Double = 1.05) -> [UInt32] {
      drawn(flat, StrokeStyle(width: 12, join: join, roundLimit: limit)).bits
    }
    #expect(found(.round) == found(.miter))
    #expect(found(.round, 1.0001) != found(.miter))
  }

  @Test("a ring has a join at its first vertex and no caps")
  func rings() {
    let square = [(10.0, 10.0), (30, 10), (30, 30), (10, 30)]
    for cap in [StrokeStyle.Cap.butt, .round, .square] {
      let ring = drawn(square, StrokeStyle(width: 4, cap: cap), isClosed: true)
      #expect(abs(area(ring) - (24 * 24 - 16 * 16)) < 0.1)
      for first in 1..<4 {
        let turned = Array(square[first...] + square[..<first])
        #expect(drawn(turned, StrokeStyle(width: 4, cap: cap), isClosed: true).bits == ring.bits)
      }
    }
  }

  @Test("a translucent line that crosses or retraces itself is drawn over itself, as in MapLibre")
  func selfCrossing() {
    let glass = Color(red: 0, green: 0, blue: 1, alpha: 0.4)
    let found = drawn(
      [(5, 5), (35, 35), (35, 5), (5, 35)], StrokeStyle(width: 6, join: .bevel), color: glass)
    #expect(found[12, 12].alpha == 102)
    // 1 − 0.6²
    #expect(found[20, 20].alpha == 163)
    let twice = drawn([(5, 20.5), (35, 20.5), (5, 20.5)], StrokeStyle(width: 2))
    // Both sides of a line of two pixels cover half of their rows, and twice three quarters.
    #expect(twice[20, 19].alpha == 192 && twice[20, 20].alpha == 255)
  }

  @Test("the order in which triangles are drawn does not matter")
  func order() {
    let glass = Color(red: 0, green: 0, blue: 1, alpha: 0.3)
    let star = (0..<9).map {
      (
        20 + 15 * [0.3, 0.9, -1, 0.5, -0.2, 1, -0.7, 0.1, 0.8][$0],
        20 + 15 * [1.0, -0.6, 0.2, -1, 0.7, 0.4, -0.3, 0.9, -0.8][$0]
      )
    }
    let style = StrokeStyle(width: 7, join: .round)
    let ring = drawn(star, style, color: glass, isClosed: true)
    for first in 1..<9 {
      let turned = Array(star[first...] + star[..<first])
      #expect(drawn(turned, style, color: glass, isClosed: true).bits == ring.bits)
    }
  }

  @Test("dashes cover their share of the line and continue from its start distance")
  func dashes() {
    let line = [(0.0, 20.5), (36, 20.5)]
    let dashed = drawn(line, StrokeStyle(width: 3, dashes: [4, 2]))
    #expect(abs(area(dashed) - 3 * 24) < 1.5)
    #expect(dashed[0, 20].alpha == 255 && dashed[3, 20].alpha == 255)
    #expect(dashed[4, 20].alpha == 0 && dashed[5, 20].alpha == 0 && dashed[6, 20].alpha == 255)
    let later = drawn(line, StrokeStyle(width: 3, dashes: [4, 2]), startDistance: 4 * 256)
    #expect(later[0, 20].alpha == 0 && later[1, 20].alpha == 0 && later[2, 20].alpha == 255)
    // With round caps a dash without length is a disk.
    let round = drawn(
      [(3, 20), (35, 20)], StrokeStyle(width: 4, dashes: [0, 8], cap: .round))
    #expect(round[11, 20].alpha > 250 && round[7, 20].alpha == 0)
    // The last of an odd count is a dash that the first one continues.
    let odd = drawn(line, StrokeStyle(width: 3, dashes: [2, 3, 1]))
    #expect(odd[4, 20].alpha == 0 && odd[5, 20].alpha == 255 && odd[7, 20].alpha == 255)
    #expect(odd[8, 20].alpha == 0)
    // Dashes finer than a pixel are a fainter line.
    let fine = drawn(line, StrokeStyle(width: 3, dashes: [0.001, 0.003]))
    #expect(abs(Int(fine[20, 20].alpha) - 64) <= 1)
    #expect(
      drawn(line, StrokeStyle(width: 3, dashes: [0, 0])).bits
        == drawn(line, StrokeStyle(width: 3)).bits)
  }

  @Test("the end of a dash fades over the softness to each side, by MapLibre's smooth step")
  func softDashes() {
    var style = StrokeStyle(width: 3, dashes: [12, 12])
    style.dashSoftness = 1
    let found = drawn([(0, 20.5), (99, 20.5)], style)
    // A dash ends at x = 12: the centre of pixel 11 lies half a pixel inside, at three quarters of
    // the step, of which 3t² − 2t³ is 0.84; the texture is a texel (0.09 px) longer.
    #expect(abs(Int(found[11, 20].alpha) - 215) <= 16 && abs(Int(found[12, 20].alpha) - 40) <= 16)
    #expect(found[10, 20].alpha == 255 && found[13, 20].alpha == 0)
  }

  @Test("a line gap leaves the middle free and puts the width on both sides of it")
  func gaps() {
    let line = [(-9.0, 20.0), (49, 20)]
    let found = drawn(line, StrokeStyle(width: 2, gapWidth: 6))
    let expected: [Int: UInt8] = [15: 255, 16: 255, 23: 255, 24: 255]
    for y in 0..<40 { #expect(found[20, y].alpha == expected[y] ?? 0) }
  }

  @Test("an offset moves a line to the right of its direction, for any width and gap")
  func offsets() {
    func rows(_ style: StrokeStyle, reversed: Bool = false) -> [Int] {
      let line = [(-9.0, 20.0), (49, 20)]
      let found = drawn(reversed ? line.reversed() : line, style)
      return (0..<40).filter { found[20, $0].alpha == 255 }
    }
    #expect(rows(StrokeStyle(width: 2, offset: 5)) == [24, 25])
    #expect(rows(StrokeStyle(width: 2, offset: -5)) == [14, 15])
    #expect(rows(StrokeStyle(width: 2, offset: 5), reversed: true) == [14, 15])
    #expect(rows(StrokeStyle(width: 4, offset: 1)) == [19, 20, 21, 22])
    #expect(rows(StrokeStyle(width: 2, gapWidth: 4, offset: 8)) == [24, 25, 30, 31])
    // Around a ring that is clockwise on the screen, right is inside; corners meet in miters.
    let square = [(10.0, 10.0), (30, 10), (30, 30), (10, 30)]
    let inside = drawn(square, StrokeStyle(width: 2, offset: 4), isClosed: true)
    #expect(abs(area(inside) - (14 * 14 - 10 * 10)) < 0.1)
    let outside = drawn(square, StrokeStyle(width: 2, offset: -4), isClosed: true)
    #expect(abs(area(outside) - (30 * 30 - 26 * 26)) < 0.1)
  }

  @Test("line blur fades by MapLibre's formula")
  func blur() {
    let found = drawn([(-9, 20), (49, 20)], StrokeStyle(width: 8, blur: 3))
    for y in 0..<40 {
      let distance = abs(Double(y) + 0.5 - 20)
      let alpha = min(max((4.5 - distance) / 4, 0), 1)
      #expect(abs(Double(found[20, y].alpha) - alpha * 255) <= 1)
    }
    let gap = drawn([(-9, 20), (49, 20)], StrokeStyle(width: 6, gapWidth: 10, blur: 2))
    for y in 0..<40 {
      let distance = abs(Double(y) + 0.5 - 20)
      let alpha = min(max(min(distance - (5.5 - 3), 11.5 - distance) / 3, 0), 1)
      #expect(abs(Double(gap[20, y].alpha) - alpha * 255) <= 1.5)
    }
  }

  @Test("features of one line layer are drawn over one another; the painter is clean afterwards")
  func batches() {
    let painter = LinePainter()
    let pixmap = Pixmap(width: 20, height: 20)
    let points = [Path.Point(x: 0, y: 2560), Path.Point(x: 5120, y: 2560)]
    points.withUnsafeBufferPointer { points in
      painter.begin(StrokeStyle(width: 1), color: ink, width: 20, height: 20)
      painter.add(StrokeRun(points: points))
      painter.add(StrokeRun(points: points))
      painter.composite(onto: pixmap)
    }
    #expect(pixmap[5, 9].alpha == 192)
    let before = pixmap.bits
    painter.begin(StrokeStyle(width: 1), color: ink, width: 20, height: 20)
    painter.composite(onto: pixmap)
    #expect(pixmap.bits == before)
  }

  @Test(
    "the coverage of one shape stays what it is, and that of two multiplies what shines through")
  func coverageSums() {
    let logarithms = CoverageLogarithms()
    func sum(_ coverages: [Int]) -> Int {
      Int(
        logarithms.coverage(
          coverages.reduce(0) { CoverageLogarithms.sum($0, $1, logarithms.values) }))
    }
    for coverage in 0...255 {
      #expect(sum([coverage]) == coverage)
      #expect(sum([coverage, 255]) == 255)
      for other in stride(from: 0, through: 255, by: 15) {
        let through = Double((255 - coverage) * (255 - other)) / 255
        #expect(abs(Double(sum([coverage, other])) - (255 - through)) <= 1)
      }
    }
  }
}

extension LinePainter {
  /// Paints one run that is a whole feature.
  func add(_ run: StrokeRun) {
    withUnsafePointer(to: run) { add(UnsafeBufferPointer(start: $0, count: 1)) }
  }
}
