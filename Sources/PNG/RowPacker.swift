/// A packer of pixels as the bytes of a PNG row, without the filter byte.
enum RowPacker {
  /// Packs palette indices, or grays, as samples of 1, 2, 4 or 8 bits, the leftmost in the high
  /// bits.
  ///
  /// The bits beyond the last pixel are zero, so that equal pictures have equal bytes.
  static func pack(
    _ samples: UnsafePointer<UInt8>, count: Int, bitDepth: Int,
    into output: UnsafeMutablePointer<UInt8>
  ) {
    if bitDepth == 8 {
      output.update(from: samples, count: count)
      return
    }
    let perByte = 8 / bitDepth
    let whole = count / perByte
    for byte in 0..<whole {
      var value: UInt8 = 0
      for sample in 0..<perByte {
        value = value << UInt8(bitDepth) | samples[byte * perByte + sample]
      }
      output[byte] = value
    }
    let rest = count - whole * perByte
    guard rest > 0 else { return }
    var value: UInt8 = 0
    for sample in 0..<rest {
      value |= samples[whole * perByte + sample] << UInt8(8 - bitDepth * (sample + 1))
    }
    output[whole] = value
  }

  /// Packs premultiplied pixels as straight red, green, blue and alpha.
  static func packRGBA(
    _ pixels: UnsafePointer<UInt32>, count: Int, into output: UnsafeMutablePointer<UInt8>
  ) {
    reciprocals.withUnsafeBufferPointer { reciprocals in
      // Neighbours are often equal, so the last colour and its result are kept.
      var (last, straight) = (UInt32(0), UInt32(0))
      for x in 0..<count {
        let color = pixels[x]
        if color != last {
          last = color
          straight = Self.straight(color, reciprocals[Int(color >> 24)])
        }
        UnsafeMutableRawPointer(output).storeBytes(
          of: straight.littleEndian, toByteOffset: x &* 4, as: UInt32.self)
      }
    }
  }

  /// 2³² divided by each alpha, rounded up; 0 for 0.
  ///
  /// Multiplied by a dividend below 2¹⁶ and shifted down by 32 they give the exact quotient: the
  /// error from rounding up stays below 2²⁴ / 2³², less than the step from one quotient to the
  /// next. Source: Granlund and Montgomery, Division by invariant integers using multiplication,
  /// 1994.
  private static let reciprocals: [UInt64] = [0] + (1...255).map { ((1 << 32) + $0 - 1) / $0 }

  /// Returns ``PremultipliedColor/straightBits`` without a division.
  @inline(__always)
  private static func straight(_ color: UInt32, _ reciprocal: UInt64) -> UInt32 {
    let alpha = color >> 24
    if alpha == 255 || alpha == 0 { return alpha == 0 ? 0 : color }
    func divided(_ channel: UInt32) -> UInt32 {
      let dividend = UInt64(channel &* 255 &+ alpha / 2)
      return min(UInt32(truncatingIfNeeded: (dividend &* reciprocal) >> 32), 255)
    }
    return divided(color & 0xFF) | divided(color >> 8 & 0xFF) << 8
      | divided(color >> 16 & 0xFF) << 16 | alpha << 24
  }

  /// Packs opaque pixels as red, green and blue.
  static func packRGB(
    _ pixels: UnsafePointer<UInt32>, count: Int, into output: UnsafeMutablePointer<UInt8>
  ) {
    guard count > 0 else { return }
    // Writes four bytes at once: the fourth is overwritten by the next pixel.
    for x in 0..<(count - 1) {
      UnsafeMutableRawPointer(output).storeBytes(
        of: pixels[x].littleEndian, toByteOffset: x &* 3, as: UInt32.self)
    }
    let last = pixels[count - 1]
    for (offset, shift) in zip((count - 1) * 3..<count * 3, [0, 8, 16] as [UInt32]) {
      output[offset] = UInt8(truncatingIfNeeded: last >> shift)
    }
  }
}
