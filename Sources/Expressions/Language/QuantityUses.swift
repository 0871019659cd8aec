package import Features

/// The properties that an expression uses as numbers or times, each with the strictest of its uses.
///
/// A property whose type the expression tests with `typeof` is left out, since it expects other
/// values.
struct QuantityUses {
  private var uses: [String: QuantityUse] = [:]
  private var examined: Set<String> = []

  /// - Parameter result: the use of the expression's own value as a number; `nil` for none.
  static func collect(from root: any Node, result: QuantityUse? = nil) -> [String: QuantityUse] {
    var found = QuantityUses()
    if let result { found.add(root, result) }
    found.visit(root)
    return found.uses.filter { !found.examined.contains($0.key) }
  }

  private mutating func visit(_ node: any Node) {
    switch node {
    case let node as Assertion where node.type == .number:
      // Further operands are the author's fallback for other values.
      for operand in node.operands { add(operand, node.operands.count > 1 ? .equality : .value) }
    case let node as Coercion where node.type == .number:
      for operand in node.operands {
        add(operand, node.operands.count > 1 ? .equality : .conversion)
      }
    case let node as Comparison:
      if node.lhs.type == .number { add(node.rhs, .equality) }
      if node.rhs.type == .number { add(node.lhs, .equality) }
    case let node as Match where node.labels.contains(where: \.isNumber):
      add(node.input, .equality)
    case let node as Contains:
      if let literal = node.haystack as? Literal, case .array(let items) = literal.value,
        items.contains(where: { $0.type == .number })
      {
        add(node.needle, .equality)
      }
    case let node as Call where node.asksType:
      for operand in node.children { examined.formUnion(Self.properties(readBy: operand)) }
    case let node as FilterComparison where node.literals.contains(where: \.isNumber):
      if let name = node.propertyName { add(name, node.isOrder ? .value : .equality) }
    case let node as FilterMembership where node.literals.contains(where: \.isNumber):
      if let name = node.propertyName { add(name, .equality) }
    default: break
    }
    for child in node.children { visit(child) }
  }

  private mutating func add(_ operand: any Node, _ use: QuantityUse) {
    for name in Self.properties(readBy: operand) { add(name, use) }
  }

  private mutating func add(_ name: String, _ use: QuantityUse) {
    uses[name] = max(uses[name] ?? use, use)
  }

  /// Returns the properties one of whose values a node may yield unchanged.
  private static func properties(readBy node: any Node) -> [String] {
    switch node {
    case let node as PropertyGet: [node.name]
    case let node as Variable: properties(readBy: node.bound)
    case let node as Let: properties(readBy: node.result)
    case let node as Coalesce: node.children.flatMap(properties)
    case let node as any Branching: node.outputs.flatMap(properties)
    default: []
    }
  }
}

extension QuantityUses {
  /// Returns the uses of a CQL2 filter.
  ///
  /// - Parameter names: the properties by slot.
  static func collect(from predicate: any PredicateNode, names: [String]) -> [String: QuantityUse] {
    var found = QuantityUses()
    found.visit(predicate, names)
    return found.uses
  }

  private mutating func visit(_ predicate: any PredicateNode, _ names: [String]) {
    switch predicate {
    case let junction as PredicateJunction:
      for operand in junction.operands { visit(operand, names) }
    case let negation as PredicateNegation: visit(negation.operand, names)
    case let comparison as ComparisonPredicate:
      let sides = [comparison.left, comparison.right]
      if sides.contains(where: { $0.kind == .instant }) {
        add(sides, .time, names, isNumeric: true)
      } else {
        add(sides, comparison.comparison.isEquality ? .equality : .value, names)
      }
    case let range as RangePredicate:
      let parts = [range.operand, range.lower, range.upper]
      let isTime = parts.contains { $0.kind == .instant }
      add(parts, isTime ? .time : .value, names, isNumeric: isTime)
    case let relation as TemporalPredicate:
      let ends = [relation.left, relation.right].flatMap { [$0.start, $0.end] }
      add(ends.compactMap(\.self), .time, names, isNumeric: true)
    case let membership as MembershipPredicate:
      add(
        [membership.operand] + membership.items, .equality, names,
        isNumeric: !membership.numbers.isEmpty || !membership.wholes.isEmpty)
    case let value as PredicateValue: visit(value.operand, names)
    default: break
    }
  }

  /// Adds the properties among values that are compared with each other, if one is a number.
  private mutating func add(
    _ values: [any ScalarNode], _ use: QuantityUse, _ names: [String], isNumeric: Bool = false
  ) {
    let isNumeric = isNumeric || values.contains { $0.kind == .number }
    for value in values {
      if isNumeric, let property = value as? ScalarProperty, names.indices.contains(property.slot) {
        add(names[property.slot], use)
      }
      visit(value, names)
    }
  }

  /// Adds the operands of calculations.
  private mutating func visit(_ value: any ScalarNode, _ names: [String]) {
    switch value {
    case let calculation as Calculation: add(calculation.operands, .value, names, isNumeric: true)
    case let truth as ScalarTruth: visit(truth.predicate, names)
    default: break
    }
  }
}

extension PropertyValue {
  fileprivate var isNumber: Bool { double != nil }
}

extension CompiledExpression {
  /// Returns the properties that the expression uses as numbers.
  ///
  /// - Parameter result: the use of its own value as a number; `nil` for none.
  package func quantityUses(ofResult result: QuantityUse? = nil) -> [String: QuantityUse] {
    QuantityUses.collect(from: root, result: result)
  }
}

extension CompiledFilter {
  /// The properties that the filter uses as numbers.
  package var quantityUses: [String: QuantityUse] {
    guard let predicate = (root as? PredicateRoot)?.predicate else {
      return QuantityUses.collect(from: root)
    }
    return QuantityUses.collect(from: predicate, names: propertyNames)
  }
}
