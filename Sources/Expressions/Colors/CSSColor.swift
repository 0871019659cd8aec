package import Raster

/// A parser of colours in the notations of CSS.
///
/// Named colours, `transparent`, `#rgb`, `#rgba`, `#rrggbb`, `#rrggbbaa`, and `rgb()`, `rgba()`,
/// `hsl()`, `hsla()` with commas or with spaces and a slash, numbers or percentages, the hue with or
/// without `deg`. Letter case and white space around the text do not matter. CSS Color 4.
package enum CSSColor {
  /// Returns the colour of a text, `nil` if it is not one.
  package static func parse(_ text: String) -> Color? {
    let text = NumberText.trim(text).lowercased()
    if text == "transparent" { return .transparent }
    if let bits = NamedColors.table[text] { return Color(rgb: bits) }
    if text.hasPrefix("#") { return parseHex(text.utf8.dropFirst()) }
    guard let call = CSSColorCall(text) else { return nil }
    return call.color
  }

  private static func parseHex(_ text: Substring.UTF8View) -> Color? {
    var digits: [Double] = []
    for byte in text {
      guard let value = hexDigit(byte), digits.count < 8 else { return nil }
      digits.append(value)
    }
    func channel(_ index: Int) -> Double {
      switch digits.count {
      case 3, 4: index < digits.count ? digits[index] * 17 / 255 : 1
      default:
        2 * index + 1 < digits.count
          ? (digits[2 * index] * 16 + digits[2 * index + 1]) / 255 : 1
      }
    }
    guard [3, 4, 6, 8].contains(digits.count) else { return nil }
    return Color(red: channel(0), green: channel(1), blue: channel(2), alpha: channel(3))
  }

  private static func hexDigit(_ byte: UInt8) -> Double? {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): Double(byte - UInt8(ascii: "0"))
    case UInt8(ascii: "a")...UInt8(ascii: "f"): Double(byte - UInt8(ascii: "a") + 10)
    default: nil
    }
  }
}

extension Color {
  /// Creates an opaque colour from 0xRRGGBB.
  fileprivate init(rgb: UInt32) {
    self.init(
      red: Double(rgb >> 16 & 0xFF) / 255, green: Double(rgb >> 8 & 0xFF) / 255,
      blue: Double(rgb & 0xFF) / 255)
  }
}
