/// The four channels of a premultiplied colour as numbers of 0 … 255.
enum Channels {
  @inline(__always)
  static func unpacked(_ bits: UInt32) -> SIMD4<Float> {
    let bytes = unsafeBitCast(bits.littleEndian, to: SIMD4<UInt8>.self)
    return SIMD4<Float>(SIMD4<Int32>(truncatingIfNeeded: bytes))
  }

  /// Rounds to nearest, halves up, and packs channels that already lie in 0 … alpha ≤ 255, as in
  /// every sum with non-negative weights: rounding of floating point preserves the order of
  /// channels.
  ///
  /// Adding 2²³ leaves the rounded number in the low bits; the stdlib's conversion of a vector to
  /// integers costs 60 times as much (Swift 6.3).
  @inline(__always)
  static func packed(_ channels: SIMD4<Float>) -> UInt32 {
    // Adding 2²³ rounds ties to even; half a thousandth more makes them round up.
    let shifted = (channels + 1 / 2048) + 8_388_608
    // Extracts two halves: four lanes extracted one by one would also be added one by one.
    let halves = unsafeBitCast(shifted, to: SIMD2<UInt64>.self)
    let (low, high) = (halves.x.littleEndian, halves.y.littleEndian)
    return UInt32(
      truncatingIfNeeded: low & 0xFF | low >> 24 & 0xFF00 | (high & 0xFF) << 16
        | high >> 8 & 0xFF00_0000)
  }

  /// Packs like ``packed(_:)``, for any numbers: clamps channels to 0 … alpha, and alpha to 0 …
  /// 255.
  @inline(__always)
  static func packedBounded(_ channels: SIMD4<Float>) -> UInt32 {
    let alpha = Swift.min(Swift.max(channels.w, 0), 255)
    func bounded(_ channel: Float) -> Float { Swift.min(Swift.max(channel, 0), alpha) }
    return packed(SIMD4(bounded(channels.x), bounded(channels.y), bounded(channels.z), alpha))
  }

  /// Returns the brighter of two premultiplied colours, whole: channels are not mixed, so classes
  /// of colours stay classes.
  static func brighter(_ first: UInt32, _ second: UInt32) -> UInt32 {
    rank(first) < rank(second) ? second : first
  }

  /// Returns the darker of two premultiplied colours, whole.
  static func darker(_ first: UInt32, _ second: UInt32) -> UInt32 {
    rank(second) < rank(first) ? second : first
  }

  /// Returns the rank of a colour by luminance (the weights of Rec. 709 in 1/256), among equally
  /// bright ones by opacity and then by blue, green and red.
  @inline(__always)
  private static func rank(_ bits: UInt32) -> UInt64 {
    let luminance = 54 * (bits & 0xFF) + 183 * (bits >> 8 & 0xFF) + 19 * (bits >> 16 & 0xFF)
    return UInt64(luminance) << 32 | UInt64(bits)
  }

  /// Returns the sum of each channel, up to 255: two premultiplied colours that each cover part of
  /// a pixel.
  static func sum(_ first: UInt32, _ second: UInt32) -> UInt32 {
    packedBounded(unpacked(first) + unpacked(second))
  }
}
