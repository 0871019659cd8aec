package import Raster

extension PremultipliedColor {
  /// Creates the colour of a straight-alpha pixel as stored in PNG, each channel rounded to
  /// nearest.
  ///
  /// The exact inverse of ``PremultipliedColor/straightBits``: its rounding error is at most half
  /// a step of the straight scale, which is at most half a step of the premultiplied scale.
  package init(straightBits bits: UInt32) {
    let alpha = bits >> 24
    if alpha == 255 {
      self.init(bits: bits)
      return
    }
    func premultiplied(_ channel: UInt32) -> UInt32 { (channel &* alpha &+ 127) / 255 }
    self.init(
      bits: premultiplied(bits & 0xFF) | premultiplied(bits >> 8 & 0xFF) << 8
        | premultiplied(bits >> 16 & 0xFF) << 16 | alpha << 24)
  }
}
