package import Raster

/// The colour space in which two colours are interpolated.
package enum ColorSpace: Hashable, Sendable {
  case rgb
  case hcl
  case lab
}

extension ColorSpace {
  /// Returns the colour at `fraction` 0 … 1 of the way between two.
  package func mix(_ from: Color, _ to: Color, _ fraction: Double) -> Color {
    switch self {
    case .rgb:
      return Color(
        red: lerp(from.red, to.red, fraction), green: lerp(from.green, to.green, fraction),
        blue: lerp(from.blue, to.blue, fraction), alpha: lerp(from.alpha, to.alpha, fraction))
    case .lab:
      let (from, to) = (LabColor(from), LabColor(to))
      return LabColor(
        lightness: lerp(from.lightness, to.lightness, fraction), a: lerp(from.a, to.a, fraction),
        b: lerp(from.b, to.b, fraction), alpha: lerp(from.alpha, to.alpha, fraction)
      ).color
    case .hcl:
      return HCLColor(from).mixed(with: HCLColor(to), fraction).color
    }
  }
}

extension HCLColor {
  /// Returns the mixture; hue takes the shorter way round; a gray takes the other's hue, and black
  /// and white also its chroma.
  fileprivate func mixed(with other: HCLColor, _ fraction: Double) -> HCLColor {
    var mixed = HCLColor(
      hue: hue ?? other.hue, chroma: lerp(chroma, other.chroma, fraction),
      lightness: lerp(lightness, other.lightness, fraction),
      alpha: lerp(alpha, other.alpha, fraction))
    switch (hue, other.hue) {
    case (let hue?, let otherHue?):
      var difference = otherHue - hue
      if difference > 180 { difference -= 360 } else if difference < -180 { difference += 360 }
      mixed.hue = hue + fraction * difference
    case (.some, nil) where other.isExtreme: mixed.chroma = chroma
    case (nil, .some) where isExtreme: mixed.chroma = other.chroma
    default: break
    }
    return mixed
  }

  /// Whether the colour is black, or has lightness 1 of 100, where MapLibre also takes the other's
  /// chroma.
  private var isExtreme: Bool { lightness == 0 || lightness == 1 }
}

/// Returns the number at `fraction` 0 … 1 of the way from one to another.
@inline(__always)
func lerp(_ from: Double, _ to: Double, _ fraction: Double) -> Double {
  from + fraction * (to - from)
}
