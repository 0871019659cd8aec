/// Conversion of degrees to whole numbers of 10⁻⁷ (about a centimetre), and to text without
/// exponent or locale.
///
/// Neighbouring boxes share the rounded edge, so that there is no gap between them.
struct DegreeText {
  /// The number of steps per degree.
  static let stepsPerDegree = 10_000_000.0

  /// Returns degrees in steps, rounded to the nearest; the value must be within ±360.
  static func steps(_ degrees: Double) -> Int64 {
    Int64((min(max(degrees, -360), 360) * stepsPerDegree).rounded())
  }

  /// Returns steps as text, `-12.5`, `0`, `179.9999999`: no trailing zeros, no negative zero.
  static func text(_ steps: Int64) -> String {
    let magnitude = steps.magnitude
    let (whole, fraction) = magnitude.quotientAndRemainder(dividingBy: 10_000_000)
    var digits = String(fraction)
    digits = String(repeating: "0", count: 7 - digits.count) + digits
    while digits.last == "0" { digits.removeLast() }
    return (steps < 0 ? "-" : "") + "\(whole)" + (digits.isEmpty ? "" : "." + digits)
  }
}
