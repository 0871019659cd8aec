/// Conversion of numbers to text and back by the rules of ECMAScript, which JSON's writers and the
/// expression language follow.
package enum NumberText {
  /// Returns the shortest text that reads back as the same number: `1`, `0.1`, `1e+21`, `NaN`,
  /// `Infinity`.
  package static func format(_ value: Double) -> String {
    if value.isNaN { return "NaN" }
    if value.isInfinite { return value < 0 ? "-Infinity" : "Infinity" }
    var bytes: [UInt8] = []
    append(value, to: &bytes)
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Appends the shortest text that reads back as the same number; `0` for minus zero.
  ///
  /// ECMA-262, Number::toString: plain from 1e-6 up to below 1e21, with an exponent otherwise.
  ///
  /// - Precondition: `value` is finite.
  static func append(_ value: Double, to bytes: inout [UInt8]) {
    if let integer = Int64(exactly: value), integer.magnitude <= 1 << 53 {
      bytes.append(contentsOf: integer.description.utf8)
      return
    }
    let decimal = DecimalDigits(value)
    if decimal.isNegative { bytes.append(JSONByte.minus) }
    let digits = decimal.digits.map { $0 + JSONByte.zero }
    let point = decimal.point
    switch point {
    case 1...21:
      bytes.append(contentsOf: digits.prefix(point))
      if digits.count > point {
        bytes.append(JSONByte.point)
        bytes.append(contentsOf: digits[point...])
      } else {
        bytes.append(contentsOf: repeatElement(JSONByte.zero, count: point - digits.count))
      }
    case -5...0:
      bytes.append(contentsOf: "0.".utf8)
      bytes.append(contentsOf: repeatElement(JSONByte.zero, count: -point))
      bytes.append(contentsOf: digits)
    default:
      bytes.append(contentsOf: digits.prefix(1))
      if digits.count > 1 {
        bytes.append(JSONByte.point)
        bytes.append(contentsOf: digits[1...])
      }
      bytes.append(UInt8(ascii: "e"))
      bytes.append(point > 0 ? JSONByte.plus : JSONByte.minus)
      bytes.append(contentsOf: (point - 1).magnitude.description.utf8)
    }
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
