import Features

/// The predicate `IN (…)`: true if the operand equals one of the items; unknown if it equals none
/// but may equal one.
final class MembershipPredicate: PredicateNode {
  let operand: any ScalarNode
  /// The items that are not in one of the sets.
  let items: [any ScalarNode]
  let numbers: Set<Double>
  /// The whole numbers beyond ±2⁵³ that are written in digits.
  let wholes: Set<WholeNumber>
  /// The texts by canonical equivalence, which String compares by and which is coarser than code
  /// units.
  let texts: [String: [String]]
  let inputs: Traits.Inputs

  init(_ operand: any ScalarNode, in list: [any ScalarNode]) {
    self.operand = operand
    var items: [any ScalarNode] = []
    var numbers: Set<Double> = []
    var wholes: Set<WholeNumber> = []
    var texts: [String: [String]] = [:]
    for item in list {
      let literal = item as? ScalarLiteral
      switch literal?.literal {
      case .number(let number)?:
        if let digits = literal?.digits { wholes.insert(digits) } else { numbers.insert(number) }
      case .text(let text)?: texts[text, default: []].append(text)
      default: items.append(item)
      }
    }
    self.items = items
    self.numbers = numbers
    self.wholes = wholes
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
      if numbers.contains(number) || containsWhole(number, context) { return .yes }
      if !texts.isEmpty { result = .unknown }
    case .text(let text)?:
      if texts[text]?.contains(where: { CodeUnits.areEqual($0, text) }) == true { return .yes }
      if hasNumbers { result = .unknown }
    case .instant(let instant)?:
      for text in texts.keys {
        let truth = ScalarComparison.equal.truth(.instant(instant), .text(text))
        if truth == .yes { return .yes }
        if truth == .unknown { result = .unknown }
      }
      if hasNumbers { result = .unknown }
    case .bool?, .other?: if hasNumbers || !texts.isEmpty { result = .unknown }
    }
    for item in items {
      let truth = ScalarComparison.equal.truth(
        value, operand, item.value(context), item, context)
      if truth == .yes { return .yes }
      if truth == .unknown { result = .unknown }
    }
    return result
  }

  private var hasNumbers: Bool { !numbers.isEmpty || !wholes.isEmpty }

  /// Whether a number is among ``wholes``: by its digits, or as a Double if it has none.
  private func containsWhole(_ number: Double, _ context: EvaluationContext) -> Bool {
    guard !wholes.isEmpty, number.isBeyondExactWholes else { return false }
    if let whole = operand.whole(context) { return wholes.contains(whole) }
    return wholes.contains { $0.double == number }
  }
}
