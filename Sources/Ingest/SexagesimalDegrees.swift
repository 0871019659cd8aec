/// An angle in degrees, minutes and seconds or with a letter for the hemisphere, as people write it:
/// `48°51'24"N`, `S 33° 52.5'`, `2.35 E`.
///
/// A text has a degree sign or a letter, so that no number is one; minutes and seconds are below 60,
/// and only the last number has decimals. The letter O is refused: west in French, east in German.
package struct SexagesimalDegrees: Hashable {
  /// The axis that a letter names.
  package enum Axis: Hashable {
    case longitude, latitude
  }

  /// The angle in degrees; south and west are negative.
  package let value: Double
  /// The axis; `nil` without a letter.
  package let axis: Axis?

  /// Maximum bytes of a text.
  package static let limit = 64
  /// The signs after degrees, minutes and seconds.
  private static let signs: [[Unicode.Scalar]] = [
    ["°", "º", "˚", ":"], ["'", "′", "’", "‘", "´", ":"], ["\"", "″", "”", "“"],
  ]

  /// Reads a text; `nil` for any other.
  package init?(_ bytes: UnsafeRawBufferPointer) {
    guard bytes.count <= Self.limit, let text = String(validating: bytes, as: UTF8.self) else {
      return nil
    }
    var rest = text.unicodeScalars[...]
    Self.skipSpace(&rest)
    var letter = Self.letter(&rest)
    Self.skipSpace(&rest)
    var sign: Double?
    if let first = rest.first, first == "-" || first == "+" {
      sign = first == "-" ? -1 : 1
      rest.removeFirst()
    }
    var numbers: [Double] = []
    var hasDegreeSign = false
    var hasDecimals = false
    while numbers.count < 3, !hasDecimals, let number = Self.number(&rest, &hasDecimals) {
      guard numbers.isEmpty || number < 60 else { return nil }
      Self.skipSpace(&rest)
      if let sign = Self.sign(&rest, of: numbers.count), numbers.isEmpty, sign != ":" {
        hasDegreeSign = true
      }
      Self.skipSpace(&rest)
      numbers.append(number)
    }
    if letter == nil { letter = Self.letter(&rest) }
    Self.skipSpace(&rest)
    guard rest.isEmpty, let degrees = numbers.first, letter == nil || sign == nil,
      letter != nil || hasDegreeSign
    else { return nil }
    // One rounding instead of one for each number; a lone number stays as it is.
    let angle =
      numbers.count == 1
      ? degrees
      : (degrees * 3600 + numbers[1] * 60 + (numbers.count > 2 ? numbers[2] : 0)) / 3600
    value = (letter?.sign ?? sign ?? 1) * angle
    axis = letter?.axis
  }

  private static func skipSpace(_ rest: inout Substring.UnicodeScalarView) {
    while let first = rest.first, first.properties.isWhitespace { rest.removeFirst() }
  }

  private static func letter(
    _ rest: inout Substring.UnicodeScalarView
  ) -> (axis: Axis, sign: Double)? {
    let letter: (Axis, Double)
    switch rest.first {
    case "N", "n": letter = (.latitude, 1)
    case "S", "s": letter = (.latitude, -1)
    case "E", "e": letter = (.longitude, 1)
    case "W", "w": letter = (.longitude, -1)
    default: return nil
    }
    rest.removeFirst()
    return letter
  }

  /// Reads digits, with decimals after a point.
  private static func number(
    _ rest: inout Substring.UnicodeScalarView, _ hasDecimals: inout Bool
  ) -> Double? {
    func isDigit(_ scalar: Unicode.Scalar) -> Bool { ("0"..."9").contains(scalar) }
    let whole = rest.prefix(while: isDigit)
    guard !whole.isEmpty else { return nil }
    var end = whole.endIndex
    if end < rest.endIndex, rest[end] == "." {
      let decimals = rest[rest.index(after: end)...].prefix(while: isDigit)
      guard !decimals.isEmpty else { return nil }
      end = decimals.endIndex
      hasDecimals = true
    }
    defer { rest = rest[end...] }
    return Double(String(rest[..<end]))
  }

  /// Reads the sign after degrees, minutes or seconds; two signs of minutes are one of seconds.
  private static func sign(
    _ rest: inout Substring.UnicodeScalarView, of place: Int
  ) -> Unicode.Scalar? {
    guard let first = rest.first else { return nil }
    let isDouble =
      place == 2 && signs[1].contains(first) && first != ":" && rest.dropFirst().first == first
    guard isDouble || signs[place].contains(first) else { return nil }
    rest.removeFirst(isDouble ? 2 : 1)
    return first
  }
}
