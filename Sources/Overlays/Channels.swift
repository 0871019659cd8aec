/// The four channels of a premultiplied colour as numbers of 0 … 255.
enum Channels {
  @inline(__always)
  static func unpacked(_ bits: UInt32) -> SIMD4<Float> {
    let bytes = unsafeBitCast(bits.littleEndian, to: SIMD4<UInt8>.self)
    return SIMD4<Float>(SIMD4<Int32>(truncatingIfNeeded: bytes))
  }

  /// Rounds to nearest; no channel leaves 0 … alpha, whatever a kernel with negative lobes made.
  @inline(__always)
  static func packed(_ channels: SIMD4<Float>) -> UInt32 {
    let alpha = min(max(channels.w, 0), 255)
    var bounded = channels
    bounded.clamp(lowerBound: .zero, upperBound: SIMD4(repeating: alpha))
    let steps = SIMD4<Int32>(truncatingIfNeeded: SIMD4<Int32>(bounded + 0.5))
    return UInt32(
      littleEndian: unsafeBitCast(SIMD4<UInt8>(truncatingIfNeeded: steps), to: UInt32.self))
  }

  /// The greater of each channel; of two premultiplied colours again one.
  static func greater(_ first: UInt32, _ second: UInt32) -> UInt32 {
    merged(first, second, by: max)
  }

  /// The lesser of each channel; of two premultiplied colours again one.
  static func lesser(_ first: UInt32, _ second: UInt32) -> UInt32 {
    merged(first, second, by: min)
  }

  /// The sum of each channel, up to 255: two premultiplied colours that each cover a part of a pixel.
  static func sum(_ first: UInt32, _ second: UInt32) -> UInt32 {
    packed(unpacked(first) + unpacked(second))
  }

  @inline(__always)
  private static func merged(
    _ first: UInt32, _ second: UInt32, by choose: (UInt32, UInt32) -> UInt32
  ) -> UInt32 {
    choose(first & 0xFF, second & 0xFF) | choose(first & 0xFF00, second & 0xFF00)
      | choose(first & 0xFF_0000, second & 0xFF_0000)
      | choose(first & 0xFF00_0000, second & 0xFF00_0000)
  }
}
