import Features

/// The interpretation of YAML scalars without quotes: YAML 1.2's core schema, without its
/// surprises.
///
/// `true`, `false`, `null`, `~` and the empty scalar have their YAML meaning; decimal numbers
/// without leading zeros are numbers; all else is text, including `NO`, `yes`, `on`, `0x1F`,
/// `01234` and `12:30`.
package enum DocumentScalar {
  /// Returns the value of a plain scalar, or `nil` for a number that is infinite or NaN.
  package static func value(of text: String) -> DocumentNode.Value? {
    switch text {
    case "", "~", "null": return .null
    case "true": return .bool(true)
    case "false": return .bool(false)
    default: break
    }
    if isNotFinite(text) { return nil }
    guard isDecimal(text.utf8) else { return .string(text) }
    guard let number = Double(text), number.isFinite else { return nil }
    return WholeNumber(text.hasPrefix("+") ? String(text.dropFirst()) : text).map { .whole($0) }
      ?? .number(number)
  }

  /// Whether the text is YAML's `.inf` or `.nan`.
  private static func isNotFinite(_ text: String) -> Bool {
    let lower = text.lowercased()
    return [".inf", "+.inf", "-.inf", ".nan"].contains(lower)
  }

  /// Whether the text follows `[-+]? (digits [. digits] | . digits) [e digits]` without leading
  /// zeros: the core schema's decimal float with the JSON grammar's rule for zeros.
  ///
  /// - Parameter strict: whether to apply the JSON grammar alone: no `+`, digits on both sides of
  ///   the point.
  static func isDecimal(_ text: String.UTF8View, strict: Bool = false) -> Bool {
    var rest = text[...]
    let sign = rest.first
    if sign == UInt8(ascii: "-") || (sign == UInt8(ascii: "+") && !strict) { rest.removeFirst() }
    let isZero = rest.first == UInt8(ascii: "0")
    let whole = takeDigits(&rest)
    if whole > 1, isZero { return false }
    var fraction = 0
    if rest.first == UInt8(ascii: ".") {
      rest.removeFirst()
      fraction = takeDigits(&rest)
      if strict, fraction == 0 { return false }
    }
    guard whole > 0 || (fraction > 0 && !strict) else { return false }
    guard let mark = rest.first else { return true }
    guard mark == UInt8(ascii: "e") || mark == UInt8(ascii: "E") else { return false }
    rest.removeFirst()
    if rest.first == UInt8(ascii: "-") || rest.first == UInt8(ascii: "+") { rest.removeFirst() }
    return takeDigits(&rest) > 0 && rest.isEmpty
  }

  private static func isDigit(_ byte: UInt8) -> Bool {
    byte >= UInt8(ascii: "0") && byte <= UInt8(ascii: "9")
  }

  private static func takeDigits(_ text: inout Substring.UTF8View) -> Int {
    let digits = text.prefix(while: isDigit)
    text = text[digits.endIndex...]
    return digits.count
  }
}
