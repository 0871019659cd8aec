/// Texts of spans of time such as `15m`, `6h` or `7d`.
package enum TimeSpan {
  /// The longest span in seconds, about 32 years.
  private static let limit = 1e9

  /// Returns the seconds of a number with s, m, h or d; `nil` for another text and beyond the limit.
  package static func seconds(_ text: String) -> Double? {
    let units: [Character: Double] = ["s": 1, "m": 60, "h": 3600, "d": 86_400]
    guard let unit = text.last.flatMap({ units[$0] }),
      DocumentScalar.isDecimal(text.dropLast().description.utf8, strict: true),
      let count = Double(text.dropLast()), count >= 0, count * unit <= limit
    else { return nil }
    return count * unit
  }
}
