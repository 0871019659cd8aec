import CWebP
import PNG
package import Raster

/// A decoder of still WebP pictures, by libwebp.
package struct WebPDecoder {
  /// Maximum number of pixels.
  private let maxPixels: Int

  /// - Parameter maxPixels: the number of pixels beyond which a picture is refused, before memory
  ///   is allocated for it.
  package init(maxPixels: Int = 128 << 20) {
    self.maxPixels = maxPixels
  }

  /// Decodes a picture.
  ///
  /// - Complexity: O(pixels).
  package func decode(_ bytes: UnsafeRawBufferPointer) throws(TileCodecError) -> Pixmap {
    let picture = try decodeStraight(bytes)
    for index in picture.pixels.indices {
      picture.pixels[index] = PremultipliedColor(straightBits: picture.pixels[index]).bits
    }
    return picture
  }

  /// Returns the size of a still picture in pixels.
  package func size(
    of bytes: UnsafeRawBufferPointer
  ) throws(TileCodecError) -> (width: Int, height: Int) {
    let source = bytes.assumingMemoryBound(to: UInt8.self)
    var info = cwebp_info()
    let status = cwebp_inspect(source.baseAddress, source.count, &info)
    if status == CWEBP_ABSENT { throw .absent }
    guard status == CWEBP_OK else { throw .invalid("is no whole WebP") }
    if info.is_animated != 0 { throw .invalid("is an animated WebP") }
    let (width, height) = (Int(info.width), Int(info.height))
    guard width > 0, height > 0, width <= maxPixels / height else {
      throw .invalid("has \(width) × \(height) pixels, more than the limit of \(maxPixels)")
    }
    return (width, height)
  }

  /// Decodes a picture whose pixels are straight instead of premultiplied colours, with red in the
  /// lowest byte.
  package func decodeStraight(
    _ bytes: UnsafeRawBufferPointer
  ) throws(TileCodecError) -> Pixmap {
    let (width, height) = try size(of: bytes)
    let source = bytes.assumingMemoryBound(to: UInt8.self)
    let picture = Pixmap(width: width, height: height)
    let target = UnsafeMutableRawBufferPointer(picture.pixels)
    guard
      cwebp_decode(
        source.baseAddress, source.count, target.assumingMemoryBound(to: UInt8.self).baseAddress,
        target.count, Int32(width * 4)) == CWEBP_OK
    else { throw .invalid("is a damaged WebP") }
    for index in picture.pixels.indices {
      picture.pixels[index] = UInt32(littleEndian: picture.pixels[index])
    }
    return picture
  }

  /// Decodes a picture.
  package func decode(_ bytes: [UInt8]) throws(TileCodecError) -> Pixmap {
    // Typed throws do not pass through the closure.
    try bytes.withUnsafeBytes { bytes -> Result<Pixmap, TileCodecError> in
      do throws(TileCodecError) { return .success(try decode(bytes)) } catch {
        return .failure(error)
      }
    }.get()
  }
}
