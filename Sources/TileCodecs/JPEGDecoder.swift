import CJPEG
package import Raster

/// A decoder of JPEG pictures in colour or gray, by libjpeg-turbo.
package struct JPEGDecoder {
  private let limits: cjpeg_limits

  /// - Parameter maxPixels: the number of pixels beyond which a picture is refused, before memory
  ///   is allocated for it.
  package init(maxPixels: Int) {
    limits = cjpeg_limits(
      max_width: 16384, max_height: 16384, max_pixels: UInt64(maxPixels),
      max_scratch_bytes: 256 << 20, max_scans: 100)
  }

  /// Decodes a picture.
  ///
  /// - Complexity: O(pixels).
  package func decode(_ bytes: UnsafeRawBufferPointer) throws(TileCodecError) -> Pixmap {
    var limits = limits
    var reader: OpaquePointer?
    var info = cjpeg_info()
    var message = [CChar](repeating: 0, count: 256)
    let source = bytes.assumingMemoryBound(to: UInt8.self)
    let status = cjpeg_open(
      source.baseAddress, source.count, &limits, &reader, &info, &message, message.count)
    guard status == CJPEG_OK, let reader else { throw Self.fault(message) }
    defer { cjpeg_close(reader) }
    let picture = Pixmap(width: Int(info.width), height: Int(info.height))
    let channels = Int(info.channels)
    var row = [UInt8](repeating: 0, count: picture.width * channels)
    for y in 0..<picture.height {
      guard cjpeg_read_row(reader, &row, &message, message.count) == CJPEG_OK else {
        throw Self.fault(message)
      }
      for x in 0..<picture.width {
        let first = x * channels
        let green = channels == 1 ? first : first + 1
        let blue = channels == 1 ? first : first + 2
        picture.pixels[y * picture.width + x] =
          UInt32(row[first]) | UInt32(row[green]) << 8 | UInt32(row[blue]) << 16 | 0xFF00_0000
      }
    }
    return picture
  }

  private static func fault(_ message: [CChar]) -> TileCodecError {
    let bytes = message.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }
    return .invalid("cannot be decoded: \(String(decoding: bytes, as: UTF8.self))")
  }
}
