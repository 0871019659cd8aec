import Features
import Raster
import SpatialIndex
import TestSupport
import Testing
import Tiling

@testable import Painting
@testable import Scenes
@testable import Styling

@Suite("Binning a heatmap to tiles")
struct HeatBinningTests {
  /// Opaque from the first step on.
  private static let plain = HeatmapRamp { density in
    PremultipliedColor(Color(red: density, green: 0.5, blue: 0, alpha: density > 0 ? 1 : 0))
  }

  /// Shows densities of 0.15 … 0.3 only.
  private static let band = HeatmapRamp { density in
    PremultipliedColor(
      Color(red: 0, green: 0, blue: 1, alpha: (0.15...0.3).contains(density) ? 0.5 : 0))
  }

  /// Shows where there is no point, too.
  private static let flood = HeatmapRamp { density in
    PremultipliedColor(Color(red: density, green: 0, blue: 1, alpha: density < 0.5 ? 0.5 : 0))
  }

  /// Points of random places, many of them near borders between tiles and at the antimeridian.
  private func points(
    _ random: inout SplitMix64, grid: PixelGrid, ramp: HeatmapRamp, count: Int
  ) -> HeatPoints {
    var points = HeatPoints(layer: 0, grid: grid, ramp: ramp, intensity: 0.7)
    let world = grid.worldPixels * 16
    for _ in 0..<count {
      let border = random.below(grid.tilesAcross + 1) * grid.tilePixels * 16
      let near = min(max(border + random.below(400) - 200, 0), world)
      points.append(
        x: random.pick([near, random.below(world)]), y: random.pick([near, random.below(world)]),
        radius: random.pick([1, 4.5, 9, 14]), weight: random.pick([0.02, 0.5, 1, 6]))
    }
    return points
  }

  private func scenes(_ points: HeatPoints, in box: GeoBounds = .world) -> HeatScenes {
    var sorter = RadixSorter()
    do {
      return try HeatBinning(range: TileRange(WorldBox(box), zoom: points.grid.zoom))
        .scenes(of: points, sorter: &sorter)
    } catch {
      Issue.record(error)
      return HeatScenes(points)
    }
  }

  /// The whole world as one picture, each point as often as it is seen from other world copies.
  private func world(_ points: HeatPoints, copies: Int = 2) -> Pixmap {
    let side = points.grid.worldPixels
    let canvas = HeatmapCanvas(width: side, height: side)
    for copy in -copies...copies {
      for row in 0..<points.count {
        let kernel = HeatmapKernel(
          radius: points.radii[row], weight: points.weights[row], intensity: points.intensity)
        guard let kernel else { continue }
        canvas.add(kernel, x: points.xs[row] + copy * side * 16, y: points.ys[row])
      }
    }
    let picture = Pixmap(width: side, height: side)
    canvas.draw(points.ramp, onto: picture)
    return picture
  }

  /// Checks tiles, quadrants and pixels against the world's picture.
  private func check(_ scenes: HeatScenes, against world: Pixmap, _ note: Comment) {
    let grid = scenes.points.grid
    let side = grid.tilePixels
    let canvas = HeatmapCanvas(width: side, height: side)
    var shown: [TileCoord: UInt8] = [:]
    for x in 0..<grid.tilesAcross {
      for y in 0..<grid.tilesAcross {
        for quadrant in 0..<4
        where world.showsAnything(
          left: x * side + (quadrant & 1) * side / 2, top: y * side + (quadrant >> 1) * side / 2,
          side: side / 2)
        {
          shown[TileCoord(z: grid.zoom, x: x, y: y), default: 0] |= 1 << UInt8(quadrant)
        }
      }
    }
    let binned = (0..<scenes.count).map { (scenes.tile($0), scenes.quadrants[$0]) }
    #expect(Dictionary(binned, uniquingKeysWith: |) == shown, note)
    #expect(scenes.tileKeys.elementsEqual(Set(scenes.tileKeys).sorted()), note)
    for index in 0..<scenes.count {
      let tile = scenes.tile(index)
      let picture = Pixmap(width: side, height: side)
      scenes.draw(index, onto: picture, using: canvas)
      let part = world.part(left: tile.x * side, top: tile.y * side, side: side)
      #expect(picture.largestDifference(to: part) == 0, note)
    }
  }

  @Test(
    "heatmap binning gives exactly the visible tiles and quadrants, and stitches to one picture",
    arguments: [0, 1, 3], [1, 2])
  func exact(zoom: Int, scale: Int) {
    for (seed, ramp) in [Self.plain, Self.band, Self.flood, Self.plain].enumerated() {
      var random = SplitMix64(seed: UInt64(seed * 10 + zoom))
      let grid = PixelGrid(zoom: zoom, tileSize: 64 >> max(zoom, 1), scale: scale, snap: 1)
      let points = points(&random, grid: grid, ramp: ramp, count: 1 + 5 * seed)
      check(scenes(points), against: world(points), "seed \(seed)")
    }
  }

  @Test("heatmap binning wraps a kernel wider than the world as often as it reaches")
  func smallWorld() {
    let grid = PixelGrid(zoom: 0, tileSize: 16)
    var points = HeatPoints(layer: 0, grid: grid, ramp: Self.plain, intensity: 1)
    points.append(x: 30, y: 99, radius: 40, weight: 0.1)
    let scenes = scenes(points)
    #expect(scenes.copies.count > 4)
    check(scenes, against: world(points, copies: 6), "one tile")
  }

  @Test(
    "heatmap binning brings a point at the antimeridian to the tiles of both edges",
    arguments: [1, 4, 22])
  func antimeridian(zoom: Int) {
    let grid = PixelGrid(zoom: zoom, tileSize: 256)
    for x in [0, grid.worldPixels * 16 - 1, grid.worldPixels * 16] {
      var points = HeatPoints(layer: 0, grid: grid, ramp: Self.plain, intensity: 1)
      points.append(x: x, y: grid.worldPixels * 8 + 800, radius: 8, weight: 1)
      let scenes = scenes(points)
      #expect((0..<scenes.count).map { scenes.tile($0).x } == [0, grid.tilesAcross - 1])
      #expect(scenes.copies.sorted() == (x == 0 ? [0, 1] : [-1, 0]))
    }
  }

  @Test(
    "heatmap binning omits tiles outside the range, and gives all of it if density 0 has a colour")
  func range() {
    var random = SplitMix64(seed: 3)
    let grid = PixelGrid(zoom: 4, tileSize: 16)
    let box = GeoBounds(west: 100, south: -50, east: -120, north: 40)
    let range = TileRange(WorldBox(box), zoom: 4)
    let all = points(&random, grid: grid, ramp: Self.plain, count: 300)
    let some = scenes(all, in: box)
    let wanted = (0..<scenes(all).count).map { scenes(all).tile($0) }.filter(range.contains)
    #expect((0..<some.count).map { some.tile($0) } == wanted)
    let flooded = scenes(points(&random, grid: grid, ramp: Self.flood, count: 3), in: box)
    #expect(flooded.count == range.count)
    #expect((0..<flooded.count).allSatisfy { range.contains(flooded.tile($0)) })
  }

  @Test("heatmap binning gives tiles equal hashes exactly if they show the same points")
  func hashes() {
    let grid = PixelGrid(zoom: 3, tileSize: 32)
    func twice(_ second: (x: Int, radius: Double, weight: Double), _ intensity: Double = 1)
      -> [StableHash]
    {
      var points = HeatPoints(layer: 0, grid: grid, ramp: Self.plain, intensity: intensity)
      points.append(x: 40 * 16, y: 40 * 16, radius: 4, weight: 1)
      points.append(x: second.x, y: 136 * 16, radius: second.radius, weight: second.weight)
      return Array(scenes(points).hashes)
    }
    let same = twice((104 * 16, 4, 1))
    #expect(same.count == 2 && same[0] == same[1])
    for other in [(104 * 16 + 1, 4, 1), (104 * 16, 4.1, 1), (104 * 16, 4, 1.01)] {
      let hashes = twice((x: other.0, radius: other.1, weight: other.2))
      #expect(hashes.count == 2 && hashes[0] != hashes[1])
      #expect(hashes.contains(same[0]))
    }
    #expect(twice((104 * 16, 4, 1), 2)[0] != same[0])
  }

  @Test("a heatmap layer without points, or without a colour, has no tiles")
  func nothing() {
    let grid = PixelGrid(zoom: 2)
    let none = HeatPoints(layer: 0, grid: grid, ramp: Self.plain, intensity: 1)
    #expect(scenes(none).count == 0)
    var unseen = HeatPoints(
      layer: 0, grid: grid, ramp: HeatmapRamp { _ in .transparent }, intensity: 1)
    unseen.append(x: 800, y: 800, radius: 9, weight: 1)
    #expect(scenes(unseen).count == 0)
  }
}
