import Platform

/// A chain of `+ - * / % DIV ^` with one precedence, from left to right.
///
/// A chain is one node however long it is, so that evaluation never recurses by its length. The
/// result is unknown if an operand is not a number, for a division by zero, and beyond the range of
/// Double.
final class Calculation: ScalarNode {
  enum Operator: Sendable { case add, subtract, multiply, divide, remainder, quotient, power }

  struct Step: Sendable {
    var operation: Operator
    var operand: any ScalarNode
  }

  private let first: any ScalarNode
  private let steps: [Step]
  let inputs: Traits.Inputs
  var kind: ScalarValue.Kind? { .number }

  init(_ first: any ScalarNode, _ steps: [Step]) {
    self.first = first
    self.steps = steps
    inputs = steps.reduce(into: first.inputs) { $0.formUnion($1.operand.inputs) }
  }

  func value(_ context: EvaluationContext) -> ScalarValue? {
    guard case .number(var result)? = first.value(context) else { return nil }
    for step in steps {
      guard case .number(let operand)? = step.operand.value(context),
        let next = Self.apply(step.operation, result, operand)
      else { return nil }
      result = next
    }
    return .number(result)
  }

  /// Applies an operator; `DIV` and `%` truncate toward zero, so that `a = (a DIV b) * b + a % b`.
  static func apply(_ operation: Operator, _ left: Double, _ right: Double) -> Double? {
    let result: Double
    switch operation {
    case .add: result = left + right
    case .subtract: result = left - right
    case .multiply: result = left * right
    case .divide: result = left / right
    case .remainder: result = left.truncatingRemainder(dividingBy: right)
    case .quotient:
      result = ((left - left.truncatingRemainder(dividingBy: right)) / right).rounded()
    case .power: result = pow(left, right)
    }
    return result.isFinite ? result : nil
  }
}
