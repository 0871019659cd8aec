import PNG
import TileCodecs

/// Width and height in pixels.
package struct ImageSize: Hashable, Sendable, CustomStringConvertible {
  package var width: Int
  package var height: Int

  package init(width: Int, height: Int) {
    self.width = width
    self.height = height
  }

  package var description: String { "\(width) × \(height)" }
}

extension ImageSize {
  /// Reads the size in the header of a PNG, JPEG or WebP, before any pixel is decoded.
  ///
  /// - Throws: ``OverlayError`` if the bytes do not begin like an image.
  package init(header bytes: UnsafeRawBufferPointer) throws {
    switch ImageFormat(bytes) {
    case .png:
      do {
        let info = try PNGInfo(bytes.assumingMemoryBound(to: UInt8.self).span)
        self.init(width: info.width, height: info.height)
      } catch let error as PNGError {
        throw OverlayError(.corrupt, error.message)
      }
    case .jpeg:
      let reader = try JPEGRowReader(bytes, limits: ImageLimits())
      self.init(width: reader.width, height: reader.height)
    case .webp:
      do {
        let size = try WebPDecoder().size(of: bytes)
        self.init(width: size.width, height: size.height)
      } catch {
        throw OverlayError(error)
      }
    case nil:
      throw OverlayError(
        .unknownFormat, "\(ImageFormat.guess(bytes)); images must be PNG, JPEG or WebP.")
    }
  }
}
