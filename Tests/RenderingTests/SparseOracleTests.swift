import PNG
import Raster
import TestSupport
import Testing
import Tiling

@testable import Painting
@testable import Scenes
@testable import Styling

@Suite("The sparse path")
struct SparseOracleTests {
  /// Scenes of the size of a small tile, more of them with `QUADRILLE_SLOW`.
  private static let worlds = runsSlowTests ? 160 : 24

  private static let side = 64

  @Test(
    "the sparse path differs by at most 8 from the plain painter on edges, and is exact elsewhere")
  func oracle() throws {
    var random = SplitMix64(seed: 2024)
    let trained = RandomLooks.plainStacks(&random, count: 5)
    let sparse = try Self.style(trained)
    let strange = RandomLooks.stacks(&random, count: 5)
    var palette = 0
    var exact = 0
    for world in 0..<Self.worlds {
      let pool = world % 3 == 0 ? trained + strange : trained
      let grid = PixelGrid(zoom: 2, tileSize: Self.side, snap: world % 2 == 0 ? 1 : 0)
      let scene = RandomScene(&random, grid: grid, pool: pool, count: 4 + random.below(30))
      let (inPalette, exactly) = try compare(scene, sparse)
      palette += inPalette
      exact += exactly
    }
    // Both ways were taken, the sparse one by most tiles.
    #expect(palette > exact && exact > 0, "\(palette) \(exact)")
    #expect(palette + exact > (runsSlowTests ? 1200 : 200))
  }

  @Test(
    "the sparse path differs by at most 8 over an opaque background, also in translucent layers")
  func background() throws {
    var random = SplitMix64(seed: 77)
    let trained =
      RandomLooks.plainStacks(&random, count: 3) + RandomLooks.stacks(&random, count: 3)
    let sparse = try Self.style(trained, background: 0xFFC0_B0A0)
    let scene = RandomScene(
      &random, grid: PixelGrid(zoom: 2, tileSize: Self.side), pool: trained, count: 30,
      background: 0xFFC0_B0A0)
    let (palette, _) = try compare(scene, sparse)
    #expect(palette > 0)
  }

  @Test("a painter's picture is cleared to each background, after tiles in pixels on any other")
  func backgroundAfterPixels() throws {
    var random = SplitMix64(seed: 78)
    let pool = RandomLooks.plainStacks(&random, count: 3)
    let grid = PixelGrid(zoom: 2, tileSize: Self.side)
    // White is the complement of no background.
    let white = try RandomScene(
      &random, grid: grid, pool: pool, count: 20, background: .max
    ).scenes()
    let others = try [0, 0xFFC0_B0A0].map {
      try RandomScene(&random, grid: grid, pool: pool, count: 20, background: $0).scenes()
    }
    func painter() throws -> TilePainter {
      TilePainter(side: Self.side, scale: 1, sparse: nil, fonts: try fonts.get())
    }
    for other in others {
      let used = try painter()
      let fresh = try painter()
      for index in 0..<min(white.count, other.count) {
        _ = try used.pixels(index, of: other)
        var (found, expected): ([UInt8], [UInt8]) = ([], [])
        try used.paint(index, of: white, into: &found)
        try fresh.paint(index, of: white, into: &expected)
        #expect(found == expected, "\(white.tile(index))")
      }
    }
  }

  /// Counts the tiles of a zoom that the palette showed, and those that were painted exactly.
  private func compare(_ scene: RandomScene, _ sparse: SparseStyle) throws -> (Int, Int) {
    let store = SpriteStore(scale: 1, fonts: try fonts.get(), threads: 1)
    let scenes = try scene.scenes(store)
    let painter = TilePainter(
      side: Self.side, scale: 1, sparse: sparse, fonts: try fonts.get(), sprites: store.sprites)
    let world = try scene.world()
    for index in 0..<scenes.count {
      let tile = scenes.tile(index)
      let expected = world.part(
        left: tile.x * Self.side, top: tile.y * Self.side, side: Self.side)
      let before = painter.exactTiles
      var png: [UInt8] = []
      try painter.paint(index, of: scenes, into: &png)
      let difference = expected.largestDifferences(to: try PNGDecoder().decode(png))
      #expect(difference.edge <= 8, "\(tile)")
      #expect(difference.elsewhere == 0, "\(tile), in palette: \(painter.exactTiles == before)")
    }
    return (scenes.count - painter.exactTiles, painter.exactTiles)
  }

  /// A style trained on stacks.
  private static func style(_ stacks: [LookStack], background: UInt32 = 0) throws -> SparseStyle {
    let factory = SpriteFactory(scale: 1, fonts: try fonts.get())
    return SparseStyle(
      size: side, background: background,
      specimens: try stacks.flatMap { stack in
        try [(0, 0), (8, 8), (3, 13), (11, 5)].map { x, y in
          (try factory.sprite(of: stack, phaseX: x, phaseY: y), 10)
        }
      })
  }

  @Test("the sparse path writes equal bytes for equal scenes, in whatever order tiles are painted")
  func repeatable() throws {
    var random = SplitMix64(seed: 5)
    let trained = RandomLooks.plainStacks(&random, count: 3)
    let sparse = try Self.style(trained)
    let pool = trained + RandomLooks.stacks(&random, count: 1)
    let scene = RandomScene(
      &random, grid: PixelGrid(zoom: 2, tileSize: Self.side, snap: 1), pool: pool, count: 25)
    let store = SpriteStore(scale: 1, fonts: try fonts.get(), threads: 1)
    let scenes = try scene.scenes(store)
    let prepared = PreparedSprites()
    func paint(_ order: some Sequence<Int>) throws -> [Int: [UInt8]] {
      let painter = TilePainter(
        side: Self.side, scale: 1, sparse: sparse, fonts: try fonts.get(), sprites: store.sprites,
        prepared: prepared)
      return try Dictionary(
        order.map { index in
          var png: [UInt8] = []
          try painter.paint(index, of: scenes, into: &png)
          return (index, png)
        }, uniquingKeysWith: { first, _ in first })
    }
    let forward = try paint(0..<scenes.count)
    #expect(forward == (try paint((0..<scenes.count).reversed())))
    #expect(forward.count > 8)
  }
}
