/// Numbers formatted for people, the same in every locale.
package enum ReportNumber {
  /// Formats a count: `87,000`.
  package static func count(_ count: Int) -> String {
    var digits = ""
    for (index, digit) in "\(count.magnitude)".reversed().enumerated() {
      if index > 0, index % 3 == 0 { digits.append(",") }
      digits.append(digit)
    }
    return (count < 0 ? "-" : "") + String(digits.reversed())
  }

  /// Formats a size: `152.3 MB`, in powers of 1,000.
  package static func bytes(_ bytes: Int) -> String {
    let units = ["bytes", "kB", "MB", "GB", "TB"]
    var value = Double(bytes)
    var unit = 0
    while value >= 999.95, unit < units.count - 1 {
      value /= 1000
      unit += 1
    }
    return unit == 0 ? "\(bytes) bytes" : "\(decimal(value, 1)) \(units[unit])"
  }

  /// Formats a duration: `1.042 s`, or `2 min 5 s` from 100 s on.
  package static func seconds(_ seconds: Double) -> String {
    guard seconds >= 100, seconds < 1e9 else { return "\(decimal(seconds, 3)) s" }
    let whole = Int(seconds.rounded())
    return whole < 3600
      ? "\(whole / 60) min \(whole % 60) s"
      : "\(whole / 3600) h \(whole % 3600 / 60) min"
  }

  /// Formats a number as `5`, or as `0.25` where it is not whole: at most three digits after the
  /// point.
  package static func short(_ value: Double) -> String {
    var text = decimal(value, 3)
    while text.contains("."), text.last == "0" || text.last == "." { text.removeLast() }
    return text
  }

  /// Formats a number with a fixed number of digits after the point.
  package static func decimal(_ value: Double, _ digits: Int) -> String {
    let scale = (0..<digits).reduce(1.0) { scale, _ in scale * 10 }
    guard abs(value) * scale < 9e15 else { return "\(value)" }
    let scaled = Int((value * scale).rounded())
    let sign = scaled < 0 ? "-" : ""
    guard digits > 0 else { return "\(scaled)" }
    let rest = "\(scaled.magnitude % UInt(scale))"
    let zeros = String(repeating: "0", count: digits - rest.count)
    return "\(sign)\(scaled.magnitude / UInt(scale)).\(zeros)\(rest)"
  }
}
