import Raster
import Testing
import Tiling

@testable import Overlays

@Suite("A glance at a tile")
struct QuadrantTestTests {
  @Test(
    "a preview of a tile never contradicts drawing it", arguments: ResamplingKernel.allCases,
    [1.0, 0.3])
  func agrees(kernel: ResamplingKernel, opacity: Double) throws {
    let bounds = GeoBounds(west: -30, south: -20, east: 50, north: 40)
    for (seed, image) in [
      Workshop.noise(90, 70, seed: 1), Workshop.classes(90, 70, seed: 2),
      Workshop.image(90, 70) { x, y in x > 40 && y > 30 && x < 44 ? 0x02FF_FFFF : 0 },
    ].enumerated() {
      for bearing in [0.0, 20] {
        let placement = try ImagePlacement(bounds: bounds, bearing: bearing, projection: .mercator)
        let painter = WarpPainter(
          image: image, placement: placement, kernel: kernel, tilePixels: 64)
        for zoom in 0...4 {
          for x in 0..<1 << zoom {
            for y in 0..<1 << zoom {
              let tile = TileCoord(z: zoom, x: x, y: y)
              let wrong = contradiction(painter, tile, opacity: opacity)
              #expect(wrong == nil, "\(seed) \(bearing) \(tile): \(wrong ?? "")")
            }
          }
        }
      }
    }
  }

  /// What a glance gets wrong of a tile.
  private func contradiction(
    _ painter: WarpPainter, _ tile: TileCoord, opacity: Double
  ) -> String? {
    let picture = Pixmap(width: 64, height: 64)
    let drawn = painter.paint(tile, into: picture)
    var paint = RasterPaint()
    paint.opacity = opacity
    paint.apply(to: picture)
    var shown: UInt8 = 0
    for index in 0..<64 * 64 where picture.pixels[index] != 0 {
      shown |= 1 << UInt8(index % 64 / 32 + index / (64 * 32) * 2)
    }
    guard let glance = painter.glance(at: tile, opacity: opacity) else {
      return drawn == nil ? nil : "it was said to be blank"
    }
    if glance.shown & ~shown != 0 { return "a blank quadrant was said to show" }
    if shown & ~(glance.shown | glance.unknown) != 0 { return "a quadrant that shows was left out" }
    return nil
  }

  @Test("a preview decides nearly all tiles of an opaque image")
  func settles() throws {
    let image = Workshop.image(60, 60) { x, y in 0xFF00_0000 | UInt32(x * 4) | UInt32(y) << 8 }
    let placement = try ImagePlacement(
      bounds: GeoBounds(west: -30, south: -20, east: 50, north: 40), bearing: 0,
      projection: .mercator)
    let painter = WarpPainter(
      image: image, placement: placement, kernel: .bilinear, tilePixels: 64)
    var (settled, all) = (0, 0)
    for x in 0..<32 {
      for y in 0..<32 {
        guard let glance = painter.glance(at: TileCoord(z: 5, x: x, y: y)) else { continue }
        all += 1
        if glance.unknown == 0 { settled += 1 }
      }
    }
    #expect(all > 30 && settled == all)
  }
}
