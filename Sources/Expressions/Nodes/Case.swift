import Features

/// The operator `case`: the output of the first condition that holds.
final class Case: Branching {
  private let branches: [(condition: any Node, output: any Node)]
  private let fallback: any Node
  let type: ExpressionType
  let traits: Traits

  var outputs: [any Node] { branches.map(\.output) + [fallback] }

  var children: [any Node] {
    branches.flatMap { [$0.condition, $0.output] } + [fallback]
  }

  init(
    _ branches: [(condition: any Node, output: any Node)], fallback: any Node, type: ExpressionType
  ) {
    self.branches = branches
    self.fallback = fallback
    self.type = type
    traits = Traits(branches.flatMap { [$0.condition, $0.output] } + [fallback])
  }

  static func parse(_ items: [PropertyValue], _ parser: Parser) -> (any Node)? {
    guard items.count >= 4 else {
      parser.fail("Expected at least 3 arguments, but found only \(items.count - 1).")
      return nil
    }
    guard items.count.isMultiple(of: 2) else {
      parser.fail("Expected an odd number of arguments.")
      return nil
    }
    var type = parser.outputType
    var branches: [(condition: any Node, output: any Node)] = []
    for index in stride(from: 1, to: items.count - 1, by: 2) {
      guard let condition = parser.parse(items, index, as: .boolean),
        let output = parser.parse(items, index + 1, as: type)
      else { return nil }
      branches.append((condition, output))
      type = type ?? output.type
    }
    guard let fallback = parser.parse(items, items.count - 1, as: type) else { return nil }
    return Case(branches, fallback: fallback, type: type ?? fallback.type)
  }

  func chosen(_ context: EvaluationContext) throws(EvaluationError) -> any Node {
    for branch in branches where try branch.condition.bool(context) { return branch.output }
    return fallback
  }
}

extension Parser {
  /// The type that outputs must have, `nil` where the first output decides.
  var outputType: ExpressionType? { expected == .value ? nil : expected }
}
