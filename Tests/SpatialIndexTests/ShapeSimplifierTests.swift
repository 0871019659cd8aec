import Features
import SpatialIndex
import TestSupport
import Testing
import Tiling

@Suite struct ShapeSimplifierTests {
  /// A wavy border between two places that does not depend on who walks it.
  private func border(_ from: [Double], _ to: [Double], seed: UInt64, count: Int = 60) -> [[Double]]
  {
    var random = SplitMix64(seed: seed)
    var border = [from]
    for step in 1..<count {
      let share = Double(step) / Double(count)
      border.append([
        from[0] + (to[0] - from[0]) * share + random.number(-0.1...0.1),
        from[1] + (to[1] - from[1]) * share + random.number(-0.1...0.1),
      ])
    }
    return border + [to]
  }

  /// Four fields around one corner, each walked from another vertex and in another direction.
  private func fields(turned: Int) -> [SampleShape] {
    let middle = [10.0, 10.0]
    let sides = [[0.0, 10.0], [10, 20], [20, 10], [10, 0]]
    let inner = (0..<4).map { border(middle, sides[$0], seed: UInt64($0)) }
    let outer = (0..<4).map { border(sides[$0], sides[($0 + 1) % 4], seed: UInt64(10 + $0)) }
    return (0..<4).map { field in
      let next = (field + 1) % 4
      var ring = inner[field] + outer[field].dropFirst()
      ring += inner[next].reversed().dropFirst()
      ring.removeLast()
      if field % 2 == 1 { ring.reverse() }
      let start = (turned * (field + 1)) % ring.count
      return .polygon(Array(ring[start...] + ring[..<start]))
    }
  }

  /// The edges of all rings, without direction.
  private func edges(_ shapes: ZoomShapes) -> [SampleEdge: Int] {
    var edges: [SampleEdge: Int] = [:]
    for part in shapes.parts.indices {
      let ring = Array(shapes.vertices[shapes.vertexRange(part)])
      for (index, vertex) in ring.enumerated() {
        edges[SampleEdge(vertex, ring[(index + 1) % ring.count]).undirected, default: 0] += 1
      }
    }
    return edges
  }

  @Test(arguments: [0, 7, 31], 0..<8)
  func `fields keep the same vertices along shared borders`(turned: Int, zoom: Int) {
    let world = WorldShapes(ShapeSet(fields(turned: turned)))
    let shapes = ZoomShapes(world, zoom: zoom, tilePixels: 256)
    let edges = edges(shapes)
    // Every edge is inside and used twice, or on the outer border.
    let outer = edges.values.filter { $0 == 1 }.count
    let inner = edges.values.filter { $0 == 2 }.count
    #expect(outer + inner == edges.count)
    #expect(inner >= 4)
    let once = ZoomShapes(
      WorldShapes(ShapeSet(fields(turned: 0))), zoom: zoom, tilePixels: 256)
    #expect(Set(edges.keys) == Set(self.edges(once).keys))
    if zoom < 2 { #expect(shapes.vertices.count < world.vertices.count / 2) }
  }

  @Test(arguments: 0..<9) func `a zigzag border loses the same vertices on both sides`(
    zoom: Int
  ) {
    let teeth = (0...64).map { index -> [Double] in
      let height: Double = index % 2 == 0 ? 0 : 0.1 + Double(index % 8)
      return [Double(index) * 0.1, 20 + height]
    }
    let world = WorldShapes(
      ShapeSet([
        .polygon(teeth + [[6.4, 30], [0, 30]]),
        .polygon([[0, 10], [6.4, 10]] + teeth.reversed()),
      ]))
    let shapes = ZoomShapes(world, zoom: zoom, tilePixels: 256)
    let edges = edges(shapes)
    #expect(edges.values.filter { $0 == 1 }.count == 6)
    // The test is of both sides' importances, so that no filter hides a difference.
    var importances: [WorldVertex: Float] = [:]
    for (vertex, importance) in zip(world.vertices, world.importances) {
      #expect(importances[vertex, default: importance] == importance)
      importances[vertex] = importance
    }
  }

  @Test(arguments: [0, 1, 17, 50]) func `an island has the same vertices as the lake that it fills`(
    turned: Int
  ) {
    var random = SplitMix64(seed: 5)
    let island = random.ring(around: (30, 30), radius: 5, count: 70, isStar: true)
    let lake = Array((island[turned...] + island[..<turned]).reversed())
    let land = [[10.0, 10.0], [50, 10], [50, 50], [10, 50]]
    let world = WorldShapes(ShapeSet([.polygon(land, lake), .polygon(island)]))
    for zoom in 0..<9 {
      let shapes = ZoomShapes(world, zoom: zoom, tilePixels: 256)
      let rings = (1...2).map { Set(shapes.vertices[shapes.vertexRange($0)]) }
      #expect(rings[0] == rings[1])
      #expect(rings[0].count >= 4)
    }
  }

  @Test func `importances agree with the algorithm of Douglas and Peucker`() {
    var random = SplitMix64(seed: 9)
    let line = (0..<200).map { [Double($0) * 0.1, random.number(-3...3)] }
    let world = WorldShapes(ShapeSet([.line(line)]))
    for zoom in 0..<12 {
      let tolerance = Double(WorldVertex.turn >> (zoom + 10))
      let expected = simplified(Array(world.vertices), tolerance: tolerance)
      let kept = world.vertices.indices.filter { Double(world.importances[$0]) >= tolerance }
      #expect(kept == expected)
    }
  }

  /// The textbook algorithm: kept vertices of a line.
  private func simplified(_ line: [WorldVertex], tolerance: Double) -> [Int] {
    func keep(_ first: Int, _ last: Int) -> [Int] {
      var (place, greatest) = (first, -1.0)
      for index in (first + 1)..<max(last, first + 1) {
        let distance = distance(line[index], line[first], line[last])
        if distance > greatest { (place, greatest) = (index, distance) }
      }
      guard greatest >= tolerance else { return [] }
      return keep(first, place) + [place] + keep(place, last)
    }
    return [0] + keep(0, line.count - 1) + [line.count - 1]
  }

  private func distance(_ point: WorldVertex, _ a: WorldVertex, _ b: WorldVertex) -> Double {
    let (dx, dy) = (Double(b.x - a.x), Double(b.y - a.y))
    let (px, py) = (Double(point.x - a.x), Double(point.y - a.y))
    let share = min(max((px * dx + py * dy) / (dx * dx + dy * dy), 0), 1)
    let (qx, qy) = (px - share * dx, py - share * dy)
    return Double(Float((qx * qx + qy * qy).squareRoot()))
  }

  @Test func `a thin rectangle keeps its area at every zoom`() {
    let world = WorldShapes(ShapeSet([.polygon([[0, 0], [40, 0], [40, 0.01], [0, 0.01]])]))
    for zoom in 0..<10 {
      #expect(ZoomShapes(world, zoom: zoom, tilePixels: 256).vertices.count >= (zoom > 4 ? 4 : 2))
    }
    #expect(world.importances.allSatisfy { $0 == .infinity })
  }

  @Test func `a spiral that defeats halving is measured within bounds`() {
    // Distances from the chord fall steadily, so each split takes off one vertex.
    let spiral = (0..<12_000).map { index -> [Double] in
      let place = Double(index)
      return [place * 1e-3, Double(index % 2) * 60 * (1 - place / 12e3)]
    }
    let world = WorldShapes(ShapeSet([.line(spiral)]))
    #expect(world.vertices.count == 12_000)
  }

  @Test(
    .enabled(if: SharedData.isThere, "needs ../shared/data"), arguments: [0, 2, 5])
  func `simplified countries share their borders`(zoom: Int) throws {
    let world = WorldShapes(try ShapeSet(shared: "overlays/ne_110m_admin_0_countries.json"))
    let all = ZoomShapes(world, zoom: 22, tilePixels: 1024)
    let shapes = ZoomShapes(world, zoom: zoom, tilePixels: 256)
    // As many borders as in the data are shared, once those that vanish are left out.
    let shared = { (shapes: ZoomShapes) in
      Double(self.edges(shapes).values.filter { $0 == 2 }.count) / Double(shapes.vertices.count)
    }
    #expect(shared(all) > 0.1)
    #expect(shared(shapes) > 0.1)
    #expect(edges(shapes).values.allSatisfy { $0 <= 2 } || zoom < 3)
  }
}

/// An edge with a direction.
struct SampleEdge: Hashable {
  var from: ZoomVertex
  var to: ZoomVertex

  init(_ from: ZoomVertex, _ to: ZoomVertex) {
    self.from = from
    self.to = to
  }

  var undirected: SampleEdge {
    (from.x, from.y) <= (to.x, to.y) ? self : SampleEdge(to, from)
  }
}
