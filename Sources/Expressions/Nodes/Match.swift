import Features

/// The operator `match`: the output whose labels contain the input.
final class Match: Branching {
  let input: any Node
  private let results: [any Node]
  private let fallback: any Node
  /// The index of the output by label; one of the two tables is empty.
  private let numbers: [Double: Int]
  private let strings: [String: Int]
  /// All labels in the order of the text.
  let labels: [PropertyValue]
  let type: ExpressionType
  let traits: Traits

  var outputs: [any Node] { results + [fallback] }
  var children: [any Node] { [input] + outputs }

  private init(
    _ input: any Node, _ cases: Cases, fallback: any Node, type: ExpressionType
  ) {
    self.input = input
    results = cases.outputs
    self.fallback = fallback
    numbers = cases.numbers
    strings = cases.strings
    labels = cases.labels
    self.type = type
    traits = Traits([input] + cases.outputs + [fallback])
  }

  /// The labels and outputs read so far.
  private struct Cases {
    var outputs: [any Node] = []
    var numbers: [Double: Int] = [:]
    var strings: [String: Int] = [:]
    var labels: [PropertyValue] = []
    var inputType: ExpressionType?

    /// Adds a label for the next output; returns its error, if there is one.
    mutating func add(_ label: PropertyValue) -> String? {
      let type: ExpressionType
      switch label {
      case .number(let number):
        guard number.magnitude <= 9_007_199_254_740_991 else {
          return "Branch labels must be integers no larger than 9007199254740991."
        }
        guard number == number.rounded(.down) else {
          return "Numeric branch labels must be integer values."
        }
        type = .number
      case .whole: return "Branch labels must be integers no larger than 9007199254740991."
      case .string: type = .string
      default: return "Branch labels must be numbers or strings."
      }
      if let inputType {
        if let message = inputType.mismatch(type) { return message }
      } else {
        inputType = type
      }
      let isTaken: Bool
      switch label {
      case .number(let number): isTaken = numbers.updateValue(outputs.count, forKey: number) != nil
      case .string(let string): isTaken = strings.updateValue(outputs.count, forKey: string) != nil
      default: isTaken = false
      }
      if isTaken { return "Branch labels must be unique." }
      labels.append(label)
      return nil
    }
  }

  static func parse(_ items: [PropertyValue], _ parser: Parser) -> (any Node)? {
    guard items.count >= 5 else {
      parser.fail("Expected at least 4 arguments, but found only \(items.count - 1).")
      return nil
    }
    guard !items.count.isMultiple(of: 2) else {
      parser.fail("Expected an even number of arguments.")
      return nil
    }
    var type = parser.outputType
    var cases = Cases()
    for index in stride(from: 2, to: items.count - 1, by: 2) {
      let labels: [PropertyValue]
      if case .array(let list) = items[index] { labels = list } else { labels = [items[index]] }
      guard !labels.isEmpty else {
        parser.fail("Expected at least one branch label.", at: index)
        return nil
      }
      for label in labels {
        if let message = cases.add(label) {
          parser.fail(message, at: index)
          return nil
        }
      }
      guard let output = parser.parse(items, index + 1, as: type, reportedAs: index) else {
        return nil
      }
      type = type ?? output.type
      cases.outputs.append(output)
    }
    guard let input = parser.parse(items, 1, as: .value),
      let fallback = parser.parse(items, items.count - 1, as: type)
    else { return nil }
    if input.type != .value, let message = cases.inputType?.mismatch(input.type) {
      parser.fail(message, at: 1)
      return nil
    }
    return Match(input, cases, fallback: fallback, type: type ?? fallback.type)
  }

  func chosen(_ context: EvaluationContext) throws(EvaluationError) -> any Node {
    switch try input.value(context) {
    case .number(let number): numbers[number].map { results[$0] } ?? fallback
    case .string(let string): strings[string].map { results[$0] } ?? fallback
    default: fallback
    }
  }
}
