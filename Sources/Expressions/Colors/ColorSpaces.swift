import Platform
import Raster

/// CIE L*a*b* relative to D50, with alpha: lightness 0 … 100, a and b about -125 … 125.
///
/// The Bradford-adapted sRGB matrices are those of Bruce Lindbloom, brucelindbloom.com, rounded as
/// in d3-color and MapLibre, so that interpolated colours agree with theirs.
struct LabColor {
  var lightness: Double
  var a: Double
  var b: Double
  var alpha: Double

  private static let whiteX = 0.96422
  private static let whiteZ = 0.82521
  /// The constant 6/29; below its cube the cube root is replaced by a straight line.
  private static let knee = 6.0 / 29

  init(lightness: Double, a: Double, b: Double, alpha: Double) {
    self.lightness = lightness
    self.a = a
    self.b = b
    self.alpha = alpha
  }

  init(_ color: Color) {
    let red = Self.linear(color.red)
    let green = Self.linear(color.green)
    let blue = Self.linear(color.blue)
    let y = Self.compress(0.2225045 * red + 0.7168786 * green + 0.0606169 * blue)
    var x = y
    var z = y
    // Grays are exactly neutral.
    if red != green || green != blue {
      x = Self.compress((0.4360747 * red + 0.3850649 * green + 0.1430804 * blue) / Self.whiteX)
      z = Self.compress((0.0139322 * red + 0.0971045 * green + 0.7141733 * blue) / Self.whiteZ)
    }
    lightness = max(116 * y - 16, 0)
    a = 500 * (x - y)
    b = 200 * (y - z)
    alpha = color.alpha
  }

  /// The colour in sRGB, each channel clipped to 0 … 1.
  var color: Color {
    let fy = (lightness + 16) / 116
    let x = Self.whiteX * Self.expand(fy + a / 500)
    let y = Self.expand(fy)
    let z = Self.whiteZ * Self.expand(fy - b / 200)
    return Color(
      red: Self.gamma(3.1338561 * x - 1.6168667 * y - 0.4906146 * z),
      green: Self.gamma(-0.9787684 * x + 1.9161415 * y + 0.033454 * z),
      blue: Self.gamma(0.0719453 * x - 0.2289914 * y + 1.4052427 * z), alpha: alpha)
  }

  private static func linear(_ channel: Double) -> Double {
    channel <= 0.04045 ? channel / 12.92 : pow((channel + 0.055) / 1.055, 2.4)
  }

  private static func gamma(_ channel: Double) -> Double {
    let value = channel <= 0.00304 ? 12.92 * channel : 1.055 * pow(channel, 1 / 2.4) - 0.055
    return min(max(value, 0), 1)
  }

  private static func compress(_ value: Double) -> Double {
    value > knee * knee * knee ? pow(value, 1.0 / 3) : value / (3 * knee * knee) + 4.0 / 29
  }

  private static func expand(_ value: Double) -> Double {
    value > knee ? value * value * value : 3 * knee * knee * (value - 4.0 / 29)
  }
}

/// A colour by hue in degrees, chroma 0 … about 230, lightness 0 … 100: L*a*b* in polar form.
struct HCLColor {
  /// The hue; `nil` for grays, which have none.
  var hue: Double?
  var chroma: Double
  var lightness: Double
  var alpha: Double

  init(hue: Double?, chroma: Double, lightness: Double, alpha: Double) {
    self.hue = hue
    self.chroma = chroma
    self.lightness = lightness
    self.alpha = alpha
  }

  init(_ color: Color) {
    let lab = LabColor(color)
    chroma = (lab.a * lab.a + lab.b * lab.b).squareRoot()
    hue = chroma < 0.00005 ? nil : constrainedAngle(atan2(lab.b, lab.a) * 180 / .pi)
    lightness = lab.lightness
    alpha = lab.alpha
  }

  var color: Color {
    let angle = (hue ?? 0) * .pi / 180
    return LabColor(
      lightness: lightness, a: cos(angle) * chroma, b: sin(angle) * chroma, alpha: alpha
    )
    .color
  }
}

extension Color {
  /// Creates a colour from hue in degrees and saturation, lightness and alpha in 0 … 1. CSS Color
  /// 4, 7.1.
  init(hue: Double, saturation: Double, lightness: Double, alpha: Double) {
    let hue = constrainedAngle(hue)
    let amplitude = saturation * min(lightness, 1 - lightness)
    func channel(_ offset: Double) -> Double {
      let k = (offset + hue / 30).truncatingRemainder(dividingBy: 12)
      return lightness - amplitude * max(-1, min(k - 3, 9 - k, 1))
    }
    self.init(red: channel(0), green: channel(8), blue: channel(4), alpha: alpha)
  }
}

/// Returns the equivalent angle within 0 ..< 360 degrees.
private func constrainedAngle(_ degrees: Double) -> Double {
  let angle = degrees.truncatingRemainder(dividingBy: 360)
  return angle < 0 ? angle + 360 : angle
}
