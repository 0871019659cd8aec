import TestSupport
import Testing

@testable import Raster

@Suite("AreaCanvas")
struct AreaCanvasTests {
  let red = PremultipliedColor(Color(red: 1, green: 0, blue: 0))
  let blue = PremultipliedColor(Color(red: 0, green: 0, blue: 1))
  let glass = PremultipliedColor(Color(red: 0, green: 0.6, blue: 1, alpha: 0.4))
  let veil = PremultipliedColor(Color(red: 1, green: 0.2, blue: 0.1, alpha: 0.7))

  /// One polygon of a layer, in 1/256 px.
  struct Shape {
    var rings: [[(x: Int, y: Int)]]
    var color: PremultipliedColor
    var window: PixelWindow?
  }

  /// Lays shapes over a background, as the window of a larger picture.
  func picture(
    _ shapes: [Shape], coloring: AreaCanvas.Coloring, width: Int = 16, height: Int = 16,
    originX: Int = 0, originY: Int = 0, edges: AreaCanvas.Edges = .exact,
    background: PremultipliedColor = .transparent, paint: PremultipliedColor? = nil,
    canvas: AreaCanvas = AreaCanvas()
  ) -> Pixmap {
    let pixmap = Pixmap(width: width, height: height)
    pixmap.clear(to: background)
    canvas.beginLayer(
      width: width, height: height, coloring: coloring, edges: edges)
    func forEach(
      _ body: (UnsafeBufferPointer<Path.Point>, UnsafeBufferPointer<Int32>, PremultipliedColor) ->
        Void
    ) {
      for shape in shapes {
        let points = shape.rings.joined().map {
          Path.Point(x: Int32($0.x - originX * 256), y: Int32($0.y - originY * 256))
        }
        var end: Int32 = 0
        let ends = shape.rings.map { ring in
          end += Int32(ring.count)
          return end
        }
        points.withUnsafeBufferPointer { points in
          canvas.clip(to: shape.window)
          ends.withUnsafeBufferPointer { body(points, $0, shape.color) }
        }
      }
    }
    forEach { canvas.add($0, contourEnds: $1, color: $2) }
    if canvas.drawsOutlines { forEach { canvas.addOutline($0, contourEnds: $1, color: $2) } }
    if canvas.hasSpecks { forEach { canvas.addSpeck($0, contourEnds: $1, color: $2) } }
    if let paint {
      canvas.composite(onto: pixmap) { _, _ in paint.bits }
    } else {
      canvas.composite(onto: pixmap)
    }
    return pixmap
  }

  @Test(
    "areas that are cut to windows side by side are the picture of whole ones",
    arguments: [AreaCanvas.Edges.exact, .stepped, .lined], [1.0, 0.5])
  func windows(edges: AreaCanvas.Edges, alpha: Double) {
    var random = SplitMix64(seed: 77)
    let windows = [
      PixelWindow(columns: -9..<6, rows: -2..<10), PixelWindow(columns: 6..<40, rows: -2..<10),
      PixelWindow(columns: -9..<40, rows: 10..<16),
    ]
    for _ in 0..<20 {
      let shapes = (0..<4).map { _ in
        Shape(
          rings: [
            (0..<6).map { _ in
              (
                Int.random(in: -900...5000, using: &random),
                .random(in: -900...5000, using: &random)
              )
            }
          ],
          color: PremultipliedColor(
            Color(red: random.number(in: 0..<1), green: 0.3, blue: 0.8, alpha: alpha)))
      }
      let cut = shapes.flatMap { shape in
        windows.map { Shape(rings: shape.rings, color: shape.color, window: $0) }
      }
      for coloring in [AreaCanvas.Coloring.each, .constant(shapes[0].color)] {
        let whole = picture(shapes, coloring: coloring, edges: edges)
        let bits = picture(cut, coloring: coloring, edges: edges).bits
        // A translucent line along an edge may count twice where it leaves a window and comes back.
        let limit = edges == .lined && alpha < 1 ? 8 : 0
        #expect(zip(bits, whole.bits).count { $0 != $1 } <= limit)
        let one = cut.filter { $0.window == windows[1] }
        let part = picture(one, coloring: coloring, edges: edges)
        for row in 0..<16 {
          for column in 0..<16 where column < 6 || row >= 10 {
            #expect(part[column, row] == .transparent)
          }
        }
      }
    }
  }

  func rectangle(_ x: Int, _ y: Int, _ width: Int, _ height: Int) -> [(x: Int, y: Int)] {
    [(x, y), (x + width, y), (x + width, y + height), (x, y + height)]
  }

  /// The two parts of a square of 16 px beside a line across it.
  func halves(_ first: PremultipliedColor, _ second: PremultipliedColor, at x: (Int, Int))
    -> [Shape]
  {
    [
      Shape(rings: [[(0, 0), (x.0, 0), (x.1, 4096), (0, 4096)]], color: first),
      Shape(rings: [[(4096, 4096), (x.1, 4096), (x.0, 0), (4096, 0)]], color: second),
    ]
  }

  @Test("a pixel is covered by the area of a polygon in it, without holes")
  func areas() {
    let third = Shape(rings: [rectangle(256, 256, 85, 256)], color: red)
    let frame = Shape(
      rings: [rectangle(1024, 1024, 512, 512), rectangle(1152, 1152, 256, 256)], color: red)
    for coloring in [AreaCanvas.Coloring.constant(red), .each] {
      let drawn = picture([third, frame], coloring: coloring)
      #expect(drawn[1, 1].alpha == 85)
      #expect(drawn[0, 1].alpha == 0 && drawn[2, 1].alpha == 0)
      #expect(drawn[4, 4].alpha == 191 && drawn[5, 5].alpha == 191)
    }
  }

  @Test(
    "polygons that share an edge leave exactly their colour on any background", arguments: 0..<20)
  func noSeam(seed: Int) {
    var random = SplitMix64(seed: UInt64(seed))
    let cut = (Int.random(in: 0...4096, using: &random), Int.random(in: 0...4096, using: &random))
    let background = PremultipliedColor(bits: 0xFF20_80C0)
    for color in [red, glass, veil] {
      let expected = color.over(background).bits
      for coloring in [AreaCanvas.Coloring.constant(color), .each] {
        let drawn = picture(
          halves(color, color, at: cut), coloring: coloring, background: background)
        #expect(drawn.bits.allSatisfy { $0 == expected })
      }
    }
  }

  @Test("where two colours meet, the background does not show", arguments: 0..<20)
  func twoColors(seed: Int) {
    var random = SplitMix64(seed: UInt64(seed) + 100)
    let cut = (Int.random(in: 0...4096, using: &random), Int.random(in: 0...4096, using: &random))
    let black = picture(
      halves(red, blue, at: cut), coloring: .each, background: PremultipliedColor(.black))
    let white = picture(
      halves(red, blue, at: cut), coloring: .each, background: PremultipliedColor(.white))
    #expect(black.bits == white.bits)
    #expect(black.bits.allSatisfy { ($0 & 0xFF) + ($0 >> 16 & 0xFF) >= 254 })
    // Two colours of one alpha keep that alpha.
    let other = PremultipliedColor(Color(red: 1, green: 1, blue: 0, alpha: 0.4))
    let clear = picture(halves(glass, other, at: cut), coloring: .each)
    #expect(clear.bits.allSatisfy { $0 >> 24 == UInt32(glass.alpha) })
  }

  @Test("neighbours on top of a full polygon leave no seam either", arguments: 0..<10)
  func upperLayer(seed: Int) {
    var random = SplitMix64(seed: UInt64(seed) + 200)
    let cut = (Int.random(in: 0...4096, using: &random), Int.random(in: 0...4096, using: &random))
    let base = Shape(rings: [rectangle(0, 0, 4096, 4096)], color: veil)
    let drawn = picture([base] + halves(glass, glass, at: cut), coloring: .each)
    let expected = glass.over(veil)
    for bits in drawn.bits {
      for shift in [UInt32(0), 8, 16, 24] {
        let difference = Int(bits >> shift & 0xFF) - Int(expected.bits >> shift & 0xFF)
        #expect(abs(difference) <= 1)
      }
    }
  }

  @Test("a full polygon over others is source-over, and equals one that covers the picture")
  func sourceOver() {
    let canvas = AreaCanvas()
    let under = Shape(rings: [rectangle(100, 200, 3000, 3000)], color: red)
    let cover = Shape(rings: [rectangle(-500, -500, 9000, 9000)], color: glass)
    let drawn = picture([under, cover], coloring: .each)
    #expect(drawn[8, 8] == glass.over(red))
    #expect(drawn[15, 15] == glass)
    let pixmap = Pixmap(width: 16, height: 16)
    let points = under.rings[0].map { Path.Point(x: Int32($0.x), y: Int32($0.y)) }
    canvas.beginLayer(width: 16, height: 16, coloring: .each)
    points.withUnsafeBufferPointer { points in
      [Int32(4)].withUnsafeBufferPointer { canvas.add(points, contourEnds: $0, color: red) }
    }
    canvas.addFull(color: glass)
    canvas.composite(onto: pixmap)
    #expect(pixmap.bits == drawn.bits)
    pixmap.clear()
    canvas.beginLayer(width: 16, height: 16, coloring: .constant(glass))
    canvas.addFull(color: glass)
    canvas.addFull(color: glass)
    canvas.composite(onto: pixmap)
    let twice = picture([cover, cover], coloring: .constant(glass))
    #expect(pixmap.bits == twice.bits)
    #expect(abs(Int(pixmap[3, 3].alpha) - Int(glass.over(glass).alpha)) <= 1)
  }

  @Test("one colour gives the same by sums as by shares, up to a rounding step", arguments: 0..<24)
  func constantEqualsGeneral(seed: Int) {
    var random = SplitMix64(seed: UInt64(seed) + 300)
    let color = [red, glass, veil][seed % 3]
    let shapes = polygons(count: 12, color: { _ in color }, using: &random)
    let sums = picture(shapes, coloring: .constant(color)).bits
    let shares = picture(shapes, coloring: .each).bits
    for (first, second) in zip(sums, shares) {
      for shift in [UInt32(0), 8, 16, 24] {
        let difference = Int(first >> shift & 0xFF) - Int(second >> shift & 0xFF)
        #expect(abs(difference) <= 1)
      }
    }
    #expect(sums.contains { $0 != 0 })
  }

  @Test("windows of areas together are the one large picture", arguments: 0..<16)
  func windows(seed: Int) {
    var random = SplitMix64(seed: UInt64(seed) + 400)
    let colors = [red, blue, glass, veil]
    let shapes = polygons(count: 14, color: { colors[$0 % 4] }, using: &random)
    let coloring: AreaCanvas.Coloring = seed % 2 == 0 ? .each : .constant(glass)
    let edges: AreaCanvas.Edges = seed % 8 < 6 ? .exact : .stepped
    let whole = picture(
      shapes, coloring: coloring, width: 32, height: 32, edges: edges)
    let canvas = AreaCanvas()
    for (x, y, width, height) in [
      (0, 0, 16, 16), (16, 0, 16, 16), (3, 5, 21, 19), (16, 16, 16, 16),
    ] {
      let window = picture(
        shapes, coloring: coloring, width: width, height: height, originX: x, originY: y,
        edges: edges, canvas: canvas)
      var differing = 0
      for row in 0..<height {
        for column in 0..<width where window[column, row] != whole[x + column, y + row] {
          differing += 1
        }
      }
      #expect(differing == 0)
    }
  }

  @Test("without antialiasing each pixel belongs to the one polygon that contains its centre")
  func centers() {
    for cut in [(2048, 2048), (100, 3900), (2176, 2176), (4000, 30)] {
      let drawn = picture(
        halves(red, blue, at: cut), coloring: .each, edges: .stepped)
      #expect(drawn.bits.allSatisfy { $0 == red.bits || $0 == blue.bits })
      let glassy = picture(
        halves(glass, glass, at: cut), coloring: .constant(glass), edges: .stepped)
      #expect(glassy.bits.allSatisfy { $0 == glass.bits })
    }
    let thin = Shape(rings: [rectangle(1024 + 120, 0, 16, 4096)], color: red)
    #expect(picture([thin], coloring: .each, edges: .stepped)[4, 4] == red)
    let missed = Shape(rings: [rectangle(1024 + 130, 0, 100, 4096)], color: red)
    #expect(picture([missed], coloring: .each, edges: .stepped).bits.allSatisfy { $0 == 0 })
  }

  @Test("sub-pixel polygons add up to their area, and are gone with their layer")
  func dust() {
    let canvas = AreaCanvas()
    let pixmap = Pixmap(width: 4, height: 4)
    for coloring in [AreaCanvas.Coloring.constant(red), .each] {
      pixmap.clear()
      canvas.beginLayer(width: 4, height: 4, coloring: coloring)
      for _ in 0..<1000 { canvas.addDust(x: 2, y: 1, area: 0.5e-3, color: red) }
      // Each far too small for one pixel to show, together a quarter of it.
      for _ in 0..<50_000 { canvas.addDust(x: 3, y: 3, area: 5e-6, color: red) }
      canvas.addDust(x: 4, y: 0, area: 1, color: red)
      canvas.addDust(x: 0, y: -1, area: 1, color: red)
      canvas.composite(onto: pixmap)
      #expect(abs(Int(pixmap[2, 1].alpha) - 128) <= 1)
      #expect(abs(Int(pixmap[3, 3].alpha) - 64) <= 1)
      #expect(pixmap.bits.filter { $0 != 0 }.count == 2)
      pixmap.clear()
      canvas.beginLayer(width: 4, height: 4, coloring: coloring)
      canvas.composite(onto: pixmap)
      #expect(pixmap.bits.allSatisfy { $0 == 0 })
    }
  }

  @Test("many thousands of polygons on a pixel hide what is below, and do not overflow")
  func manyPolygons() {
    let canvas = AreaCanvas()
    let pixmap = Pixmap(width: 4, height: 4)
    let faint = PremultipliedColor(bits: 0x0100_0001)
    pixmap.clear(to: PremultipliedColor(.black))
    canvas.beginLayer(width: 4, height: 4, coloring: .constant(faint))
    let points = [(0, 0), (1024, 0), (1024, 640), (0, 640)].map {
      Path.Point(x: Int32($0.0), y: Int32($0.1))
    }
    points.withUnsafeBufferPointer { points in
      [Int32(4)].withUnsafeBufferPointer {
        for _ in 0..<40_000 { canvas.add(points, contourEnds: $0, color: faint) }
      }
    }
    canvas.composite(onto: pixmap)
    for y in 0..<3 { #expect(pixmap[2, y].red == 255) }
    #expect(pixmap[2, 3] == PremultipliedColor(.black))
  }

  @Test("hostile vertices, ends and counts neither trap nor paint outside the picture")
  func hostile() {
    let canvas = AreaCanvas()
    let far = Path.limit
    let pixmap = Pixmap(width: 8, height: 8)
    let points = [
      Path.Point(x: -far, y: -far), Path.Point(x: far, y: -far), Path.Point(x: far, y: far),
      Path.Point(x: -far, y: far),
    ]
    for ends: [Int32] in [[4], [-3, 4], [1, 2, 400], [], [4, 4, 2], [.max]] {
      canvas.beginLayer(width: 8, height: 8, coloring: .constant(glass))
      points.withUnsafeBufferPointer { points in
        ends.withUnsafeBufferPointer {
          for _ in 0..<3 { canvas.add(points, contourEnds: $0, color: glass) }
        }
      }
      canvas.composite(onto: pixmap)
    }
    pixmap.clear()
    canvas.beginLayer(width: 8, height: 8, coloring: .constant(glass))
    for _ in 0..<5000 { canvas.addFull(color: glass) }
    canvas.composite(onto: pixmap)
    #expect(pixmap.bits.allSatisfy { $0 >> 24 == 255 })
  }

  /// Random triangles and quadrangles, some far larger than the picture.
  func polygons(
    count: Int, color: (Int) -> PremultipliedColor, using random: inout SplitMix64
  ) -> [Shape] {
    (0..<count).map { index in
      let range = index % 3 == 0 ? -20_000...30_000 : -2000...9000
      let ring = (0..<(3 + index % 3)).map { _ in
        (x: Int.random(in: range, using: &random), y: Int.random(in: range, using: &random))
      }
      return Shape(rings: [ring], color: color(index))
    }
  }
}
