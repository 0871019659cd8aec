/// A line of a file of metrics: a name, labels and a number.
///
/// Source: https://prometheus.io/docs/instrumenting/exposition_formats/
struct MetricSample: Hashable {
  var family: MetricFamily
  /// The labels in the order in which they are written; the first is always `pipeline`.
  var labels: [Label]
  var value: Double

  struct Label: Hashable {
    var name: String
    var value: String
  }

  init(_ family: MetricFamily, _ labels: KeyValuePairs<String, String>, _ value: Double) {
    self.family = family
    self.labels = labels.map { Label(name: $0.key, value: $0.value) }
    self.value = value
  }

  /// Returns the value of a label; `nil` if there is none of this name.
  subscript(_ label: String) -> String? { labels.first { $0.name == label }?.value }

  /// The line, `name{a="1",b="2"} 3` with a line feed.
  var line: String {
    let list = labels.map { "\($0.name)=\"\(Self.escaped($0.value))\"" }.joined(separator: ",")
    return "\(family.rawValue){\(list)} \(Self.text(value))\n"
  }

  /// Returns the prefix of every line of a family and a pipeline.
  static func start(_ family: MetricFamily, pipeline: String) -> String {
    "\(family.rawValue){pipeline=\"\(escaped(pipeline))\""
  }

  /// Escapes a label's value for quotes.
  static func escaped(_ text: String) -> String {
    var escaped = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\\": escaped += "\\\\"
      case "\"": escaped += "\\\""
      case "\n": escaped += "\\n"
      default: escaped.unicodeScalars.append(scalar)
      }
    }
    return escaped
  }

  /// Reverses the escaping of a text between quotes.
  static func unescaped(_ text: some StringProtocol) -> String {
    var plain = ""
    var isEscape = false
    for scalar in text.unicodeScalars {
      if isEscape {
        plain.unicodeScalars.append(scalar == "n" ? "\n" : scalar)
        isEscape = false
      } else if scalar == "\\" {
        isEscape = true
      } else {
        plain.unicodeScalars.append(scalar)
      }
    }
    return plain
  }

  /// Formats a number; whole numbers without a point.
  private static func text(_ value: Double) -> String {
    Int(exactly: value).map { "\($0)" } ?? "\(value)"
  }
}
