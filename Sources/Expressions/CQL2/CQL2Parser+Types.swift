/// Type checks of operands, as far as the text determines types.
extension CQL2Parser {
  static func operand(
    _ predicate: any PredicateNode, at place: CQL2Place, isNegated: Bool = false
  ) -> Operand {
    Operand(
      node: ScalarTruth(isNegated ? PredicateNegation(predicate) : predicate), place: place)
  }

  /// Returns the operand as a condition.
  static func predicate(_ operand: Operand) throws(CQL2Error) -> any PredicateNode {
    if let truth = operand.node as? ScalarTruth { return truth.predicate }
    guard operand.node.kind == nil || operand.node.kind == .bool else {
      throw CQL2Error(
        "a condition is expected, but this is \(words(operand)); compare it with something.",
        at: operand.place)
    }
    return PredicateValue(operand.node)
  }

  /// Throws for a comparison whose sides are known to have different types.
  static func requireComparable(_ left: Operand, _ right: Operand) throws(CQL2Error) {
    guard let first = left.node.kind, let second = right.node.kind, first != second else { return }
    let remedy =
      Set([first, second]) == [.text, .instant] ? " Write TIMESTAMP('…') or DATE('…')." : ""
    throw CQL2Error(
      "\(first.rawValue) and \(second.rawValue) cannot be compared.\(remedy)", at: right.place)
  }

  static func requireNumber(_ operand: Operand, for sign: String) throws(CQL2Error) {
    guard operand.node.kind == nil || operand.node.kind == .number else {
      throw CQL2Error(
        "'\(sign)' is for numbers, but this is \(words(operand)).", at: operand.place)
    }
  }

  /// Returns the kind of an operand in words, for messages.
  static func words(_ operand: Operand) -> String { operand.node.kind?.rawValue ?? "a property" }
}
