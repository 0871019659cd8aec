import Features
import Platform

/// Values: sums, products, powers, literals, properties.
extension CQL2Parser {
  /// Parses `a + b - c`.
  mutating func sum() throws(CQL2Error) -> Operand {
    try chain(
      { parser in
        switch parser.token.kind {
        case .sign(.plus): .add
        case .sign(.minus): .subtract
        default: nil
        }
      },
      { parser throws(CQL2Error) in try parser.product() })
  }

  /// Parses `a * b / c`, with `%` and `DIV`.
  private mutating func product() throws(CQL2Error) -> Operand {
    try chain(
      { parser in
        switch parser.token.kind {
        case .sign(.times): .multiply
        case .sign(.divide): .divide
        case .sign(.remainder): .remainder
        default: parser.token.keyword == "DIV" ? .quotient : nil
        }
      },
      { parser throws(CQL2Error) in try parser.power() })
  }

  private mutating func chain(
    _ operation: (CQL2Parser) -> Calculation.Operator?,
    _ rule: (inout CQL2Parser) throws(CQL2Error) -> Operand
  ) throws(CQL2Error) -> Operand {
    let first = try rule(&self)
    var steps: [Calculation.Step] = []
    while let next = operation(self) {
      let sign = token
      advance()
      let operand = try rule(&self)
      try Self.requireNumber(first, for: sign.spelling)
      try Self.requireNumber(operand, for: sign.spelling)
      steps.append(Calculation.Step(operation: next, operand: operand.node))
    }
    if steps.isEmpty { return first }
    return Operand(node: Calculation(first.node, steps), place: first.place)
  }

  /// Parses `a ^ b`; `a ^ b ^ c` is `a ^ (b ^ c)`, and a sign binds more tightly: `-2 ^ 2` is 4.
  private mutating func power() throws(CQL2Error) -> Operand {
    let base = try signed()
    guard take(.power) else { return base }
    let exponent = try nested { parser throws(CQL2Error) in try parser.power() }
    try Self.requireNumber(base, for: "^")
    try Self.requireNumber(exponent, for: "^")
    let step = Calculation.Step(operation: .power, operand: exponent.node)
    return Operand(node: Calculation(base.node, [step]), place: base.place)
  }

  private mutating func signed() throws(CQL2Error) -> Operand {
    let place = token.place
    let isNegative = token.kind == .sign(.minus)
    guard take(.minus) || take(.plus) else { return try primary() }
    let operand = try nested { parser throws(CQL2Error) in try parser.signed() }
    try Self.requireNumber(operand, for: isNegative ? "-" : "+")
    if !isNegative { return Operand(node: operand.node, place: place) }
    if let literal = operand.node as? ScalarLiteral, case .number(let number) = literal.literal {
      let negated = ScalarLiteral(.number(-number), digits: literal.digits.map { -$0 })
      return Operand(node: negated, place: place)
    }
    let step = Calculation.Step(operation: .subtract, operand: operand.node)
    return Operand(node: Calculation(ScalarLiteral(.number(0)), [step]), place: place)
  }

  private mutating func primary() throws(CQL2Error) -> Operand {
    let start = token
    switch start.kind {
    case .number(let number): return literal(.number(number))
    case .whole(let whole): return literal(.number(whole.double), digits: whole)
    case .text(let text): return literal(.text(text))
    case .quotedName(let name):
      advance()
      return property(name, at: start.place)
    case .word(let word): return try self.word(word)
    case .sign(.openParenthesis):
      advance()
      let inner = try nested { parser throws(CQL2Error) in try parser.condition() }
      guard take(.closeParenthesis) else { throw expected("AND, OR or ')'") }
      return Operand(node: inner.node, place: start.place)
    case .sign(.openBracket):
      throw CQL2Error("lists of values in brackets are not supported.", at: start.place)
    case .sign, .end: throw expected("a property or a value")
    }
  }

  private mutating func literal(_ value: ScalarValue, digits: WholeNumber? = nil) -> Operand {
    let place = token.place
    advance()
    return Operand(node: ScalarLiteral(value, digits: digits), place: place)
  }

  private mutating func property(_ name: String, at place: CQL2Place) -> Operand {
    Operand(node: ScalarProperty(slot: properties.slot(name)), place: place)
  }

  private static let reserved = ["AND", "OR", "NOT", "IN", "LIKE", "ILIKE", "BETWEEN", "IS"]

  private mutating func word(_ word: String) throws(CQL2Error) -> Operand {
    let start = token
    let capitals = word.uppercased()
    if following.kind == .sign(.openParenthesis), !Self.reserved.contains(capitals) {
      return try call(capitals, named: word)
    }
    switch capitals {
    case "TRUE": return literal(.bool(true))
    case "FALSE": return literal(.bool(false))
    case "NULL":
      throw CQL2Error(
        "nothing is equal to NULL; write 'IS NULL' or 'IS NOT NULL'.", at: start.place)
    case _ where Self.reserved.contains(capitals):
      throw CQL2Error(
        "a property or a value is expected, but found \(start.words); put a property of that name "
          + "in double quotes.", at: start.place)
    default: break
    }
    advance()
    let isGeometry = capitals == "GEOMETRY" || capitals == "GEOM"
    if isGeometry, token.keyword == "IS" {
      return Operand(node: ScalarGeometry(), place: start.place)
    }
    return property(word, at: start.place)
  }
}

extension CQL2Token {
  /// The operator as it is spelled.
  fileprivate var spelling: String {
    if case .sign(let sign) = kind { sign.rawValue } else { keyword ?? "" }
  }
}

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
  var operands: [any ScalarNode] { [first] + steps.map(\.operand) }

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
