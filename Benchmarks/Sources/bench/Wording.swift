import Foundation

/// Numbers as the tables show them, the same in every locale.
enum Wording {
  /// Seconds with three significant digits: `0.0412 s`, `2.31 s`, `57.2 s`, `229 s`.
  static func seconds(_ value: Double) -> String { "\(digits(value)) s" }

  /// The median of seconds, and from where to where they went if there were several runs.
  static func seconds(_ series: Series) -> String {
    let median = seconds(series.median)
    guard series.values.count > 1 else { return median }
    return "\(median) (\(digits(series.smallest))–\(digits(series.largest)))"
  }

  /// `2.31 s`, or nothing for a stage that did not run.
  static func optionalSeconds(_ value: Double?) -> String { value.map(seconds) ?? "" }

  /// `312 MB`, in units of 10^6 bytes, or `3.42 GB`.
  static func bytes(_ value: Double) -> String {
    value < 1e9 ? "\(digits(value / 1e6)) MB" : "\(digits(value / 1e9)) GB"
  }

  /// `24.8×`, and from where to where if there were several pairs.
  static func ratio(_ series: Series) -> String {
    let median = "\(digits(series.median))×"
    guard series.values.count > 1 else { return median }
    return "\(median) (\(digits(series.smallest))–\(digits(series.largest)))"
  }

  /// `366,817`.
  static func count(_ value: Double) -> String {
    var text = ""
    for (index, digit) in String(Int(value.rounded())).reversed().enumerated() {
      if index > 0, index % 3 == 0 { text.append(",") }
      text.append(digit)
    }
    return String(text.reversed())
  }

  /// Three significant digits, no exponent.
  private static func digits(_ value: Double) -> String {
    let magnitude = value > 0 ? Int(log10(value).rounded(.down)) : 0
    let decimals = Swift.max(0, Swift.min(4, 2 - magnitude))
    return String(format: "%.\(decimals)f", locale: Locale(identifier: "en_US_POSIX"), value)
  }
}
