import CWebP
package import Raster

/// An encoder of pictures as WebP, by libwebp.
///
/// One worker owns an encoder. The bytes follow from the pixels, the quality and the version of
/// libwebp, which is told to use one thread.
package final class WebPEncoder {
  private let quality: Int?
  private var pixels: [UInt32] = []

  /// - Parameter quality: 0 … 100; `nil` is lossless.
  package init(quality: Int?) {
    self.quality = quality
  }

  /// The effort of libwebp: 0 … 9 for a lossless picture, 0 … 6 for a lossy one.
  ///
  /// Tiles of 256 px. City lots: effort 1 11.5 kB and 1.9 ms, 2 10.7 and 2.8, 3 9.7 and 4.5, 5 9.6
  /// and 4.3, where PNG has 10.7 kB. Rain in seven classes: 526 bytes at any effort but 0, 0.8 ms
  /// at 1, where PNG has 741.
  private func effort(_ content: TileEncoder.Content) -> Int32 {
    quality != nil ? 4 : content == .image ? 1 : 3
  }

  /// Encodes a picture; in a lossless one, decoded pixels are those that PNG would store.
  ///
  /// - Complexity: O(pixels), some 10 times slower than PNG.
  package func encode(
    _ picture: Pixmap, showing content: TileEncoder.Content
  ) throws(TileCodecError) -> [UInt8] {
    pixels.removeAll(keepingCapacity: true)
    pixels.reserveCapacity(picture.pixels.count)
    var last: UInt32 = 0
    var converted: UInt32 = 0
    for bits in picture.pixels {
      if bits != last {
        last = bits
        converted = Self.argb(PremultipliedColor(bits: bits).straightBits)
      }
      pixels.append(converted)
    }
    var bytes: UnsafeMutablePointer<UInt8>?
    var count = 0
    let status = pixels.withUnsafeBufferPointer { pixels in
      cwebp_encode(
        pixels.baseAddress, Int32(picture.width), Int32(picture.height),
        cwebp_options(quality: Int32(quality ?? -1), effort: effort(content)), &bytes, &count)
    }
    defer { cwebp_release(bytes) }
    if status == CWEBP_ABSENT { throw .absent }
    guard status == CWEBP_OK, let bytes else { throw .failed(format: "WebP") }
    return Array(UnsafeBufferPointer(start: bytes, count: count))
  }

  /// Swaps red and blue.
  private static func argb(_ bits: UInt32) -> UInt32 {
    bits & 0xFF00_FF00 | bits >> 16 & 0xFF | (bits & 0xFF) << 16
  }
}
