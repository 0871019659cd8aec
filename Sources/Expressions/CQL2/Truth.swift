/// The three truth values of Kleene's logic; a comparison with null is unknown.
enum Truth: Sendable {
  case no, yes, unknown

  init(_ bool: Bool) {
    self = bool ? .yes : .no
  }

  static prefix func ! (operand: Truth) -> Truth {
    switch operand {
    case .no: .yes
    case .yes: .no
    case .unknown: .unknown
    }
  }
}

/// A part of a CQL2 filter that is true, false or unknown.
protocol PredicateNode: AnyObject, Sendable {
  var inputs: Traits.Inputs { get }
  func truth(_ context: EvaluationContext) -> Truth
}

/// `AND` or `OR` of two or more operands; stops at the first that decides.
final class PredicateJunction: PredicateNode {
  let operands: [any PredicateNode]
  /// The operand's value that decides the result: no for `AND`, yes for `OR`.
  let decisive: Truth
  let inputs: Traits.Inputs

  init(_ operands: [any PredicateNode], decidedBy decisive: Truth) {
    self.operands = operands
    self.decisive = decisive
    inputs = operands.reduce(into: []) { $0.formUnion($1.inputs) }
  }

  func truth(_ context: EvaluationContext) -> Truth {
    var result = !decisive
    for operand in operands {
      let truth = operand.truth(context)
      if truth == decisive { return decisive }
      if truth == .unknown { result = .unknown }
    }
    return result
  }
}

/// `NOT`, which leaves unknown unknown.
final class PredicateNegation: PredicateNode {
  let operand: any PredicateNode
  var inputs: Traits.Inputs { operand.inputs }

  init(_ operand: any PredicateNode) {
    self.operand = operand
  }

  func truth(_ context: EvaluationContext) -> Truth { !operand.truth(context) }
}

/// A Boolean value as a condition: `TRUE`, or a property of that type.
final class PredicateValue: PredicateNode {
  let operand: any ScalarNode
  var inputs: Traits.Inputs { operand.inputs }

  init(_ operand: any ScalarNode) {
    self.operand = operand
  }

  func truth(_ context: EvaluationContext) -> Truth {
    guard case .bool(let bool)? = operand.value(context) else { return .unknown }
    return Truth(bool)
  }
}

/// A CQL2 filter as a node for the evaluator of expressions: records for which it is unknown do not
/// pass.
final class PredicateRoot: Node {
  let predicate: any PredicateNode
  let traits: Traits
  var type: ExpressionType { .boolean }

  init(_ predicate: any PredicateNode) {
    self.predicate = predicate
    traits = Traits([], reading: predicate.inputs)
  }

  func bool(_ context: EvaluationContext) -> Bool { predicate.truth(context) == .yes }
  func value(_ context: EvaluationContext) -> ExpressionValue { .bool(bool(context)) }
}
