import Files
import PNG
import Raster
package import Styling
import TileCodecs

/// A reader of the images of a style, as PNG or WebP: sprites, which consist of an index and a
/// picture, and single pictures.
package enum SpriteReader {
  /// Returns the images of a sprite.
  ///
  /// - Parameters:
  ///   - picture: the PNG or WebP.
  ///   - prefix: the prefix of each name: `id:`, or empty.
  /// - Throws: ``SpriteError``, `PNGError` or `TileCodecError`.
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
          "image '\(shown)' of the sprite lies outside of its picture, which is \(sheet.width) × "
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

  /// Returns the image of a PNG or WebP file.
  ///
  /// - Parameter pixelRatio: the pixels of the picture per style pixel.
  /// - Throws: ``SpriteError``, `PNGError` or `TileCodecError`.
  package static func image(
    _ bytes: [UInt8], name: String, pixelRatio: Double
  ) throws -> StyleImage {
    let picture = try decode(bytes)
    guard picture.width <= SpriteLimits.imageSide, picture.height <= SpriteLimits.imageSide else {
      throw SpriteError(
        "the image is \(picture.width) × \(picture.height) pixels, more than the limit of "
          + "\(SpriteLimits.imageSide) a side; shrink it.")
    }
    return unsafe StyleImage(
      name: name, width: picture.width, height: picture.height,
      pixels: ContiguousArray(picture.pixels),
      geometry: StyleImageGeometry(pixelRatio: pixelRatio))
  }

  private static func decode(_ bytes: [UInt8]) throws -> Pixmap {
    guard bytes.count <= SpriteLimits.pictureBytes else {
      throw SpriteError(
        "the picture has \(bytes.count) bytes, more than the limit of \(SpriteLimits.pictureBytes); "
          + "shrink it.")
    }
    if FileSignature(bytes) == .webp {
      return try WebPDecoder(maxPixels: SpriteLimits.pixels).decode(bytes)
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
      unsafe pixels.append(contentsOf: sheet.pixels[start..<start + entry.width])
    }
    return pixels
  }
}
