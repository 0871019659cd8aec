import Features
package import Styling
package import Tiling

/// The place of a tile in a pattern that is repeated over the world from its north-west corner.
///
/// It is the same for every tile if the size of the pattern divides the size of a tile.
package struct PatternPlace: Hashable, Sendable {
  /// The place of the tile's north-west corner in the image, in pixels of the image.
  package let x: Double
  package let y: Double

  /// The place of a picture that begins with the image's corner.
  package init() {
    x = 0
    y = 0
  }

  package init(of pattern: PatternLook, in tile: TileCoord, _ grid: PixelGrid) {
    let step = pattern.step(scale: grid.scale)
    func place(_ tile: Int, _ origin: Double, _ shift: Int, _ length: Int) -> Double {
      let corner = origin * Double(grid.worldPixels) + Double(shift) / 256
      return Self.wrapped((Double(tile * grid.tilePixels) - corner) * step, length)
    }
    let origin = (x: grid.scaling?.scaled(x: 0) ?? 0, y: grid.scaling?.scaled(y: 0) ?? 0)
    x = place(tile.x, origin.x, grid.shiftX, pattern.image.width)
    y = place(tile.y, origin.y, grid.shiftY, pattern.image.height)
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
