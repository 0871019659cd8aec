import TestSupport
import Testing
import Tiling

@testable import Scenes

@Suite("A pixel grid")
struct PixelGridTests {
  /// 2⁻³² of the world in one tile pixel of zoom 0.
  static let pixel = UInt32(1) << 24

  /// A world coordinate, the snap, and the centre in sixteenths of a px that must come out.
  static let roundings: [(coordinate: UInt32, snap: Double, center: Int)] = [
    (0, 0, 0), (0, 1, 0), (pixel / 16, 0, 1), (pixel / 32, 0, 1), (pixel / 32 - 1, 0, 0),
    (pixel / 2, 1, 16), (pixel / 2 - 1, 1, 0), (pixel * 3 / 2, 1, 32), (pixel, 2, 32),
    (pixel - 1, 2, 0), (pixel / 4, 0.5, 8), (pixel / 4 - 1, 0.5, 0), (.max, 0, 4096),
    (.max, 1, 4096),
  ]

  @Test("a pixel grid rounds half up to its snap", arguments: roundings)
  func rounding(coordinate: UInt32, snap: Double, center: Int) {
    let grid = PixelGrid(zoom: 0, snap: snap)
    #expect(grid.symbolCenter(WorldPoint(x: coordinate, y: 0)).x == center)
    #expect(grid.symbolCenter(WorldPoint(x: 0, y: coordinate)).y == center)
  }

  @Test(
    "a pixel grid has the pixels of its tiles times their number", arguments: [0, 1, 7, 22],
    [256, 512])
  func size(zoom: Int, tileSize: Int) {
    for scale in [1, 2] {
      let grid = PixelGrid(zoom: zoom, tileSize: tileSize, scale: scale)
      #expect(grid.worldPixels == tileSize * scale << zoom)
      #expect(grid.tilesAcross == 1 << zoom)
    }
  }

  @Test("a pixel grid has one phase if its snap is whole device pixels")
  func phases() {
    #expect(PixelGrid(zoom: 3, snap: 1).hasOnePhase)
    #expect(PixelGrid(zoom: 3, scale: 2, snap: 0.5).hasOnePhase)
    #expect(!PixelGrid(zoom: 3, snap: 0.5).hasOnePhase)
    #expect(!PixelGrid(zoom: 3).hasOnePhase)
  }

  @Test(
    "a pixel grid holds the whole world at its deepest zoom",
    arguments: [0.0, 1, 64, 1e300, -5, .infinity])
  func deepest(snap: Double) {
    for scale in [1, 2] {
      let grid = PixelGrid(zoom: 22, tileSize: 512, scale: scale, snap: snap)
      let far = grid.symbolCenter(WorldPoint(x: .max, y: .max))
      #expect(far.x <= grid.worldPixels * 16 && far.y == far.x)
      let step = min(max(snap, 0), 256) * Double(scale * 16)
      #expect(grid.worldPixels * 16 - far.x <= max(Int(step), 16))
    }
  }

  @Test(
    "an image that keeps its pixels stands in a moved view where it does at its exact place",
    arguments: 0..<256)
  func shift(shift: Int) {
    let grid = PixelGrid(zoom: 0, shiftX: shift, shiftY: shift)
    // The first pixel whose centre is within an image that begins at a place, in 1/256 px.
    func first(_ place: Int) -> Int { (place + 127) >> 8 }
    for sixteenth in 0..<16 {
      let coordinate = UInt32(100 * 16 + sixteenth) * (Self.pixel / 16)
      let center = grid.symbolCenter(WorldPoint(x: coordinate, y: coordinate))
      let exact = (100 * 16 + sixteenth) * 16 + shift
      #expect(first(center.x * 16) == first(exact) && first(center.y * 16) == first(exact))
    }
  }

  @Test("a pixel grid moves a symbol by whole tiles bit for bit")
  func translation() {
    var random = SplitMix64(seed: 1)
    for _ in 0..<500 {
      let zoom = random.below(23)
      let grid = PixelGrid(
        zoom: zoom, tileSize: random.pick([256, 512]), scale: random.pick([1, 2]),
        snap: random.pick([0, 0.5, 1, 4]))
      let tile = UInt64(1) << UInt64(32 - zoom)
      let inside = random.next() % tile
      let tiles = UInt64(random.below(1 << zoom))
      let near = grid.symbolCenter(WorldPoint(x: UInt32(inside), y: 0)).x
      let far = grid.symbolCenter(WorldPoint(x: UInt32(tiles * tile + inside), y: 0)).x
      #expect(far - near == Int(tiles) * grid.tilePixels * 16)
    }
  }
}
