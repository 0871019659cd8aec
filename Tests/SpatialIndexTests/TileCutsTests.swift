import Features
import SpatialIndex
import TestSupport
import Testing
import Tiling

@Suite struct TileCutsTests {
  /// The runs of a line in the middle of a tile of zoom 2, at zoom 4, by tile.
  private func runs(_ line: [[Double]], cuts: TileCuts?) -> [TileCoord: [SamplePieces.Run]] {
    let shapes = ZoomShapes(
      WorldShapes(ShapeSet([.line(line)]), cuts: cuts), zoom: 4, tilePixels: 64)
    let pieces = SamplePieces(
      ShapeTiler.pieces(of: shapes, areaReach: 0, lineReach: 2, window: TileRange(zoom: 4)) { _ in
        .line
      }, of: shapes)
    var runs: [TileCoord: [SamplePieces.Run]] = [:]
    for (key, value) in pieces.lines where (9...10).contains(key.tile.x) { runs[key.tile] = value }
    return runs
  }

  @Test func `what a tile shows of a line does not depend on its course in others`() {
    var random = SplitMix64(seed: 37)
    let within =
      [[0, 20.0]] + (1..<200).map { [Double($0) * 0.45, 30 + random.number(-4...4)] } + [
        [90, 25.0]
      ]
    let beyond = [[-60, 40.0], [-31, -22]] + within + [[117, 51.0], [151, -10]]
    let cuts = TileCuts(zoom: 2, restartsDistances: true)
    let expected = runs(within, cuts: cuts)
    #expect(expected.count >= 2)
    #expect(runs(beyond, cuts: cuts) == expected)
    #expect(runs(beyond, cuts: nil) != runs(within, cuts: nil))
  }

  @Test func `distances count from the last border, where they are to`() throws {
    let line = [[-10.0, 20], [0, 20], [30, 20], [60, 20], [100, 20]]
    func distances(restarts: Bool) throws -> [Int] {
      let found = runs(line, cuts: TileCuts(zoom: 2, restartsDistances: restarts))
      return try #require(found[TileCoord(z: 4, x: 9, y: 7)]?.first?.distances)
    }
    // The edge before the one that meets the tile ends on the border; 4 px beyond it begins what the
    // next tile has.
    #expect(try distances(restarts: true).prefix(2) == [0, 1024])
    #expect(try distances(restarts: false)[1] > 0)
  }

  // MARK: Lines of tiles

  /// Lines of tiles of zoom 2, the first of the tile west of Greenwich, the second of that east of it.
  private func tileLines(_ lines: [[[Double]]]) -> ShapeSet {
    var batch = FeatureBatch()
    for (line, longitude) in zip(lines, [-1.0, 1]) {
      batch.geometry.add(LngLat(longitude: longitude, latitude: 20))
      batch.geometry.endPart(.tile)
      for position in line {
        batch.geometry.add(LngLat(longitude: position[0], latitude: position[1]))
      }
      batch.geometry.endPart(.line)
      batch.geometry.endRecord(.lineString)
      batch.ids.append(.missing)
      batch.lines.append(batch.lines.count + 1)
    }
    var shapes = ShapeSet()
    shapes.append(batch, rows: ContiguousArray(lines.indices))
    return shapes
  }

  /// A line through two tiles as each of them has it: up to 4 px beyond the border at zoom 4.
  private var cutLine: ShapeSet {
    tileLines([[[-80, 20], [1.40625, 20]], [[-1.40625, 20], [20, 25], [80, 20]]])
  }

  private func pieces(of shapes: ShapeSet, zoom: Int) -> SamplePieces {
    let shapes = ZoomShapes(
      WorldShapes(shapes, cuts: TileCuts(zoom: 2, restartsDistances: true)), zoom: zoom,
      tilePixels: 64)
    return SamplePieces(
      ShapeTiler.pieces(
        of: shapes, areaReach: 0, lineReach: 2, window: TileRange(zoom: zoom)
      ) { _ in .line }, of: shapes)
  }

  @Test func `a tile shows of lines of tiles only that of the tile that it lies in`() throws {
    let pieces = pieces(of: cutLine, zoom: 4)
    let byTile = Dictionary(grouping: pieces.lines.keys, by: \.tile.x).mapValues {
      Set($0.map(\.shape))
    }
    #expect(byTile == [4: [0], 5: [0], 6: [0], 7: [0], 8: [1], 9: [1], 10: [1], 11: [1]])
    // Distances begin where the tile's line does, beyond the border.
    let key = SamplePieces.Key(tile: TileCoord(z: 4, x: 8, y: 7), shape: 1, copy: 0)
    let run = try #require(pieces.lines[key]?.first)
    #expect(run.distances.first == 0)
    #expect(run.flags.contains(.startsLine))
    #expect(abs(run.vertices[0].x - (512 - 4) * 256) <= 1)
  }

  @Test func `lines of tiles are drawn in the pixels of their tile`() throws {
    // A tile of zoom 0 has four columns of source tiles of 16 px.
    let pieces = pieces(of: cutLine, zoom: 0)
    let windows = pieces.lines.sorted { $0.key.shape < $1.key.shape }.flatMap { $0.value }
      .map(\.window)
    #expect(windows.map { $0?.firstColumn } == [16, 32])
    #expect(windows.map { $0?.endColumn } == [32, 48])
    #expect(windows.map { $0?.firstRow } == [16, 16])
    #expect(windows.map { $0?.endRow } == [32, 32])
  }

  @Test func `a line of a tile does not depend on those of its neighbours`() {
    var random = SplitMix64(seed: 41)
    let course = (0..<300).map { [Double($0) * 0.3 - 84, 30 + random.number(-0.05...0.05)] }
    // The neighbour has the same line beyond the border, which bends away from it.
    let beyond = [[-9.1, 41.0]] + course.suffix(20) + [[40, 20.0]]
    let (alone, both) = (tileLines([course]), tileLines([course, beyond]))
    let expected = pieces(of: alone, zoom: 4).lines
    #expect(expected.count == 4)
    #expect(expected.values.joined().map(\.vertices.count).reduce(0, +) < 400)
    #expect(pieces(of: both, zoom: 4).lines.filter { $0.key.shape == 0 } == expected)
  }
}
