import TestSupport
import Testing
import Tiling

@testable import Scenes

@Suite("A range of tiles")
struct TileRangeTests {
  /// Bounds in degrees, a zoom, and how many tiles they touch.
  static let boxes: [(bounds: GeoBounds, zoom: Int, count: Int)] = [
    (.world, 0, 1), (.world, 1, 4), (.world, 3, 64),
    (GeoBounds(west: -10, south: -10, east: 10, north: 10), 1, 4),
    (GeoBounds(west: 1, south: 1, east: 10, north: 10), 1, 1),
    (GeoBounds(west: 170, south: -10, east: -170, north: 10), 0, 1),
    (GeoBounds(west: 170, south: -10, east: -170, north: 10), 1, 4),
    (GeoBounds(west: 170, south: 1, east: -170, north: 10), 3, 2),
    (GeoBounds(west: 170, south: 1, east: 190, north: 10), 3, 2),
    // Nearly once around: both ends lie in one column, and so does everything between.
    (GeoBounds(west: 10, south: 1, east: 5, north: 10), 1, 2),
    (GeoBounds(west: 10, south: 1, east: 5, north: 10), 3, 8),
  ]

  @Test(
    "a tile range contains the tiles that its bounds touch, also over the antimeridian",
    arguments: boxes)
  func counts(bounds: GeoBounds, zoom: Int, count: Int) {
    let range = TileRange(WorldBox(bounds), zoom: zoom)
    #expect(range.count == count)
    #expect(tiles(of: zoom).filter { range.contains($0) }.count == count)
  }

  @Test(
    "a tile range contains every tile of a position inside, and none that the box does not meet")
  func positions() {
    var random = SplitMix64(seed: 3)
    for _ in 0..<300 {
      let a = WorldPoint(x: UInt32(random.next() >> 32), y: UInt32(random.next() >> 32))
      let b = WorldPoint(x: UInt32(random.next() >> 32), y: UInt32(random.next() >> 32))
      let box = WorldBox(west: a.x, north: min(a.y, b.y), east: b.x, south: max(a.y, b.y))
      let zoom = random.below(5)
      let range = TileRange(box, zoom: zoom)
      for tile in tiles(of: zoom) {
        #expect(range.contains(tile) == meets(box, WorldBox(tile)), "\(tile)")
      }
      #expect(range.count == tiles(of: zoom).filter { range.contains($0) }.count)
    }
  }

  private func tiles(of zoom: Int) -> [TileCoord] {
    (0..<(1 << zoom)).flatMap { x in (0..<(1 << zoom)).map { TileCoord(z: zoom, x: x, y: $0) } }
  }

  private func meets(_ box: WorldBox, _ tile: WorldBox) -> Bool {
    guard box.north <= tile.south, tile.north <= box.south else { return false }
    if box.west <= box.east { return box.west <= tile.east && tile.west <= box.east }
    return tile.east >= box.west || tile.west <= box.east
  }
}
