import PNG
import PlainPainting
import Raster
import TestSupport
import Testing
import Tiling

@testable import Painting
@testable import Scenes
@testable import Styling

@Suite("All tiles of a zoom side by side")
struct StitchTests {
  @Test(
    "all tiles of a zoom side by side are one large picture, pixel for pixel", arguments: [0.0, 1],
    [1, 2])
  func stitch(snap: Double, scale: Int) throws {
    for seed in 0..<(runsSlowTests ? 60 : 3) {
      var random = SplitMix64(seed: UInt64(seed) << 8 | UInt64(scale))
      let pool =
        RandomLooks.stacks(&random, count: 7)
        + (0..<2).map { _ in [StackedLook(layer: 0, look: RandomLooks.chart(&random))] }
      let grid = PixelGrid(zoom: 2, tileSize: 64, scale: scale, snap: snap)
      let scene = RandomScene(
        &random, grid: grid, pool: pool, count: 10 + random.below(30),
        background: random.pick([0, 0, 0xFF10_2030]))
      try expectStitched(scene, seed: seed)
    }
  }

  private func expectStitched(_ scene: RandomScene, seed: Int) throws {
    let world = try scene.world()
    let scale = scene.grid.scale
    let store = SpriteStore(scale: scale, fonts: try fonts.get(), threads: 1)
    let scenes = try scene.scenes(store)
    let side = scene.grid.tilePixels
    let painter = TilePainter(
      side: side, scale: scale, sparse: nil, fonts: try fonts.get(), sprites: store.sprites)
    let plain = PlainPainter(fonts: try fonts.get())
    var missing = Set(
      (0..<scene.grid.tilesAcross).flatMap { x in
        (0..<scene.grid.tilesAcross).map { TileCoord(z: scene.grid.zoom, x: x, y: $0) }
      })
    for index in 0..<scenes.count {
      let tile = scenes.tile(index)
      missing.remove(tile)
      let expected = world.part(left: tile.x * side, top: tile.y * side, side: side)
      var png: [UInt8] = []
      try painter.paint(index, of: scenes, into: &png)
      let drawn = try PNGDecoder().decode(png)
      #expect(
        drawn.largestDifference(to: expected.withRoundedEdges()) == 0, "\(seed): \(tile)")
      // The plain painter draws every symbol anew, so a few tiles have to do.
      guard index % 5 == 0 else { continue }
      let scene = scene.scene(left: tile.x * side, top: tile.y * side, side: side)
      #expect(try plain.paint(scene).largestDifference(to: expected) == 0, "\(seed): \(tile)")
    }
    for tile in missing {
      #expect(!world.showsAnything(left: tile.x * side, top: tile.y * side, side: side))
    }
  }
}
