/// The predicate `IN (…)`: true if the operand equals one of the items; unknown if it equals none
/// but may equal one.
final class MembershipPredicate: PredicateNode {
  let operand: any ScalarNode
  /// The items that are not in one of the sets.
  let items: [any ScalarNode]
  let numbers: Set<Double>
  /// The texts by canonical equivalence, which String compares by and which is coarser than code
  /// units.
  let texts: [String: [String]]
  let inputs: Traits.Inputs

  init(_ operand: any ScalarNode, in list: [any ScalarNode]) {
    self.operand = operand
    var items: [any ScalarNode] = []
    var numbers: Set<Double> = []
    var texts: [String: [String]] = [:]
    for item in list {
      switch (item as? ScalarLiteral)?.literal {
      case .number(let number)?: numbers.insert(number)
      case .text(let text)?: texts[text, default: []].append(text)
      default: items.append(item)
      }
    }
    self.items = items
    self.numbers = numbers
    self.texts = texts
    inputs = list.reduce(into: operand.inputs) { $0.formUnion($1.inputs) }
  }

  /// - Complexity: O(items that are not literals).
  func truth(_ context: EvaluationContext) -> Truth {
    let value = operand.value(context)
    var result = Truth.no
    switch value {
    case nil: return .unknown
    case .number(let number)?:
      if numbers.contains(number) { return .yes }
      if !texts.isEmpty { result = .unknown }
    case .text(let text)?:
      if texts[text]?.contains(where: { CodeUnits.areEqual($0, text) }) == true { return .yes }
      if !numbers.isEmpty { result = .unknown }
    case .instant(let instant)?:
      for text in texts.keys {
        let truth = ScalarComparison.equal.truth(.instant(instant), .text(text))
        if truth == .yes { return .yes }
        if truth == .unknown { result = .unknown }
      }
      if !numbers.isEmpty { result = .unknown }
    case .bool?, .other?: if !numbers.isEmpty || !texts.isEmpty { result = .unknown }
    }
    for item in items {
      let truth = ScalarComparison.equal.truth(value, item.value(context))
      if truth == .yes { return .yes }
      if truth == .unknown { result = .unknown }
    }
    return result
  }
}
