import PNG
import Raster
import Sprites
import Styling

/// The index of a sprite, over a PNG of 32 × 24 pixels.
enum SpriteFuzz {
  private static let picture: [UInt8] = {
    let sheet = Pixmap(width: 32, height: 24)
    for index in sheet.pixels.indices {
      sheet.pixels[index] = 0xFF00_0000 | UInt32(truncatingIfNeeded: index)
    }
    return PNGEncoder().encode(sheet)
  }()

  static func check(_ bytes: UnsafeRawBufferPointer) throws -> Bool {
    guard let index = try? SpriteIndex(Array(bytes), name: "sprite.json"),
      let images = try? SpriteReader.images(index, picture: picture, prefix: "a:")
    else { return false }
    for image in images {
      try require(image.pixels.count == image.width * image.height, "a size without its pixels")
      try require(image.width <= 32 && image.height <= 24, "an image larger than its PNG")
      let geometry = image.geometry
      try require(geometry.pixelRatio > 0 && geometry.pixelRatio.isFinite, "no density")
      for zones in [geometry.stretchX, geometry.stretchY] {
        for (zone, next) in zip(zones, zones.dropFirst()) {
          try require(zone.upperBound <= next.lowerBound, "parts that overlap")
        }
      }
    }
    return true
  }
}
