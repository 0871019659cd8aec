import CJPEG
package import Raster

/// An encoder of pictures as JPEG, by libjpeg-turbo.
package final class JPEGEncoder {
  private let quality: Int
  private let background: PremultipliedColor
  private var rows: [UInt8] = []

  /// The version of libjpeg-turbo.
  package static var version: String { String(cString: cjpeg_version()) }

  /// - Parameters:
  ///   - quality: 0 … 100.
  ///   - background: the opaque colour behind transparent pixels.
  package init(quality: Int, background: PremultipliedColor) {
    self.quality = quality
    self.background = background
  }

  /// Encodes a picture over the background.
  ///
  /// - Complexity: O(pixels).
  package func encode(_ picture: Pixmap) throws(TileCodecError) -> [UInt8] {
    rows.removeAll(keepingCapacity: true)
    rows.reserveCapacity(picture.pixels.count * 3)
    for bits in picture.pixels {
      let color = bits >> 24 == 255 ? bits : over(bits)
      rows.append(UInt8(truncatingIfNeeded: color))
      rows.append(UInt8(truncatingIfNeeded: color >> 8))
      rows.append(UInt8(truncatingIfNeeded: color >> 16))
    }
    var bytes: UnsafeMutablePointer<UInt8>?
    var count = 0
    let status = rows.withUnsafeBufferPointer { rows in
      cjpeg_encode(
        rows.baseAddress, UInt32(picture.width), UInt32(picture.height), Int32(quality), &bytes,
        &count)
    }
    defer { cjpeg_release(bytes) }
    guard status == CJPEG_OK, let bytes else { throw .failed(format: "JPEG") }
    return Array(UnsafeBufferPointer(start: bytes, count: count))
  }

  /// Returns a premultiplied colour over the background.
  private func over(_ bits: UInt32) -> UInt32 {
    let rest = 255 - (bits >> 24)
    var color: UInt32 = 0
    for shift in stride(from: UInt32(0), to: 24, by: 8) {
      let behind = ((background.bits >> shift & 255) * rest + 127) / 255
      color |= min((bits >> shift & 255) + behind, 255) << shift
    }
    return color
  }
}
