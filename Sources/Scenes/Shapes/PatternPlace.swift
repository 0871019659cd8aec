import Features
package import Styling
package import Tiling

/// The place of a tile in a pattern that is repeated over the world from its north-west corner.
///
/// The same in both directions for every tile if the pattern's size divides that of a tile.
package struct PatternPlace: Hashable, Sendable {
  /// The place of the tile's north-west corner in the image, in pixels of the image.
  package let x: Double
  package let y: Double

  /// The place of a picture that begins with the image's corner.
  package init() {
    x = 0
    y = 0
  }

  package init(of image: StyleImage, in tile: TileCoord, _ grid: PixelGrid) {
    let step = Self.step(of: image, scale: grid.scale)
    func place(_ tile: Int, _ shift: Int, _ length: Int) -> Double {
      let pixels = Double(tile * grid.tilePixels) - Double(shift) / 256
      return Self.wrapped(pixels * step, length)
    }
    x = place(tile.x, grid.shiftX, image.width)
    y = place(tile.y, grid.shiftY, image.height)
  }

  /// Returns the number of pixels of an image per device pixel.
  ///
  /// - Parameter scale: device pixels per style pixel.
  package static func step(of image: StyleImage, scale: Int) -> Double {
    image.geometry.pixelRatio / Double(scale)
  }

  /// Returns a place within the first repetition, 0 ..< length.
  package static func wrapped(_ place: Double, _ length: Int) -> Double {
    let rest = place.truncatingRemainder(dividingBy: Double(length))
    return rest < 0 ? rest + Double(length) : rest
  }
}

extension StableHash {
  mutating func combine(_ place: PatternPlace) {
    combine(place.x)
    combine(place.y)
  }
}
