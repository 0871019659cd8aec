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
}
