import Raster

/// Writes pixels as the bytes of a PNG row, without the filter byte.
enum RowPacker {
  /// Palette places, or grays, as samples of 1, 2, 4 or 8 bits, the leftmost in the high bits.
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

  /// Premultiplied pixels as straight red, green, blue and alpha.
  static func packRGBA(
    _ pixels: UnsafePointer<UInt32>, count: Int, into output: UnsafeMutablePointer<UInt8>
  ) {
    for x in 0..<count {
      let straight = PremultipliedColor(bits: pixels[x]).straightBits
      UnsafeMutableRawPointer(output).storeBytes(
        of: straight.littleEndian, toByteOffset: x &* 4, as: UInt32.self)
    }
  }

  /// Opaque pixels as red, green and blue.
  static func packRGB(
    _ pixels: UnsafePointer<UInt32>, count: Int, into output: UnsafeMutablePointer<UInt8>
  ) {
    for x in 0..<count {
      let color = pixels[x]
      output[x &* 3] = UInt8(truncatingIfNeeded: color)
      output[x &* 3 &+ 1] = UInt8(truncatingIfNeeded: color >> 8)
      output[x &* 3 &+ 2] = UInt8(truncatingIfNeeded: color >> 16)
    }
  }
}
