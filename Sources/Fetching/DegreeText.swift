/// Degrees as whole numbers of 10⁻⁷ (about a centimetre), and as text without exponent or locale.
///
/// Neighbouring boxes share the rounded edge, so that no gap arises between them.
struct DegreeText {
  /// Steps of one degree.
  static let stepsPerDegree = 10_000_000.0

  /// Degrees in steps, rounded to the nearest; the value must be within ±360.
  static func steps(_ degrees: Double) -> Int64 {
    Int64((min(max(degrees, -360), 360) * stepsPerDegree).rounded())
  }

  /// `-12.5`, `0`, `179.9999999`: no trailing zeros, no negative zero.
  static func text(_ steps: Int64) -> String {
    let magnitude = steps.magnitude
    let (whole, fraction) = magnitude.quotientAndRemainder(dividingBy: 10_000_000)
    var digits = String(fraction)
    digits = String(repeating: "0", count: 7 - digits.count) + digits
    while digits.last == "0" { digits.removeLast() }
    return (steps < 0 ? "-" : "") + "\(whole)" + (digits.isEmpty ? "" : "." + digits)
  }
}
