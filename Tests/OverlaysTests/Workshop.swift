import Overlays
import PNG
import Raster
import TestSupport
import Tiling

/// Images and tiles made for tests.
enum Workshop {
  static let ukBounds = GeoBounds(west: -12, south: 48, east: 5, north: 61)

  /// An image whose straight, opaque-or-not colours a function gives.
  static func image(
    _ width: Int, _ height: Int, _ color: (_ x: Int, _ y: Int) -> UInt32
  ) -> OverlayImage {
    var pixels = ContiguousArray<UInt32>()
    for y in 0..<height {
      for x in 0..<width { pixels.append(PremultipliedColor(straightBits: color(x, y)).bits) }
    }
    return OverlayImage(width: width, height: height, texels: .rgba(pixels))
  }

  static func noise(_ width: Int, _ height: Int, seed: UInt64) -> OverlayImage {
    var random = SplitMix64(seed: seed)
    return image(width, height) { _, _ in
      let bits = UInt32(truncatingIfNeeded: random.next())
      return random.below(3) == 0 ? 0 : bits | (random.below(2) == 0 ? 0xFF00_0000 : 0)
    }
  }

  /// A palette image of some classes in blobs, class 0 transparent.
  static func classes(_ width: Int, _ height: Int, seed: UInt64) -> OverlayImage {
    var random = SplitMix64(seed: seed)
    var palette = [UInt32](repeating: 0xFF00_0000, count: 256)
    palette[0] = 0
    for index in 1..<8 { palette[index] = 0xFF00_0000 | UInt32(index * 30) | UInt32(index) << 8 }
    var bytes = [UInt8](repeating: 0, count: width * height)
    for _ in 0..<40 {
      let (cx, cy, value) = (random.below(width), random.below(height), UInt8(random.below(8)))
      for y in max(cy - 6, 0)..<min(cy + 6, height) {
        for x in max(cx - 5, 0)..<min(cx + 7, width) { bytes[y * width + x] = value }
      }
    }
    return OverlayImage(width: width, height: height, texels: .indexed(bytes, palette: palette))
  }

  /// All tiles of a zoom, put together.
  static func stitched(_ painter: any RasterWarp, zoom: Int) -> [UInt32] {
    let (side, count) = (painter.tilePixels, 1 << zoom)
    var world = [UInt32](repeating: 0, count: side * count * side * count)
    let pixmap = Pixmap(width: side, height: side)
    for tileX in 0..<count {
      for tileY in 0..<count {
        painter.paint(TileCoord(z: zoom, x: tileX, y: tileY), into: pixmap)
        for y in 0..<side {
          for x in 0..<side {
            world[(tileY * side + y) * side * count + tileX * side + x] =
              pixmap.pixels[y * side + x]
          }
        }
      }
    }
    return world
  }

  /// One picture of the whole world, `side` pixels wide.
  static func world(
    _ image: OverlayImage, _ placement: ImagePlacement, _ kernel: ResamplingKernel, side: Int
  ) -> [UInt32] {
    let painter = WarpPainter(
      image: image, placement: placement, kernel: kernel, tilePixels: side)
    let pixmap = Pixmap(width: side, height: side)
    painter.paint(TileCoord(z: 0, x: 0, y: 0), into: pixmap)
    return Array(pixmap.pixels)
  }
}
