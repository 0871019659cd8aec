/// Conversion of numbers to text and back by the rules of ECMAScript, which the expression language
/// inherits.
package enum NumberText {
  /// Returns the shortest text that reads back as the same number: `1`, `0.1`, `1e+21`, `NaN`,
  /// `Infinity`.
  ///
  /// ECMA-262, Number::toString.
  static func format(_ value: Double) -> String {
    if value == 0 { return "0" }
    if value.magnitude < 9_007_199_254_740_992, value == value.rounded(.towardZero) {
      return Int64(value).description
    }
    if value.isNaN { return "NaN" }
    if value.isInfinite { return value < 0 ? "-Infinity" : "Infinity" }

    let decimal = DecimalDigits(value)
    var text = decimal.isNegative ? "-" : ""
    let digits = decimal.digits.map { Character(UnicodeScalar($0 + UInt8(ascii: "0"))) }
    let point = decimal.point
    switch point {
    case digits.count...21 where point >= digits.count:
      text.append(contentsOf: digits)
      text.append(contentsOf: repeatElement("0", count: point - digits.count))
    case 1...21:
      text.append(contentsOf: digits[..<point])
      text.append(".")
      text.append(contentsOf: digits[point...])
    case -5...0:
      text.append("0.")
      text.append(contentsOf: repeatElement("0", count: -point))
      text.append(contentsOf: digits)
    default:
      text.append(digits[0])
      if digits.count > 1 {
        text.append(".")
        text.append(contentsOf: digits[1...])
      }
      text.append(point > 0 ? "e+" : "e-")
      text.append((point - 1).magnitude.description)
    }
    return text
  }

  /// Returns the number of a text, `nil` where ECMAScript gives NaN.
  ///
  /// White space around it is ignored and a blank text is 0. ECMA-262, StringToNumber.
  package static func parse(_ text: String) -> Double? {
    let trimmed = trim(text)
    if trimmed.isEmpty { return 0 }
    if let radix = radix(of: trimmed) {
      return parseInteger(trimmed.dropFirst(2), radix: radix)
    }
    switch trimmed {
    case "Infinity", "+Infinity": return .infinity
    case "-Infinity": return -.infinity
    default: return isDecimal(trimmed.utf8) ? Double(trimmed) : nil
    }
  }

  /// Returns the text without white space around it.
  package static func trim(_ text: String) -> Substring {
    func isSpace(_ scalar: Unicode.Scalar) -> Bool {
      scalar.properties.isWhitespace || scalar == "\u{FEFF}"
    }
    let scalars = text.unicodeScalars
    guard let first = scalars.firstIndex(where: { !isSpace($0) }),
      let last = scalars.lastIndex(where: { !isSpace($0) })
    else { return "" }
    return text[first..<scalars.index(after: last)]
  }

  private static func radix(of text: Substring) -> Double? {
    switch text.prefix(2).lowercased() {
    case "0x": 16
    case "0o": 8
    case "0b": 2
    default: nil
    }
  }

  private static func parseInteger(_ digits: Substring, radix: Double) -> Double? {
    guard !digits.isEmpty else { return nil }
    var value = 0.0
    for character in digits {
      guard character.isASCII, let digit = character.hexDigitValue, Double(digit) < radix else {
        return nil
      }
      value = value * radix + Double(digit)
    }
    return value
  }

  /// Whether the text is `[+-] digits [. digits] [e [+-] digits]` with a digit before the exponent.
  private static func isDecimal(_ text: Substring.UTF8View) -> Bool {
    var rest = text[...]
    func skipSign() {
      if let first = rest.first, first == UInt8(ascii: "+") || first == UInt8(ascii: "-") {
        rest = rest.dropFirst()
      }
    }
    func skipDigits() -> Int {
      let count = rest.prefix { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }.count
      rest = rest.dropFirst(count)
      return count
    }
    skipSign()
    var digits = skipDigits()
    if rest.first == UInt8(ascii: ".") {
      rest = rest.dropFirst()
      digits += skipDigits()
    }
    guard digits > 0 else { return false }
    if let first = rest.first, first == UInt8(ascii: "e") || first == UInt8(ascii: "E") {
      rest = rest.dropFirst()
      skipSign()
      guard skipDigits() > 0 else { return false }
    }
    return rest.isEmpty
  }
}
