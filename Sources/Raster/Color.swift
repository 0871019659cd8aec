/// A colour as in styles: sRGB, straight alpha, each component 0 … 1.
package struct Color: Hashable, Sendable {
  package var red: Double
  package var green: Double
  package var blue: Double
  package var alpha: Double

  @inlinable
  package init(red: Double, green: Double, blue: Double, alpha: Double = 1) {
    self.red = red
    self.green = green
    self.blue = blue
    self.alpha = alpha
  }

  package static let transparent = Color(red: 0, green: 0, blue: 0, alpha: 0)
  package static let black = Color(red: 0, green: 0, blue: 0)
  package static let white = Color(red: 1, green: 1, blue: 1)

  /// Returns the colour with its alpha multiplied by an opacity of 0 … 1.
  package func faded(_ opacity: Double) -> Color {
    Color(red: red, green: green, blue: blue, alpha: alpha * min(max(opacity, 0), 1))
  }
}

/// A premultiplied sRGB colour with 8 bits per channel, as stored in a ``Pixmap``.
@usableFromInline
package struct PremultipliedColor: Hashable, Sendable {
  /// The channels: red in the lowest byte, then green, blue and alpha; no channel exceeds alpha.
  @usableFromInline package var bits: UInt32

  @inlinable @inline(__always)
  package init(bits: UInt32) {
    self.bits = bits
  }

  package static let transparent = PremultipliedColor(bits: 0)

  /// Creates the colour, each premultiplied channel rounded to the nearest of 256 steps.
  package init(_ color: Color) {
    func step(_ value: Double) -> UInt32 {
      UInt32((min(max(value, 0), 1) * 255).rounded())
    }
    let alpha = min(max(color.alpha, 0), 1)
    bits =
      step(color.red * alpha) | step(color.green * alpha) << 8 | step(color.blue * alpha) << 16
      | step(alpha) << 24
  }

  @inlinable package var red: UInt8 { UInt8(truncatingIfNeeded: bits) }
  @inlinable package var green: UInt8 { UInt8(truncatingIfNeeded: bits >> 8) }
  @inlinable package var blue: UInt8 { UInt8(truncatingIfNeeded: bits >> 16) }
  @inlinable package var alpha: UInt8 { UInt8(truncatingIfNeeded: bits >> 24) }

  /// The straight-alpha colour that PNG stores, in the same byte order, rounded to nearest;
  /// transparent black where alpha is 0.
  @inlinable
  package var straightBits: UInt32 {
    let alpha = bits >> 24
    if alpha == 255 || alpha == 0 { return alpha == 0 ? 0 : bits }
    func straight(_ channel: UInt32) -> UInt32 { min((channel * 255 + alpha / 2) / alpha, 255) }
    return straight(bits & 0xFF) | straight(bits >> 8 & 0xFF) << 8
      | straight(bits >> 16 & 0xFF) << 16 | alpha << 24
  }
}
