import Features
import Raster
import TestSupport
import Testing
import Tiling

@testable import Scenes
@testable import Styling

@Suite("Binning symbols to tiles")
struct SceneBinningTests {
  /// The tiles and quadrants of a zoom that show a pixel, found by painting all of it.
  private func painted(_ scene: RandomScene) throws -> [TileCoord: UInt8] {
    let world = try scene.world()
    let side = scene.grid.tilePixels
    var shown: [TileCoord: UInt8] = [:]
    for x in 0..<scene.grid.tilesAcross {
      for y in 0..<scene.grid.tilesAcross {
        var quadrants: UInt8 = 0
        for quadrant in 0..<4
        where world.showsAnything(
          left: x * side + (quadrant & 1) * side / 2, top: y * side + (quadrant >> 1) * side / 2,
          side: side / 2)
        {
          quadrants |= 1 << UInt8(quadrant)
        }
        if quadrants != 0 { shown[TileCoord(z: scene.grid.zoom, x: x, y: y)] = quadrants }
      }
    }
    return shown
  }

  private func binned(_ scenes: ZoomScenes) -> [TileCoord: UInt8] {
    Dictionary(
      (0..<scenes.count).map { (scenes.tile($0), scenes.quadrants[$0]) }, uniquingKeysWith: |)
  }

  @Test(
    "symbol binning gives exactly the tiles and quadrants that show a pixel", arguments: [0, 2, 3],
    [1, 2])
  func exact(zoom: Int, scale: Int) throws {
    for seed in 0..<6 {
      var random = SplitMix64(seed: UInt64(seed * 10 + zoom))
      let pool = RandomLooks.stacks(&random, count: 6)
      let grid = PixelGrid(
        zoom: zoom, tileSize: 256 >> max(zoom, 1), scale: scale, snap: random.pick([0, 1]))
      let scene = RandomScene(&random, grid: grid, pool: pool, count: 1 + random.below(12))
      let scenes = try scene.scenes()
      #expect(binned(scenes) == (try painted(scene)), "seed \(seed)")
      #expect(scenes.tileKeys.elementsEqual(scenes.tileKeys.sorted()))
    }
  }

  @Test("symbol binning omits the tiles that lie entirely inside a ring")
  func rings() throws {
    var random = SplitMix64(seed: 0)
    let ring = Look.circle(
      CircleLook(radius: 50, color: .transparent, strokeWidth: 2, strokeColor: .black))
    let scene = RandomScene(
      &random, grid: PixelGrid(zoom: 4, tileSize: 16), pool: [[StackedLook(layer: 0, look: ring)]],
      count: 1)
    let shown = try painted(scene)
    #expect(binned(try scene.scenes()) == shown)
    let columns = Set(shown.keys.map { $0.y })
    #expect(columns.contains { row in shown.keys.filter { $0.y == row }.count < 5 })
  }

  @Test(
    "symbol binning brings a symbol at the antimeridian to the tiles of both edges",
    arguments: [0, 1, 3])
  func antimeridian(zoom: Int) throws {
    let grid = PixelGrid(zoom: zoom, tileSize: 64)
    let disc = Look.circle(CircleLook(radius: 6, color: .black))
    for x in [UInt32(0), .max] {
      let scene = RandomScene(
        grid: grid, stack: [StackedLook(layer: 0, look: disc)],
        at: WorldPoint(x: x, y: 1 << 31 | 1 << 24))
      let scenes = try scene.scenes()
      #expect(binned(scenes) == (try painted(scene)))
      let columns = Set((0..<scenes.count).map { scenes.tile($0).x })
      #expect(columns == [0, grid.tilesAcross - 1])
      // At zoom 0 both copies lie in the one tile that there is.
      if zoom == 0 { #expect(scenes.entryRange(0).count == 2) }
    }
  }

  @Test(
    "symbol binning keeps the positions of symbols of the deepest and widest world",
    arguments: [1, 2])
  func deepest(scale: Int) throws {
    let grid = PixelGrid(zoom: 22, tileSize: 512, scale: scale)
    let disc = Look.circle(CircleLook(radius: 3, color: .black))
    for point in [
      WorldPoint(x: 0xC000_1234, y: 0xF000_4321), WorldPoint(x: .max, y: 0x8000_0300),
      WorldPoint(x: 0x8000_0000, y: 0x7FFF_FFFF), WorldPoint(x: 0, y: .max),
    ] {
      let scene = RandomScene(grid: grid, stack: [StackedLook(layer: 0, look: disc)], at: point)
      let scenes = try scene.scenes()
      let own = TileCoord(point, z: 22)
      #expect(scenes.count > 0)
      for index in 0..<scenes.count {
        let tile = scenes.tile(index)
        let columns = (tile.x - own.x + (1 << 22)) % (1 << 22)
        #expect([0, 1, (1 << 22) - 1].contains(columns), "\(tile)")
        #expect(abs(tile.y - own.y) <= 1, "\(tile)")
      }
    }
  }

  @Test("symbol binning keeps the drawing order inside a tile")
  func order() throws {
    var random = SplitMix64(seed: 4)
    let pool = RandomLooks.stacks(&random, count: 5)
    let scene = RandomScene(
      &random, grid: PixelGrid(zoom: 1, tileSize: 64), pool: pool, count: 60)
    let scenes = try scene.scenes()
    for tile in 0..<scenes.count {
      let symbols = scenes.entryRange(tile).map { scenes.entries[$0] >> 2 }
      #expect(symbols == symbols.sorted())
    }
  }

  @Test("symbol binning gives all tiles of a map with a background")
  func background() throws {
    var random = SplitMix64(seed: 5)
    let pool = RandomLooks.stacks(&random, count: 3)
    let scene = RandomScene(
      &random, grid: PixelGrid(zoom: 3, tileSize: 32), pool: pool, count: 3,
      background: 0xFF20_4060)
    let scenes = try scene.scenes()
    #expect(scenes.count == 64)
    #expect(scenes.quadrants.allSatisfy { $0 == 15 })
    #expect(scenes.tileKeys.elementsEqual(Set(scenes.tileKeys).sorted()))
    let blank = (0..<64).filter { scenes.entryRange($0).isEmpty }
    #expect(!blank.isEmpty)
    #expect(Set(blank.map { scenes.hashes[$0] }).count == 1)
  }

  @Test("symbol binning gives tiles equal hashes exactly if their scenes are equal")
  func hashes() throws {
    var random = SplitMix64(seed: 6)
    let pool = RandomLooks.plainStacks(&random, count: 2)
    let grid = PixelGrid(zoom: 5, tileSize: 16, snap: 4)
    let scene = RandomScene(&random, grid: grid, pool: pool, count: 400)
    let scenes = try scene.scenes()
    var byHash: [StableHash: [String]] = [:]
    var hashes: [[String]: StableHash] = [:]
    for tile in 0..<scenes.count {
      let coord = scenes.tile(tile)
      let shown = scenes.entryRange(tile).map { index in
        let entry = scenes.entries[index]
        let place = scenes.place(of: entry, originX: coord.x * 16, originY: coord.y * 16)
        return "\(scenes.symbolSprites[Int(entry >> 2)]) \(place)"
      }
      #expect(byHash[scenes.hashes[tile], default: shown] == shown)
      byHash[scenes.hashes[tile]] = shown
      #expect(hashes[shown, default: scenes.hashes[tile]] == scenes.hashes[tile])
      hashes[shown] = scenes.hashes[tile]
    }
    #expect(hashes.count < scenes.count)
  }

  @Test(
    "symbol binning gives the shared transparent tile only to empty children under shown quadrants")
  func transparentChildren() throws {
    for seed in 0..<8 {
      var random = SplitMix64(seed: UInt64(seed))
      let pool = RandomLooks.plainStacks(&random, count: 3)
      let parents = try RandomScene(
        &random, grid: PixelGrid(zoom: 2, tileSize: 64), pool: pool, count: 5
      ).scenes()
      let children = try RandomScene(
        &random, grid: PixelGrid(zoom: 3, tileSize: 64), pool: pool, count: 4
      ).scenes()
      let bounds = TileRange(
        WorldBox(GeoBounds(west: -180, south: -60, east: 100, north: 80)), zoom: 3)
      var expected: Set<TileCoord> = []
      for index in 0..<parents.count {
        for (quadrant, child) in parents.tile(index).children.enumerated()
        where parents.quadrants[index] >> UInt8(quadrant) & 1 == 1 && bounds.contains(child) {
          expected.insert(child)
        }
      }
      expected.subtract((0..<children.count).map { children.tile($0) })
      let keys = parents.transparentChildren(without: children.tileKeys, inside: bounds)
      #expect(Set(keys.map { TileCoord(TileKey(rawValue: $0), z: 3) }) == expected)
      #expect(keys.count == expected.count && keys.elementsEqual(keys.sorted()))
    }
  }

  @Test("symbol binning puts a pixel into one tile only: the tiles' pixels add up to the world's")
  func halfOpen() throws {
    let disc = Look.circle(CircleLook(radius: 0.5, color: .black))
    // A disc one px wide in the middle of each px along a border between two tiles.
    for pixel in 62...66 {
      let position = UInt32(pixel * 2 + 1) << 24
      let scene = RandomScene(
        grid: PixelGrid(zoom: 1, tileSize: 64), stack: [StackedLook(layer: 0, look: disc)],
        at: WorldPoint(x: position, y: position))
      let scenes = try scene.scenes()
      #expect(scenes.count == 1)
      let edge = pixel < 64 ? 0 : 1
      #expect(scenes.tile(0) == TileCoord(z: 1, x: edge, y: edge), "\(pixel)")
    }
  }
}

extension RandomScene {
  /// One symbol at one place.
  init(grid: PixelGrid, stack: LookStack, at point: WorldPoint) {
    var random = SplitMix64(seed: 0)
    self.init(&random, grid: grid, pool: [stack], count: 0)
    append(stack, at: point)
  }
}
