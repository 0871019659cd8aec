import Features
import OrderedCollections
import Platform

/// The values at which a property's expression changes, with their labels.
struct LegendSteps: Hashable {
  struct Step: Hashable {
    var label: String
    /// The value of a feature that has this look.
    var value: PropertyValue
  }

  let property: String
  let steps: [Step]

  /// The maximum number of rows of an entry, so that a legend can be read at a glance.
  static let limit = 24

  /// Creates the steps of the first `step`, `interpolate` or `match` in an expression that reads a
  /// property of the feature; legacy functions of a property count, too.
  init?(of value: PropertyValue, depth: Int = 0) {
    guard depth < 16 else { return nil }
    switch value {
    case .array(let items):
      if let found = Self.curve(items) {
        self = found
        return
      }
      for item in items {
        if let found = LegendSteps(of: item, depth: depth + 1) {
          self = found
          return
        }
      }
      return nil
    case .object(let members):
      guard case .string(let property)? = members["property"],
        case .array(let stops)? = members["stops"]
      else { return nil }
      let inputs = stops.compactMap { stop -> PropertyValue? in
        if case .array(let pair) = stop, pair.count == 2 { pair[0] } else { nil }
      }
      let isInterval = members["type"] == .string("interval")
      let numbers = inputs.compactMap(Self.number)
      if isInterval {
        self.init(property, Self.classes(numbers))
      } else {
        self.init(property, inputs.map { Step(label: Self.text($0), value: $0) })
      }
    default: return nil
    }
  }

  /// Creates the steps of values that an expression compares a property with.
  init(_ property: String, comparedWith values: [PropertyValue]) {
    self.init(property, values.map { Step(label: Self.text($0), value: $0) })
  }

  private init(_ property: String, _ steps: [Step]) {
    self.property = property
    self.steps = Array(steps.prefix(Self.limit))
  }

  private static func curve(_ items: [PropertyValue]) -> LegendSteps? {
    guard case .string(let name)? = items.first else { return nil }
    switch name {
    case "step":
      guard items.count > 2, let property = property(of: items[1]) else { return nil }
      let stops = stride(from: 3, to: items.count - 1, by: 2).compactMap { number(items[$0]) }
      return LegendSteps(property, classes(stops))
    case "interpolate", "interpolate-hcl", "interpolate-lab":
      guard items.count > 3, let property = property(of: items[2]) ?? root(of: items[2])
      else { return nil }
      var stops = stride(from: 3, to: items.count - 1, by: 2).compactMap { number(items[$0]) }
      if root(of: items[2]) != nil { stops = amounts(below: stops.last ?? 0) }
      return LegendSteps(property, stops.map { Step(label: text(.number($0)), value: .number($0)) })
    case "match":
      guard items.count > 3, let property = property(of: items[1]) else { return nil }
      return LegendSteps(property, cases(items))
    default: return nil
    }
  }

  /// Returns half-open classes: below the first stop, between each stop and the next, and from the
  /// last stop on.
  private static func classes(_ stops: [Double]) -> [Step] {
    guard let first = stops.first, let last = stops.last else { return [] }
    var steps = [
      Step(label: "< \(text(.number(first)))", value: .number(first - max(1, abs(first) / 1000)))
    ]
    for (from, to) in zip(stops, stops.dropFirst()) {
      steps.append(
        Step(label: "\(text(.number(from))) – \(text(.number(to)))", value: .number(from)))
    }
    return steps + [Step(label: "≥ \(text(.number(last)))", value: .number(last))]
  }

  /// Returns the property whose root an expression yields, to which areas of circles are in proportion;
  /// `nil` for counts of clusters, which have steps of their own.
  private static func root(of value: PropertyValue) -> String? {
    guard case .array(let items) = value, items.count == 2, items[0] == .string("sqrt"),
      let property = property(of: items[1]), property != "point_count"
    else { return nil }
    return property
  }

  /// Returns three round numbers whose circles can be told apart, ascending.
  ///
  /// - Parameter root: the root of the largest number.
  private static func amounts(below root: Double) -> [Double] {
    guard root > 0, root < 1e100 else { return [] }
    return [20.0, 4, 1].map { part in
      let most = root * root / part
      let unit = pow(10, log10(most).rounded(.down))
      return (most >= 5 * unit ? 5 : most >= 2 * unit ? 2 : 1) * unit
    }
  }

  private static func cases(_ items: [PropertyValue]) -> [Step] {
    var steps: [Step] = []
    var isText = false
    for index in stride(from: 2, to: items.count - 1, by: 2) {
      let labels: [PropertyValue]
      if case .array(let several) = items[index] {
        labels = several
      } else {
        labels = [items[index]]
      }
      guard let first = labels.first else { continue }
      if case .string = first { isText = true }
      let names = labels.prefix(4).map(text).joined(separator: ", ")
      steps.append(Step(label: labels.count > 4 ? names + ", …" : names, value: first))
    }
    steps = Array(steps.prefix(limit - 1))
    // A value that equals no label of the expression, so that the expression takes its fallback.
    let other: PropertyValue = isText ? .string("\u{10FFFF}") : .number(-0x1p52 + 1)
    return steps + [Step(label: "other", value: other)]
  }

  /// Returns the property that an expression yields, possibly through conversions and fallbacks.
  private static func property(of value: PropertyValue) -> String? {
    guard case .array(let items) = value, case .string(let name)? = items.first else { return nil }
    switch name {
    case "get":
      if items.count == 2, case .string(let property) = items[1] { return property }
      return nil
    case "number", "string", "to-number", "to-string", "coalesce":
      return items.count > 1 ? property(of: items[1]) : nil
    // A number where it is one.
    case "case": return items.count == 4 ? property(of: items[2]) : nil
    default: return nil
    }
  }

  private static func number(_ value: PropertyValue) -> Double? {
    if case .number(let number) = value, number.isFinite { number } else { nil }
  }

  /// Returns a value as text for readers: whole numbers get commas between groups of three digits,
  /// and texts over 40 characters are shortened.
  static func text(_ value: PropertyValue) -> String {
    switch value {
    case .null: return "–"
    case .bool(let flag): return flag ? "yes" : "no"
    case .string(let text): return text.count > 40 ? text.prefix(39) + "…" : text
    case .array, .object: return "…"
    case .whole(let whole): return whole.text
    case .number(let number):
      guard let whole = Int(exactly: number) else { return "\(number)" }
      let digits = String(whole.magnitude)
      var grouped = ""
      for (index, digit) in digits.enumerated() {
        if index > 0, (digits.count - index) % 3 == 0 { grouped.append(",") }
        grouped.append(digit)
      }
      return whole < 0 ? "−\(grouped)" : grouped
    }
  }
}
