import PNG
import Raster
package import Styling

/// A reader of the images of a style: sprites, which are an index and a PNG, and single PNG files.
package enum SpriteReader {
  /// Returns the images of a sprite.
  ///
  /// - Parameters:
  ///   - picture: the PNG.
  ///   - prefix: what stands before each name: `id:`, or nothing.
  /// - Throws: ``SpriteError`` or `PNGError`.
  /// - Complexity: O(bytes + pixels of all images).
  package static func images(
    _ index: SpriteIndex, picture: [UInt8], prefix: String
  ) throws -> [StyleImage] {
    let sheet = try decode(picture)
    var total = 0
    return try index.entries.map { entry in
      let shown = SpriteIndex.shown(entry.name)
      guard entry.x + entry.width <= sheet.width, entry.y + entry.height <= sheet.height else {
        throw SpriteError(
          "image '\(shown)' of the sprite lies outside of its PNG, which is \(sheet.width) × "
            + "\(sheet.height) pixels; make both files anew.")
      }
      total += entry.width * entry.height
      guard total <= SpriteLimits.pixels else {
        throw SpriteError(
          "the images of the sprite have more than \(SpriteLimits.pixels) pixels together; cut it.")
      }
      return StyleImage(
        name: prefix + entry.name, width: entry.width, height: entry.height,
        pixels: pixels(of: entry, in: sheet), geometry: entry.geometry)
    }
  }

  /// Returns the image of a PNG file.
  ///
  /// - Parameter pixelRatio: the pixels of the picture per style pixel.
  /// - Throws: ``SpriteError`` or `PNGError`.
  package static func image(
    _ bytes: [UInt8], name: String, pixelRatio: Double
  ) throws -> StyleImage {
    let picture = try decode(bytes)
    guard picture.width <= SpriteLimits.imageSide, picture.height <= SpriteLimits.imageSide else {
      throw SpriteError(
        "the image is \(picture.width) × \(picture.height) pixels, more than the limit of "
          + "\(SpriteLimits.imageSide) a side; shrink it.")
    }
    return StyleImage(
      name: name, width: picture.width, height: picture.height,
      pixels: ContiguousArray(picture.pixels),
      geometry: StyleImageGeometry(pixelRatio: pixelRatio))
  }

  private static func decode(_ bytes: [UInt8]) throws -> Pixmap {
    guard bytes.count <= SpriteLimits.pictureBytes else {
      throw SpriteError(
        "the PNG has \(bytes.count) bytes, more than the limit of \(SpriteLimits.pictureBytes); "
          + "shrink it.")
    }
    var limits = PNGLimits()
    limits.maxWidth = SpriteLimits.side
    limits.maxHeight = SpriteLimits.side
    limits.maxPixels = SpriteLimits.pixels
    return try PNGDecoder(limits: limits).decode(bytes)
  }

  private static func pixels(
    of entry: SpriteIndex.Entry, in sheet: Pixmap
  ) -> ContiguousArray<UInt32> {
    var pixels = ContiguousArray<UInt32>()
    pixels.reserveCapacity(entry.width * entry.height)
    for row in entry.y..<entry.y + entry.height {
      let start = row * sheet.width + entry.x
      pixels.append(contentsOf: sheet.pixels[start..<start + entry.width])
    }
    return pixels
  }
}
