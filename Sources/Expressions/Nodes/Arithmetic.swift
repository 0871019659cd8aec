import Features
import Platform

/// A function of one number.
final class UnaryMath: Node {
  private let operand: any Node
  private let operation: @Sendable (Double) -> Double
  let traits: Traits
  var type: ExpressionType { .number }
  var children: [any Node] { [operand] }

  init(_ operand: any Node, _ operation: @escaping @Sendable (Double) -> Double) {
    self.operand = operand
    self.operation = operation
    traits = Traits([operand])
  }

  func number(_ context: EvaluationContext) throws(EvaluationError) -> Double {
    operation(try operand.number(context))
  }

  func value(_ context: EvaluationContext) throws(EvaluationError) -> ExpressionValue {
    .number(try number(context))
  }
}

/// A function of two numbers.
final class BinaryMath: Node {
  private let lhs: any Node
  private let rhs: any Node
  private let operation: @Sendable (Double, Double) -> Double
  let traits: Traits
  var type: ExpressionType { .number }
  var children: [any Node] { [lhs, rhs] }

  init(
    _ lhs: any Node, _ rhs: any Node, _ operation: @escaping @Sendable (Double, Double) -> Double
  ) {
    self.lhs = lhs
    self.rhs = rhs
    self.operation = operation
    traits = Traits([lhs, rhs])
  }

  func number(_ context: EvaluationContext) throws(EvaluationError) -> Double {
    operation(try lhs.number(context), try rhs.number(context))
  }

  func value(_ context: EvaluationContext) throws(EvaluationError) -> ExpressionValue {
    .number(try number(context))
  }
}

/// A function of any number of numbers, combined from left to right.
final class VariadicMath: Node {
  private let operands: [any Node]
  private let initial: Double
  private let operation: @Sendable (Double, Double) -> Double
  let traits: Traits
  var type: ExpressionType { .number }
  var children: [any Node] { operands }

  init(
    _ operands: [any Node], from initial: Double,
    _ operation: @escaping @Sendable (Double, Double) -> Double
  ) {
    self.operands = operands
    self.initial = initial
    self.operation = operation
    traits = Traits(operands)
  }

  func number(_ context: EvaluationContext) throws(EvaluationError) -> Double {
    var result = initial
    for operand in operands { result = operation(result, try operand.number(context)) }
    return result
  }

  func value(_ context: EvaluationContext) throws(EvaluationError) -> ExpressionValue {
    .number(try number(context))
  }
}

extension Signatures {
  static let arithmetic: [String: Definition] = {
    var table: [String: Definition] = [
      "-": Definition([
        (.fixed([.number, .number]), { operands, _ in BinaryMath(operands[0], operands[1], -) }),
        (.fixed([.number]), { operands, _ in UnaryMath(operands[0], -) }),
      ])
    ]
    for (name, value) in ["ln2": M_LN2, "pi": Double.pi, "e": M_E] {
      table[name] = Definition { _, _ in Literal(.number(value)) }
    }
    for (name, operation) in unary {
      table[name] = Definition(.number) { operands, _ in UnaryMath(operands[0], operation) }
    }
    for (name, operation) in binary {
      table[name] = Definition(.number, .number) { operands, _ in
        BinaryMath(operands[0], operands[1], operation)
      }
    }
    for (name, fold) in variadic {
      table[name] = Definition([
        (
          .variadic(.number),
          { operands, _ in VariadicMath(operands, from: fold.initial, fold.operation) }
        )
      ])
    }
    return table
  }()

  private static let unary: [String: @Sendable (Double) -> Double] = [
    "sqrt": { $0.squareRoot() },
    "log10": { log10($0) },
    "ln": { log($0) },
    "log2": { log2($0) },
    "sin": { sin($0) },
    "cos": { cos($0) },
    "tan": { tan($0) },
    "asin": { asin($0) },
    "acos": { acos($0) },
    "atan": { atan($0) },
    "abs": { $0.magnitude },
    // Halves round away from zero, unlike in ECMAScript.
    "round": { $0.rounded() },
    "floor": { $0.rounded(.down) },
    "ceil": { $0.rounded(.up) },
  ]

  private static let binary: [String: @Sendable (Double, Double) -> Double] = [
    "/": { $0 / $1 },
    "%": { $0.truncatingRemainder(dividingBy: $1) },
    "^": { raise($0, to: $1) },
  ]

  private typealias Fold = (initial: Double, operation: @Sendable (Double, Double) -> Double)

  private static let variadic: [String: Fold] = [
    "+": (0, { $0 + $1 }),
    "*": (1, { $0 * $1 }),
    "min": (.infinity, { $0.isNaN || $0 < $1 ? $0 : $1 }),
    "max": (-.infinity, { $0.isNaN || $0 > $1 ? $0 : $1 }),
  ]

  /// Raises to a power; 1 to the power of NaN or ±∞ is NaN as in ECMAScript, where C has 1.
  private static func raise(_ base: Double, to exponent: Double) -> Double {
    exponent.isNaN || (exponent.isInfinite && base.magnitude == 1) ? .nan : pow(base, exponent)
  }
}
