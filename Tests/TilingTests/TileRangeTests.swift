import Foundation
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

  @Test("a tile range of a tile's box is that tile, and its children", arguments: 0...22)
  func boxesOfTiles(zoom: Int) {
    var random = SplitMix64(seed: UInt64(zoom))
    let side = exp2(Double(zoom))
    func longitude(_ x: Int) -> Double { Double(x) / side * 360 - 180 }
    func latitude(_ y: Int) -> Double {
      atan(sinh(.pi * (1 - 2 * Double(y) / side))) * 180 / .pi
    }
    // As readers write them: in full, and with eight decimals.
    func texts(_ degrees: Double) -> [Double] { [degrees, (degrees * 1e8).rounded() / 1e8] }
    let last = (1 << zoom) - 1
    let places = (0..<40).map { _ in (random.below(last + 1), random.below(last + 1)) }
    for (x, y) in places + [(0, 0), (last, 0), (0, last), (last, last)] {
      for number in 0...1 {
        let bounds = GeoBounds(
          west: texts(longitude(x))[number], south: texts(latitude(y + 1))[number],
          east: texts(longitude(x + 1))[number], north: texts(latitude(y))[number])
        let tile = TileCoord(z: zoom, x: x, y: y)
        #expect(WorldBox(bounds) == WorldBox(tile), "\(tile)")
        let range = TileRange(WorldBox(bounds), zoom: zoom)
        #expect(range.count == 1 && range.contains(tile), "\(tile)")
        if zoom < 22 { #expect(TileRange(WorldBox(bounds), zoom: zoom + 1).count == 4) }
      }
    }
  }

  @Test("narrow bounds keep a tile, and those at the antimeridian stay on their side")
  func narrowBounds() {
    func columns(_ west: Double, _ east: Double) -> [Range<Int>] {
      TileRange(WorldBox(GeoBounds(west: west, south: 1, east: east, north: 2)), zoom: 3).columns
    }
    #expect(columns(45, 45) == [5..<6])
    #expect(columns(45 - 1e-9, 45 + 1e-9) == [5..<6])
    #expect(columns(180 - 1e-9, 180) == [7..<8])
    #expect(columns(-180, -180 + 1e-9) == [0..<1])
    #expect(columns(180, -180 + 50) == [0..<2])
    #expect(columns(180 - 1e-9, -180 + 50) == [0..<2])
    #expect(columns(170, -180) == [7..<8])
    #expect(columns(0, 180) == [4..<8])
    let point = GeoBounds(west: 0, south: 0, east: 0, north: 0)
    #expect(TileRange(WorldBox(point), zoom: 5).count == 1)
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
