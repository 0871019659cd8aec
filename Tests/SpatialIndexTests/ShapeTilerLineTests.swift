import Features
import SpatialIndex
import TestSupport
import Testing
import Tiling

@Suite struct ShapeTilerLineTests {
  /// Winding lines and rings, over the antimeridian too.
  private static func samples() -> ShapeSet {
    var random = SplitMix64(seed: 50)
    return ShapeSet(
      (0..<14).map { index in
        let center = (x: random.number(-190...190), y: random.number(-80...80))
        let radius = [2.0, 10, 50][index % 3]
        let run = random.ring(around: center, radius: radius, count: 4 + 3 * index, isStar: true)
        return index % 2 == 0 ? .line(run) : .polygon(run)
      })
  }

  /// Length of the line up to each edge's start.
  private func distances(_ edges: [SampleEdge]) -> [Int] {
    var sum = 0
    return edges.map { edge in
      let (dx, dy) = (Double(edge.to.x - edge.from.x), Double(edge.to.y - edge.from.y))
      defer { sum += Int((dx * dx + dy * dy).squareRoot().rounded()) }
      return sum
    }
  }

  @Test(arguments: [(0, 256, 4), (2, 64, 0), (3, 64, 6), (4, 32, 40)])
  func `runs of a line contain every edge near the tile, and one more on both sides`(
    zoom: Int, pixels: Int, reach: Int
  ) {
    let shapes = ZoomShapes(WorldShapes(Self.samples()), zoom: zoom, tilePixels: pixels)
    let pieces = SamplePieces(
      ShapeTiler.pieces(of: shapes, areaReach: 0, lineReach: reach, window: TileRange(zoom: zoom)) {
        _ in .line
      }, of: shapes)
    #expect(pieces.areas.isEmpty && pieces.full.isEmpty)
    var runCount = 0
    for shape in 0..<shapes.count {
      let part = shapes.partRange(shape).lowerBound
      let isRing = shapes.parts[part] == .outerRing
      let edges = shapes.sampleEdges(part, isClosed: isRing)
      let starts = distances(edges)
      let line = Array(shapes.vertices[shapes.vertexRange(part)])
      for copy in -1...1 {
        for x in 0..<1 << zoom {
          for y in 0..<1 << zoom {
            let tile = TileCoord(z: zoom, x: x, y: y)
            let box = shapes.box(tile, reach: reach, copy: copy)
            let meeting = edges.map { $0.meets(box, bordersBelong: true) }
            let runs = pieces.lines[SamplePieces.Key(tile: tile, shape: shape, copy: copy)] ?? []
            runCount += runs.count
            var drawn = Set<Int>()
            for run in runs {
              check(run, line, edges, starts, meeting, isRing: isRing, &drawn)
            }
            #expect(drawn.isSuperset(of: edges.indices.filter { meeting[$0] }))
          }
        }
      }
    }
    #expect(runCount > 14)
  }

  /// Checks one run against the whole line, and notes the edges that it draws.
  private func check(
    _ run: SamplePieces.Run, _ line: [ZoomVertex], _ edges: [SampleEdge], _ starts: [Int],
    _ meeting: [Bool], isRing: Bool, _ drawn: inout Set<Int>
  ) {
    var pairs = Array(zip(run.vertices, run.vertices.dropFirst()).map(SampleEdge.init))
    if run.flags.contains(.isClosed) {
      #expect(isRing && run.vertices == line && meeting.allSatisfy { $0 })
      pairs.append(SampleEdge(run.vertices[run.vertices.count - 1], run.vertices[0]))
    }
    let places = pairs.map { edges.firstIndex(of: $0) ?? -1 }
    #expect(!places.contains(-1))
    guard !places.contains(-1) else { return }
    for (index, place) in places.enumerated() {
      #expect(run.distances[index] == starts[place])
      drawn.insert(place)
      if index > 0 { #expect(place == (places[index - 1] + 1) % edges.count) }
      // No edge in vain, but for one at each end and single ones in between.
      if !meeting[place], index > 0, index + 1 < places.count {
        #expect(meeting[places[index - 1]] && meeting[places[index + 1]])
      }
    }
    #expect(places.contains { meeting[$0] })
    guard !isRing else { return }
    #expect(run.flags.contains(.startsLine) == (places[0] == 0))
    #expect(run.flags.contains(.endsLine) == (places[places.count - 1] == edges.count - 1))
    if meeting[places[0]] { #expect(places[0] == 0) }
    if meeting[places[places.count - 1]] { #expect(places[places.count - 1] == edges.count - 1) }
  }

  @Test func `a line along the border of a tile belongs to both`() {
    let shapes = ZoomShapes(
      WorldShapes(ShapeSet([.line([[-10, 0], [10, 0]])])), zoom: 1, tilePixels: 256)
    let pieces = ShapeTiler.pieces(
      of: shapes, areaReach: 0, lineReach: 0, window: TileRange(zoom: 1)
    ) { _ in .line }
    #expect(Array(pieces.tileKeys) == [0, 1, 2, 3] as [UInt64])
    #expect(Array(pieces.shapes) == [0, 0, 0, 0])
  }

  @Test func `a line across the antimeridian is on both sides`() {
    let shapes = ZoomShapes(
      WorldShapes(ShapeSet([.line([[175, 10], [-175, 20]])])), zoom: 2, tilePixels: 256)
    let pieces = SamplePieces(
      ShapeTiler.pieces(of: shapes, areaReach: 0, lineReach: 2, window: TileRange(zoom: 2)) {
        _ in [.line, .area]
      }, of: shapes)
    let keys = Set(pieces.lines.keys.map { "\($0.tile) \($0.copy)" })
    #expect(keys == ["2/3/1 0", "2/0/1 -1"])
  }

  @Test func `pieces are ordered by tile in archive order, then by shape, areas before lines`() {
    let box = [[-100.0, -50.0], [100, -50], [100, 50], [-100, 50]]
    let shapes = ZoomShapes(
      WorldShapes(ShapeSet([.polygon(box), .line(box), .polygon(box)])), zoom: 2, tilePixels: 256)
    let pieces = ShapeTiler.pieces(
      of: shapes, areaReach: 0, lineReach: 1, window: TileRange(zoom: 2)
    ) { $0 == 2 ? .area : [.area, .line] }
    #expect(pieces.tileKeys == ContiguousArray(pieces.tileKeys.sorted()))
    #expect(Set(pieces.tileKeys).count == pieces.tileKeys.count)
    for tile in 0..<pieces.count {
      let order = pieces.pieceRange(tile).map {
        [Int(pieces.shapes[$0]), pieces.kinds[$0] == .line ? 1 : 0]
      }
      #expect(order == [[0, 0], [0, 1], [1, 1], [2, 0]])
    }
  }
}
