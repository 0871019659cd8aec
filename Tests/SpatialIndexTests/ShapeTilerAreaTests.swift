import Features
import Raster
import SpatialIndex
import TestSupport
import Testing
import Tiling

@Suite struct ShapeTilerAreaTests {
  /// Stars and tangles of all sizes, with holes, over the antimeridian and beyond the world's edge.
  static func samples(seed: UInt64, count: Int) -> ShapeSet {
    var random = SplitMix64(seed: seed)
    return ShapeSet(
      (0..<count).map { index in
        let center = (x: random.number(-200...200), y: random.number(-88...88))
        let radius = [1.0, 8, 30, 80][index % 4]
        let isStar = index % 3 != 0
        let ring = random.ring(around: center, radius: radius, count: 3 + index, isStar: isStar)
        guard isStar else { return .polygon(ring) }
        let hole = random.ring(around: center, radius: radius / 6, count: 5, isStar: true)
        return .polygon(ring, hole)
      })
  }

  private static func tiles(_ zoom: Int) -> [TileCoord] {
    (0..<1 << zoom).flatMap { x in (0..<1 << zoom).map { TileCoord(z: zoom, x: x, y: $0) } }
  }

  @Test(arguments: [(0, 256, 0), (1, 64, 20), (3, 64, 0), (4, 32, 5), (4, 64, 100)])
  func `a piece of an area equals the shape within its tile and reach`(
    zoom: Int, pixels: Int, reach: Int
  ) {
    let shapes = ZoomShapes(
      WorldShapes(Self.samples(seed: 40, count: 16)), zoom: zoom, tilePixels: pixels)
    let pieces = SamplePieces(
      ShapeTiler.pieces(
        of: shapes, areaReach: reach, lineReach: 0, window: TileRange(zoom: zoom)
      ) { _ in .area }, of: shapes)
    #expect(pieces.lines.isEmpty)
    var random = SplitMix64(seed: 41)
    for shape in 0..<shapes.count {
      let edges = shapes.ringEdges(shape)
      for copy in -1...1 {
        for tile in Self.tiles(zoom) {
          let key = SamplePieces.Key(tile: tile, shape: shape, copy: copy)
          let box = shapes.box(tile, reach: reach, copy: copy)
          let kept = edges.filter { $0.meets(box, bordersBelong: false) }
          let isFull = pieces.full.contains(key)
          guard let contours = pieces.areas[key] else {
            #expect(kept.isEmpty)
            let middle = (x: (box.minX + box.maxX) / 2, y: (box.minY + box.maxY) / 2)
            let inside = !box.isEmpty && isInside(edges, x: middle.x, y: middle.y)
            #expect(inside == isFull)
            continue
          }
          let reduced = SpatialIndexTests.edges(of: contours)
          #expect(!isFull && !kept.isEmpty)
          #expect(Set(kept).isSubset(of: Set(reduced)))
          for _ in 0..<4 {
            let x = Int.random(in: box.minX..<box.maxX, using: &random)
            let y = Int.random(in: box.minY..<box.maxY, using: &random)
            #expect(isInside(edges, x: x, y: y) == isInside(reduced, x: x, y: y))
          }
        }
      }
    }
  }

  @Test(arguments: [(3, 64), (2, 128)])
  func `pieces of areas paint exactly the pixels of whole shapes`(zoom: Int, pixels: Int) {
    let shapes = ZoomShapes(
      WorldShapes(Self.samples(seed: 42, count: 12)), zoom: zoom, tilePixels: pixels, shiftX: 128)
    let pieces = SamplePieces(
      ShapeTiler.pieces(of: shapes, areaReach: 0, lineReach: 0, window: TileRange(zoom: zoom)) {
        _ in .area
      }, of: shapes)
    let rasterizer = CoverageRasterizer()
    func paint(_ contours: [[ZoomVertex]], at origin: (x: Int, y: Int)) -> [UInt32] {
      var path = Path()
      for contour in contours {
        for (index, vertex) in contour.enumerated() {
          let (x, y) = (Int32(vertex.x - origin.x), Int32(vertex.y - origin.y))
          if index == 0 { path.move(toX: x, y: y) } else { path.addLine(toX: x, y: y) }
        }
        path.close()
      }
      let pixmap = Pixmap(width: pixels, height: pixels)
      rasterizer.fill(
        path, rule: .evenOdd, color: PremultipliedColor(bits: 0xFFFF_FFFF), into: pixmap,
        offsetX: 0, offsetY: 0)
      return Array(pixmap.pixels)
    }
    var covered = 0
    for shape in 0..<shapes.count {
      let rings = shapes.partRange(shape).map { Array(shapes.vertices[shapes.vertexRange($0)]) }
      for copy in -1...1 {
        for tile in Self.tiles(zoom) {
          let key = SamplePieces.Key(tile: tile, shape: shape, copy: copy)
          let box = shapes.box(tile, reach: 0, copy: copy)
          let expected = paint(rings, at: (box.minX, box.minY))
          if pieces.full.contains(key) {
            #expect(expected.allSatisfy { $0 == 0xFFFF_FFFF })
          } else {
            #expect(expected == paint(pieces.areas[key] ?? [], at: (box.minX, box.minY)))
          }
          covered += expected.contains { $0 != 0 } ? 1 : 0
        }
      }
    }
    #expect(covered > 20)
  }

  @Test func `a shape that is exactly a block of tiles fills them and touches no other`() {
    let square = [
      [-180.0, 0], [0, 0], [0, 85.051_128_779_806_59], [-180, 85.051_128_779_806_59],
    ]
    let shapes = ZoomShapes(
      WorldShapes(ShapeSet([.polygon(square)])), zoom: 2, tilePixels: 256)
    let pieces = SamplePieces(
      ShapeTiler.pieces(of: shapes, areaReach: 0, lineReach: 0, window: TileRange(zoom: 2)) {
        _ in .area
      }, of: shapes)
    #expect(pieces.areas.isEmpty)
    let tiles = pieces.full.map { $0.tile.description }.sorted()
    #expect(tiles == ["2/0/0", "2/0/1", "2/1/0", "2/1/1"])
  }

  @Test(arguments: [
    TileRange(zoom: 3, firstColumn: 3, lastColumn: 5, firstRow: 2, lastRow: 6),
    TileRange(zoom: 3, firstColumn: 7, lastColumn: 0, firstRow: 0, lastRow: 7),
    TileRange(zoom: 3, firstColumn: 4, lastColumn: 4, firstRow: 4, lastRow: 4),
    TileRange(zoom: 3, firstColumn: 4, lastColumn: 4, firstRow: 4, lastRow: 3),
    TileRange(zoom: 3, firstColumn: -3, lastColumn: 90, firstRow: -5, lastRow: 44),
  ])
  func `pieces of areas do not depend on the window`(window: TileRange) {
    let shapes = ZoomShapes(
      WorldShapes(Self.samples(seed: 43, count: 24)), zoom: 3, tilePixels: 64)
    func pieces(_ window: TileRange) -> SamplePieces {
      SamplePieces(
        ShapeTiler.pieces(of: shapes, areaReach: 7, lineReach: 9, window: window) {
          _ in [.area, .line]
        }, of: shapes)
    }
    let all = pieces(TileRange(zoom: 3))
    let some = pieces(window)
    func isWanted(_ key: SamplePieces.Key) -> Bool {
      let columns =
        window.firstColumn <= window.lastColumn
        ? key.tile.x >= window.firstColumn && key.tile.x <= window.lastColumn
        : key.tile.x >= window.firstColumn || key.tile.x <= window.lastColumn
      return columns && key.tile.y >= window.firstRow && key.tile.y <= window.lastRow
    }
    #expect(some.areas == all.areas.filter { isWanted($0.key) })
    #expect(some.full == all.full.filter { isWanted($0) })
    #expect(some.lines == all.lines.filter { isWanted($0.key) })
  }

  @Test(arguments: [14, 18, 22])
  func `a triangle over half the world is exact in deep tiles`(zoom: Int) {
    let ring = [[-60.0, -80.0], [150, -60], [20, 84]]
    let shapes = ZoomShapes(WorldShapes(ShapeSet([.polygon(ring)])), zoom: zoom, tilePixels: 256)
    let edges = shapes.ringEdges(0)
    var random = SplitMix64(seed: 2)
    for _ in 0..<12 {
      // A tile on an edge, and its neighbours.
      let edge = edges[Int.random(in: edges.indices, using: &random)]
      let column = (edge.from.x + edge.to.x) >> 17
      let row = (edge.from.y + edge.to.y) >> 17
      let window = TileRange(
        zoom: zoom, firstColumn: column - 1, lastColumn: column + 1, firstRow: row - 1,
        lastRow: row + 1)
      let pieces = SamplePieces(
        ShapeTiler.pieces(of: shapes, areaReach: 3, lineReach: 3, window: window) {
          _ in [.area, .line]
        }, of: shapes)
      var cut = 0
      for x in column - 1...column + 1 {
        for y in row - 1...row + 1 {
          let tile = TileCoord(z: zoom, x: x, y: y)
          let key = SamplePieces.Key(tile: tile, shape: 0, copy: 0)
          let box = shapes.box(tile, reach: 3, copy: 0)
          let kept = edges.filter { $0.meets(box, bordersBelong: false) }
          let reduced = SpatialIndexTests.edges(of: pieces.areas[key] ?? [])
          #expect(Set(kept).isSubset(of: Set(reduced)))
          #expect(kept.isEmpty == reduced.isEmpty)
          cut += kept.isEmpty ? 0 : 1
          let (px, py) = ((box.minX + box.maxX) / 2, box.minY + 9)
          let expected = isInside(edges, x: px, y: py)
          #expect(expected == (isInside(reduced, x: px, y: py) || pieces.full.contains(key)))
          let runs = pieces.lines[key] ?? []
          let drawn = runs.flatMap {
            zip($0.vertices, $0.vertices.dropFirst()).map(SampleEdge.init)
          }
          #expect(Set(kept).isSubset(of: Set(drawn)))
          #expect(Set(drawn).isSubset(of: Set(edges)))
        }
      }
      #expect(cut >= 2)
    }
  }

  @Test(arguments: [1.0, -1.0]) func `a polar cap covers the last row once`(side: Double) {
    let ring = stride(from: -175.0, through: 175, by: 5).map { [$0, side * (60 + $0 / 50)] }
    let shapes = ZoomShapes(WorldShapes(ShapeSet([.polygon(ring)])), zoom: 3, tilePixels: 64)
    let pieces = SamplePieces(
      ShapeTiler.pieces(of: shapes, areaReach: 0, lineReach: 2, window: TileRange(zoom: 3)) {
        _ in [.area, .line]
      }, of: shapes)
    var random = SplitMix64(seed: 6)
    for column in 0..<8 {
      let tile = TileCoord(z: 3, x: column, y: side > 0 ? 0 : 7)
      let keys = (-1...1).map { SamplePieces.Key(tile: tile, shape: 0, copy: $0) }
      #expect(keys.allSatisfy { pieces.lines[$0] == nil })
      for _ in 0..<50 {
        let x = Int.random(in: 0..<64 * 256, using: &random)
        let y = Int.random(in: 0..<64 * 256, using: &random)
        let covered = keys.filter { key in
          let box = shapes.box(tile, reach: 0, copy: key.copy)
          let edges = SpatialIndexTests.edges(of: pieces.areas[key] ?? [])
          return pieces.full.contains(key) || isInside(edges, x: box.minX + x, y: box.minY + y)
        }
        #expect(covered.count == 1)
      }
    }
  }

  @Test(.enabled(if: SharedData.isThere, "needs ../shared/data"))
  func `Antarctica reaches the world's edge without an outline along it`() throws {
    let world = WorldShapes(try ShapeSet(shared: "overlays/ne_110m_land.json"))
    let shapes = ZoomShapes(world, zoom: 3, tilePixels: 256)
    let pieces = ShapeTiler.pieces(
      of: shapes, areaReach: 0, lineReach: 2, window: TileRange(zoom: 3)
    ) { _ in [.area, .line] }
    // The last row: land all along the last row of pixels, and no line there. In column 0 the coast
    // itself runs south of the world's edge.
    for column in 1..<8 {
      let tile = try #require(
        pieces.tileKeys.firstIndex(of: TileKey(column: column, row: 7).rawValue))
      let sample = pieces.pieceRange(tile).map { piece in
        guard pieces.kinds[piece] == .area else { return pieces.kinds[piece] == .fullArea }
        var isCovered = false
        pieces.withArea(piece) { area in
          isCovered = isInside(
            SpatialIndexTests.edges(of: contours(area)), x: 128 * 256, y: 255 * 256 + 9)
        }
        return isCovered
      }
      #expect(sample.filter { $0 }.count == 1)
      for piece in pieces.pieceRange(tile) where pieces.kinds[piece] == .line {
        pieces.withLine(piece) { line in
          #expect(line.vertices.allSatisfy { $0.y < 255 * 256 || $0.y > 300 * 256 })
        }
      }
    }
  }

  private func contours(_ area: ShapePieces.Area) -> [[ZoomVertex]] {
    let starts = [0] + area.ends.map { Int($0) }
    return area.ends.indices.map { index in
      area.vertices[starts[index]..<starts[index + 1]].map {
        ZoomVertex(x: Int($0.x), y: Int($0.y))
      }
    }
  }

  @Test func `a sub-pixel polygon is in the tile of its pixel and in those within reach`() {
    let ring = [[0.0001, 0.0001], [0.0003, 0.0001], [0.0003, 0.0003], [0.0001, 0.0003]]
    let shapes = ZoomShapes(WorldShapes(ShapeSet([.polygon(ring)])), zoom: 1, tilePixels: 256)
    func dust(_ reach: Int, _ use: ShapeUse) -> [[Int]] {
      let pieces = ShapeTiler.pieces(
        of: shapes, areaReach: reach, lineReach: 0, window: TileRange(zoom: 1)
      ) { _ in use }
      return (0..<pieces.count).flatMap { tile in
        pieces.dustRange(tile).map {
          [Int(pieces.tileKeys[tile]), Int(pieces.dustXs[$0]), Int(pieces.dustYs[$0])]
        }
      }
    }
    #expect(dust(0, .line).isEmpty)
    // Column 1, row 0: north-east of the middle of the world.
    #expect(dust(0, .area) == [[1, 0, 255]])
    #expect(dust(2, .area) == [[0, 256, 255], [1, 0, 255], [2, 256, -1], [3, 0, -1]])
  }
}
