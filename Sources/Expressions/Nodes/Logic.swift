/// The operators `all` and `any`; stops at the first operand that decides.
final class Junction: Node {
  private let operands: [any Node]
  /// The operand's value that decides the result: false for `all`, true for `any`.
  private let decisive: Bool
  let traits: Traits
  var type: ExpressionType { .boolean }
  var children: [any Node] { operands }

  init(_ operands: [any Node], decidedBy decisive: Bool) {
    self.operands = operands
    self.decisive = decisive
    traits = Traits(operands)
  }

  func bool(_ context: EvaluationContext) throws(EvaluationError) -> Bool {
    for operand in operands where try operand.bool(context) == decisive { return decisive }
    return !decisive
  }

  func value(_ context: EvaluationContext) throws(EvaluationError) -> ExpressionValue {
    .bool(try bool(context))
  }
}

/// The operator `!`.
final class Not: Node {
  private let operand: any Node
  let traits: Traits
  var type: ExpressionType { .boolean }
  var children: [any Node] { [operand] }

  init(_ operand: any Node) {
    self.operand = operand
    traits = Traits([operand])
  }

  func bool(_ context: EvaluationContext) throws(EvaluationError) -> Bool {
    !(try operand.bool(context))
  }

  func value(_ context: EvaluationContext) throws(EvaluationError) -> ExpressionValue {
    .bool(try bool(context))
  }
}

extension Signatures {
  static let logic: [String: Definition] = [
    "all": junction(decidedBy: false),
    "any": junction(decidedBy: true),
    "!": Definition(.boolean) { operands, _ in Not(operands[0]) },
  ]

  /// Returns two signatures, as in the reference implementation, whose messages name them both.
  private static func junction(decidedBy decisive: Bool) -> Definition {
    let build: Definition.Build = { operands, _ in Junction(operands, decidedBy: decisive) }
    return Definition([(.fixed([.boolean, .boolean]), build), (.variadic(.boolean), build)])
  }
}
