import Features
import SpatialIndex
import TestSupport
import Testing
import Tiling

@Suite struct ZoomShapesTests {
  @Test(arguments: [(0, 256), (3, 512), (9, 768), (17, 256), (21, 1536), (22, 1024), (21, 2048)])
  func `vertices of a zoom are the world's, rounded half up, and shifted`(
    zoom: Int, tilePixels: Int
  ) {
    var random = SplitMix64(seed: 3)
    let ring = random.ring(around: (179, 40), radius: 20, count: 9, isStar: true)
    let world = WorldShapes(ShapeSet([.polygon(ring), .line([[-60, -30], [20, 80]])]))
    let shapes = ZoomShapes(world, zoom: zoom, tilePixels: tilePixels, shiftX: 77, shiftY: -3)
    let unit = Double(WorldVertex.turn) / Double(tilePixels * 256 << zoom)
    #expect(shapes.worldSize == tilePixels * 256 << zoom)
    let kept = world.vertices.indices.filter { Double(world.importances[$0]) >= 64 * unit }
    #expect(shapes.vertices.count == kept.count)
    for (index, vertex) in zip(kept, shapes.vertices) {
      let exact = world.vertices[index]
      #expect(vertex.x - 77 == Int((Double(exact.x) / unit + 0.5).rounded(.down)))
      #expect(vertex.y + 3 == Int((Double(exact.y) / unit + 0.5).rounded(.down)))
    }
    for part in shapes.parts.indices {
      for vertex in shapes.vertices[shapes.vertexRange(part)] {
        let box = shapes.boxes[part]
        #expect(
          (box.minX...box.maxX).contains(vertex.x) && (box.minY...box.maxY).contains(vertex.y))
      }
    }
  }

  /// The area of all rings by the shoelace formula, holes subtracted, in px².
  private func area(_ shapes: ZoomShapes) -> Double {
    var total = 0.0
    for part in shapes.parts.indices where shapes.parts[part] != .line {
      let ring = Array(shapes.vertices[shapes.vertexRange(part)])
      var doubled = 0.0
      for (index, a) in ring.enumerated() {
        let b = ring[(index + 1) % ring.count]
        doubled += Double(a.x - ring[0].x) * Double(b.y - ring[0].y)
        doubled -= Double(b.x - ring[0].x) * Double(a.y - ring[0].y)
      }
      total += (shapes.parts[part] == .innerRing ? -1 : 1) * doubled.magnitude / 2
    }
    return total / 65_536
  }

  private func dustArea(_ shapes: ZoomShapes) -> Double {
    shapes.dust.areas.reduce(0) { $0 + Double($1) } / 4_294_967_296
  }

  @Test(arguments: 4..<18) func `a town of buildings keeps its area at every zoom`(zoom: Int) {
    var random = SplitMix64(seed: 8)
    let buildings = (0..<400).map { index -> SampleShape in
      let (x, y) = (Double(index % 20) * 0.0004, Double(index / 20) * 0.0004)
      let (width, height) = (random.number(0.00005...0.0003), random.number(0.00005...0.0003))
      func box(_ inset: Double) -> [[Double]] {
        [
          [x + width * inset, y + height * inset], [x + width * (1 - inset), y + height * inset],
          [x + width * (1 - inset), y + height * (1 - inset)],
          [x + width * inset, y + height * (1 - inset)],
        ]
      }
      return index % 3 == 0 ? .polygon(box(0), box(0.25)) : .polygon(box(0))
    }
    let world = WorldShapes(ShapeSet(buildings))
    let pixel = Double(WorldVertex.turn) / Double(256 << zoom)
    let expected = world.areas.reduce(0, +) / (pixel * pixel)
    let shapes = ZoomShapes(world, zoom: zoom, tilePixels: 256)
    let found = area(shapes) + dustArea(shapes)
    #expect(abs(found - expected) <= expected * 0.03)
    #expect((shapes.dust.count == 400) == (zoom <= 10))
    #expect((shapes.dust.count == 0) == (zoom >= 13))
  }

  @Test func `a sub-pixel polygon is in the pixel of its centre`() {
    let ring = [[10.0, 10.0], [10.0001, 10], [10.0001, 10.0001], [10, 10.0001]]
    let world = WorldShapes(ShapeSet([.line([[0, 0], [1, 1]]), .polygon(ring)]))
    let shapes = ZoomShapes(world, zoom: 6, tilePixels: 256)
    let pixel = WorldVertex.turn / (256 << 6)
    let box = world.boxes[1]
    #expect(shapes.dust.shapes == [1])
    #expect(shapes.dust.xs == [(box.minX + box.maxX) / 2 / pixel])
    #expect(shapes.dust.ys == [(box.minY + box.maxY) / 2 / pixel])
    let share = world.areas[1] / (Double(pixel) * Double(pixel))
    #expect(abs(Double(shapes.dust.areas[0]) / 4_294_967_296 - share) < 1e-9)
    #expect(shapes.areaBoxes[1].isEmpty && shapes.lineBoxes[1].isEmpty)
  }

  @Test(
    .enabled(if: SharedData.isThere, "needs ../shared/data"), arguments: [0, 1, 3, 6])
  func `simplified land keeps its area`(zoom: Int) throws {
    let world = WorldShapes(try ShapeSet(shared: "overlays/ne_110m_land.json"))
    let pixel = Double(WorldVertex.turn) / Double(256 << zoom)
    let expected = world.areas.reduce(0, +) / (pixel * pixel)
    let shapes = ZoomShapes(world, zoom: zoom, tilePixels: 256)
    #expect(abs(area(shapes) + dustArea(shapes) - expected) <= expected * 0.005)
  }
}
