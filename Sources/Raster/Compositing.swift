/// Source-over compositing in premultiplied 8-bit channels, with one rounding rule.
///
/// Every product of two channels is divided by 255 and rounded to nearest, exactly:
/// `t = a · b + 128; (t + (t >> 8)) >> 8` (Blinn, Three Wrongs Make a Right, 1995). The rule is
/// monotone, so no channel ever exceeds alpha and no sum exceeds 255.
extension PremultipliedColor {
  /// Returns all channels times `factor` / 255: the colour of a partly covered pixel.
  @inlinable @inline(__always)
  package func covered(_ factor: UInt8) -> PremultipliedColor {
    PremultipliedColor(bits: PremultipliedColor.scaled(bits, by: UInt32(factor)))
  }

  /// Returns this colour composited over another one.
  @inlinable @inline(__always)
  package func over(_ below: PremultipliedColor) -> PremultipliedColor {
    PremultipliedColor(bits: PremultipliedColor.over(bits, below.bits))
  }

  /// Scales two channels at a time in the halves of a word; 255 · 255 + 128 + 254 still fits in 16
  /// bits.
  @inlinable @inline(__always)
  static func scaled(_ bits: UInt32, by factor: UInt32) -> UInt32 {
    let lanes: UInt32 = 0x00FF_00FF
    let even = (bits & lanes) &* factor &+ 0x0080_0080
    let odd = (bits >> 8 & lanes) &* factor &+ 0x0080_0080
    return ((even &+ (even >> 8 & lanes)) >> 8 & lanes) | ((odd &+ (odd >> 8 & lanes)) & ~lanes)
  }

  /// Scales two pixels by the same rule; the four channels of each step lie in the quarters of a word.
  @inline(__always)
  static func scaledPair(_ bits: UInt64, by factor: UInt64) -> UInt64 {
    let lanes: UInt64 = 0x00FF_00FF_00FF_00FF
    let half: UInt64 = 0x0080_0080_0080_0080
    let even = (bits & lanes) &* factor &+ half
    let odd = (bits >> 8 & lanes) &* factor &+ half
    return ((even &+ (even >> 8 & lanes)) >> 8 & lanes) | ((odd &+ (odd >> 8 & lanes)) & ~lanes)
  }

  @inlinable @inline(__always)
  static func over(_ source: UInt32, _ below: UInt32) -> UInt32 {
    source &+ scaled(below, by: 255 &- (source >> 24))
  }
}
