import TestSupport
import Testing

@testable import Raster

@Suite("Outlines of areas")
struct AreaOutlineTests {
  typealias Shape = AreaCanvasTests.Shape

  let areas = AreaCanvasTests()

  /// The alpha of an opaque line at a distance from it, by MapLibre's shader.
  func opacity(_ distance: Double) -> Double {
    1 - distance * distance * (3 - 2 * distance)
  }

  @Test("a pixel is covered whole by its centre, and beside the edge by its distance")
  func profile() {
    let shape = Shape(rings: [areas.rectangle(576, 1000, 1024, 2048)], color: areas.red)
    for coloring in [AreaCanvas.Coloring.constant(areas.red), .each] {
      let drawn = areas.picture([shape], coloring: coloring, edges: .lined)
      // From 2.25 to 6.25 px: the middles of pixels 2 and 5 are inside.
      #expect((2...5).allSatisfy { drawn[$0, 8] == areas.red })
      #expect(abs(Double(drawn[1, 8].alpha) - 255 * opacity(0.75)) <= 1)
      #expect(abs(Double(drawn[6, 8].alpha) - 255 * opacity(0.25)) <= 1)
      #expect(drawn[0, 8].alpha == 0 && drawn[7, 8].alpha == 0)
    }
  }

  @Test("the distance from a slanted edge is that along the row or column that it passes")
  func slanted() {
    // From (2, 1) to (14, 7): half a row for each column.
    let shape = Shape(rings: [[(512, 256), (3584, 1792), (512, 1792)]], color: areas.red)
    let drawn = areas.picture([shape], coloring: .constant(areas.red), edges: .lined)
    for column in 3..<12 {
      let edge = 1 + (Double(column) + 0.5 - 2) / 2
      let row = Int(edge - 0.5)
      let distance = edge - 0.5 - Double(row)
      #expect(drawn[column, row + 1] == areas.red)
      #expect(abs(Double(drawn[column, row].alpha) - 255 * opacity(distance)) <= 1)
    }
  }

  @Test("neighbours of one colour leave no seam", arguments: 0..<20)
  func noSeam(seed: Int) {
    var random = SplitMix64(seed: UInt64(seed))
    let cut = (Int.random(in: 0...4096, using: &random), Int.random(in: 0...4096, using: &random))
    for color in [areas.red, areas.glass] {
      for coloring in [AreaCanvas.Coloring.constant(color), .each] {
        let drawn = areas.picture(
          areas.halves(color, color, at: cut), coloring: coloring, edges: .lined)
        for row in 1..<15 {
          for column in 1..<15 { #expect(drawn[column, row] == color) }
        }
      }
    }
  }

  @Test("the rim of a translucent area is twice as dense, unless another continues it")
  func rim() {
    let glass = areas.glass
    let alone = Shape(rings: [areas.rectangle(1152, 1024, 1024, 1024)], color: glass)
    let coloring = AreaCanvas.Coloring.constant(glass)
    let drawn = areas.picture([alone], coloring: coloring, edges: .lined)
    #expect(drawn[6, 6] == glass)
    #expect(abs(Int(drawn[4, 6].alpha) - Int(glass.over(glass).alpha)) <= 1)
    // A narrow gap, of which no pixel's middle is free, has only one line.
    let pair = [
      Shape(rings: [areas.rectangle(1024, 1024, 1024, 1024)], color: glass),
      Shape(rings: [areas.rectangle(2100, 1024, 1024, 1024)], color: glass),
    ]
    let beside = areas.picture(pair, coloring: coloring, edges: .lined)
    #expect((6...10).allSatisfy { beside[$0, 6] == glass })
  }

  @Test("an edge through the middles of pixels shows, too, in every direction")
  func middles() {
    let glass = areas.glass
    let coloring = AreaCanvas.Coloring.constant(glass)
    let corners = [(1152, 1152), (2688, 1152), (2688, 2688), (1152, 2688)]
    let slanted = [(2176, 640), (3712, 2176), (2176, 3712), (640, 2176)]
    for ring in [corners, slanted] {
      let drawn = areas.picture(
        [Shape(rings: [ring.map { (x: $0.0, y: $0.1) }], color: glass)], coloring: coloring,
        edges: .lined)
      for (from, to) in zip(ring, ring.dropFirst() + ring.prefix(1)) {
        let pixel = drawn[(from.0 + to.0) / 512, (from.1 + to.1) / 512]
        // Inside or outside: a line over the area, or over nothing.
        #expect(pixel == glass || abs(Int(pixel.alpha) - Int(glass.over(glass).alpha)) <= 1)
      }
    }
  }

  @Test("a polygon between the middles of pixels is drawn by its area")
  func specks() {
    // From 4.6 to 5.4 px in both directions.
    let speck = Shape(rings: [areas.rectangle(1178, 1178, 204, 204)], color: areas.red)
    for coloring in [AreaCanvas.Coloring.constant(areas.red), .each] {
      let drawn = areas.picture([speck], coloring: coloring, edges: .lined)
      let exact = areas.picture([speck], coloring: coloring)
      #expect(drawn.bits == exact.bits)
      #expect(drawn[4, 4].alpha > 30)
    }
  }

  @Test("lines of opaque areas in their own colours lie over all areas of the layer")
  func order() {
    let lower = Shape(rings: [areas.rectangle(0, 0, 2176, 4096)], color: areas.red)
    let upper = Shape(rings: [areas.rectangle(0, 0, 4096, 4096)], color: areas.blue)
    let drawn = areas.picture([lower, upper], coloring: .each, edges: .lined)
    #expect(drawn[4, 8] == areas.blue && drawn[8, 8] == areas.red && drawn[12, 8] == areas.blue)
  }

  @Test(
    "an opaque area has all of its line, whether or not others could hide it", arguments: 0..<40)
  func constantEqualsGeneral(seed: Int) {
    var random = SplitMix64(seed: UInt64(seed) + 600)
    for shape in areas.polygons(count: 6, color: { _ in areas.red }, using: &random) {
      // Whole and half pixels, so that many edges go through middles.
      var coarse = shape
      coarse.rings = shape.rings.map { $0.map { (x: $0.x & ~127, y: $0.y & ~127) } }
      for shape in [shape, coarse] {
        let sums = areas.picture([shape], coloring: .constant(areas.red), edges: .lined).bits
        let shares = areas.picture([shape], coloring: .each, edges: .lined).bits
        for (first, second) in zip(sums, shares) {
          #expect(abs(Int(first >> 24) - Int(second >> 24)) <= 1)
        }
      }
    }
  }

  @Test("windows of areas together are the one large picture", arguments: 0..<12)
  func windows(seed: Int) {
    var random = SplitMix64(seed: UInt64(seed) + 500)
    let colors = [areas.red, areas.blue, areas.glass, areas.red]
    let shapes = areas.polygons(count: 14, color: { colors[$0 % 4] }, using: &random)
    let coloring = [AreaCanvas.Coloring.each, .constant(areas.glass), .constant(areas.red)][
      seed % 3]
    let whole = areas.picture(shapes, coloring: coloring, width: 32, height: 32, edges: .lined)
    let canvas = AreaCanvas()
    for (x, y, width, height) in [
      (0, 0, 16, 16), (16, 0, 16, 16), (3, 5, 21, 19), (16, 16, 16, 16),
    ] {
      let window = areas.picture(
        shapes, coloring: coloring, width: width, height: height, originX: x, originY: y,
        edges: .lined, canvas: canvas)
      var differing = 0
      for row in 0..<height {
        for column in 0..<width where window[column, row] != whole[x + column, y + row] {
          differing += 1
        }
      }
      #expect(differing == 0)
    }
  }

  @Test("areas in colours of their pixels add up where they overlap, if they are translucent")
  func paint() {
    let shapes = [
      Shape(rings: [areas.rectangle(0, 0, 4096, 2048)], color: areas.red),
      Shape(rings: [areas.rectangle(0, 0, 2048, 4096)], color: areas.red),
    ]
    for (paint, twice) in [
      (areas.glass, areas.glass.over(areas.glass)), (areas.blue, areas.blue),
    ] {
      let drawn = areas.picture(
        shapes, coloring: .constant(PremultipliedColor(.black)), edges: .lined, paint: paint)
      #expect(drawn[4, 4] == twice)
      #expect(drawn[12, 4] == paint && drawn[4, 12] == paint)
      #expect(drawn[12, 12].alpha == 0)
    }
  }

  @Test("hostile vertices and ends neither trap nor paint outside the picture")
  func hostile() {
    let far = Int(Path.limit)
    let shapes = [
      [(-far, -far), (far, -far), (far, far), (-far, far)], [(-far, 3), (far, 5), (far, 5)],
      [(7, -far), (7, far)], [(0, 0)], [],
    ].map { Shape(rings: [$0.map { (x: $0.0, y: $0.1) }], color: areas.red) }
    for coloring in [AreaCanvas.Coloring.each, .constant(areas.glass)] {
      let drawn = areas.picture(shapes, coloring: coloring, width: 8, height: 8, edges: .lined)
      #expect(drawn[4, 4].alpha > 0)
    }
  }
}
