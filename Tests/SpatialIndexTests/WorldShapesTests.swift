import Features
import SpatialIndex
import TestSupport
import Testing
import Tiling

@Suite struct WorldShapesTests {
  private static let turn = WorldVertex.turn

  /// Degrees east of the world's west edge.
  private func degrees(_ x: Int) -> Double { Double(x) / Double(Self.turn) * 360 }

  private func longitudes(_ shapes: WorldShapes, part: Int = 0) -> [Double] {
    shapes.vertices[shapes.vertexRange(part)].map { (degrees($0.x) - 180).rounded() }
  }

  @Test func `vertices agree with world points in their upper bits`() throws {
    var random = SplitMix64(seed: 1)
    for _ in 0..<500 {
      let position = LngLat(
        longitude: random.number(-180...179.9), latitude: random.number(-85...85))
      let point = try #require(WorldPoint(position))
      let vertex = WorldVertex(position)
      #expect(UInt32(vertex.x >> 10) == point.x && UInt32(vertex.y >> 10) == point.y)
    }
  }

  @Test func `latitudes beyond the world are kept, but end short of the poles`() {
    let north = WorldVertex(LngLat(longitude: 0, latitude: 90))
    let south = WorldVertex(LngLat(longitude: 0, latitude: -90))
    #expect(north.y < -Self.turn / 2 && north.y > -Self.turn)
    #expect(south.y > Self.turn + Self.turn / 2 && south.y < 2 * Self.turn)
    #expect(WorldVertex(LngLat(longitude: .nan, latitude: .infinity)).y == Self.turn / 2)
  }

  @Test(arguments: [1e9, -1e300, 1.7e308, 3.6e5, -3.7e5])
  func `huge longitudes are clamped`(longitude: Double) {
    let shapes = WorldShapes(
      ShapeSet([
        .line([[longitude, 0], [-longitude, 1], [0, 2]]),
        .polygon([[0, 0], [longitude, 5], [5, 5], [-longitude, 50]]),
      ]))
    #expect(shapes.count == 2)
    #expect(shapes.vertices.allSatisfy { abs($0.x) <= 2048 * Self.turn })
  }

  @Test func `a winding track is clamped to a thousand turns`() {
    let track = (0..<6000).map { [Double($0 * 60 % 360) - 180, 0] }
    let shapes = WorldShapes(ShapeSet([.line(track)]))
    #expect(shapes.boxes[0].maxX <= 2048 * Self.turn)
    #expect(shapes.boxes[0].maxX > 900 * Self.turn)
  }

  @Test func `an edge across the antimeridian goes the short way`() {
    let shapes = WorldShapes(ShapeSet([.line([[170, 10], [-170, 12], [-160, 13], [175, 14]])]))
    #expect(longitudes(shapes) == [170, 190, 200, 175])
  }

  @Test func `a long edge of a flat map stays as it is`() {
    let shapes = WorldShapes(
      ShapeSet([.polygon([[-48.5, -50], [-48.5, 30], [169.5, 30], [169.5, -50]])]))
    #expect(longitudes(shapes).max() == 170 || longitudes(shapes).max() == 169)
    #expect(longitudes(shapes).min() == -49 || longitudes(shapes).min() == -48)
  }

  @Test func `longitudes beyond 180 are the same shape as wrapped ones`() {
    let beyond = WorldShapes(ShapeSet([.polygon([[170, 0], [190, 0], [190, 9], [170, 9]])]))
    let wrapped = WorldShapes(ShapeSet([.polygon([[170, 0], [-170, 0], [-170, 9], [170, 9]])]))
    let west = WorldShapes(ShapeSet([.polygon([[-190, 0], [-170, 0], [-170, 9], [-190, 9]])]))
    #expect(beyond.vertices == wrapped.vertices)
    #expect(beyond.vertices == west.vertices)
  }

  @Test(
    "a box of most of the world stays as wide as it is, a smaller one crosses the antimeridian",
    arguments: [
      (170.0, 60.0, 340.0), (179.9, 85, 359.8), (175, 30, 350), (165, 80, 330), (170, 9, 20),
      (178, 0.5, 4), (160, 60, 40),
    ])
  func boxes(longitude: Double, latitude: Double, width: Double) {
    let box = [
      [-longitude, -latitude], [longitude, -latitude], [longitude, latitude],
      [-longitude, latitude], [-longitude, -latitude],
    ]
    for ring in [box, box.reversed(), Array(box.dropLast())] {
      let bounds = WorldShapes(ShapeSet([.polygon(ring)])).boxes[0]
      let found = Double(bounds.maxX - bounds.minX) / Double(Self.turn) * 360
      #expect(abs(found - width) < 1e-6)
    }
  }

  @Test func `edges along the border of a flat map stay long`() {
    let world = WorldShapes(
      ShapeSet([
        .polygon([[-180, -60], [180.00000000000014, -60], [180, 60], [-180, 60], [-180, -60]])
      ]))
    #expect(longitudes(world) == [-180, 180, 180, -180])
    #expect(world.boxes[0].maxX == Self.turn)
  }

  @Test func `repeated vertices are dropped, and so are degenerate lines and areas`() {
    let shapes = WorldShapes(
      ShapeSet([
        .polygon([[0, 0], [0, 0], [1, 0], [1, 1], [1, 1], [0, 0], [0, 0]]),
        .polygon([[0, 0], [1, 0], [0, 0]]),
        .polygon([[0, 0], [1, 0], [0, 0], [1, 0]], [[0, 0], [9, 0], [9, 9]]),
        .line([[5, 5], [5, 5]]),
        .line([]),
        .polygons([]),
        .line([[5, 5], [6, 6], [6, 6]]),
      ]))
    #expect(shapes.count == 7)
    #expect(shapes.partEnds == [1, 1, 1, 1, 1, 1, 2])
    #expect(shapes.vertexEnds == [3, 5])
  }

  @Test(arguments: [1.0, -1.0]) func `a ring around a pole is closed over it`(side: Double) {
    let ring = stride(from: -175.0, through: 175, by: 10).map { [$0, side * (60 + $0 / 100)] }
    for ring in [ring, ring.reversed()] {
      let shapes = WorldShapes(ShapeSet([.polygon(ring)]))
      #expect(shapes.parts == [.polarOuterRing, .polarLine])
      let box = shapes.boxes[0]
      #expect(box.maxX - box.minX == Self.turn)
      #expect(side > 0 ? box.minY < -Self.turn / 2 : box.maxY > Self.turn * 3 / 2)
      // The outline has no edge to the pole, and goes one edge beyond the turn on both sides.
      let outline = shapes.boxes[1]
      #expect(side > 0 ? outline.minY > 0 : outline.maxY < Self.turn)
      #expect(shapes.vertexRange(1).count == ring.count + 3)
    }
  }

  @Test func `holes are placed with their outer ring`() {
    let outer: [[Double]] = [[170, -20], [-150, -20], [-150, 20], [170, 20]]
    for hole in [[-170.0, -160], [190, 200], [-530, -520]] {
      let shapes = WorldShapes(
        ShapeSet([.polygon(outer, [[hole[0], -5], [hole[1], -5], [hole[1], 5], [hole[0], 5]])]))
      #expect(longitudes(shapes, part: 1) == [190, 200, 200, 190])
      #expect(shapes.areas[1] == 0)
      #expect(shapes.areas[0] < Double(shapes.boxes[0].maxX) * Double(Self.turn))
    }
  }

  @Test(.enabled(if: SharedData.isThere, "needs ../shared/data"))
  func `the dateline sample is unwrapped as drawn`() throws {
    let shapes = WorldShapes(try ShapeSet(shared: "overlays/dateline.json"))
    let box = shapes.boxes[0]
    #expect((degrees(box.maxX - box.minX) - 397.96875).magnitude < 0.001)
    #expect(shapes.parts.filter { $0 == .line }.count == 2)
  }

  @Test(
    .enabled(if: SharedData.isThere, "needs ../shared/data"),
    arguments: ["overlays/ne_110m_admin_0_countries.json", "overlays/ne_110m_land.json"])
  func `no shape of Natural Earth is wider than the world`(name: String) throws {
    let shapes = WorldShapes(try ShapeSet(shared: name))
    #expect(shapes.count > 100)
    #expect(!shapes.parts.contains(.polarOuterRing))
    var widest = 0
    for part in shapes.parts.indices {
      let box = shapes.boxes[part]
      #expect(box.maxX - box.minX <= Self.turn && box.minX >= 0 && box.minX < Self.turn)
      widest = max(widest, box.maxX - box.minX)
    }
    // Antarctica runs along the border of the flat map.
    #expect(widest == Self.turn)
    #expect(shapes.boxes.contains { $0.maxY > Self.turn * 3 / 2 })
  }
}
