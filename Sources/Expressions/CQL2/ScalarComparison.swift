import Calendar
import Features

/// The comparisons `=`, `<>`, `<`, `>`, `<=` and `>=` between two values.
enum ScalarComparison: Sendable {
  case equal, notEqual, less, greater, lessOrEqual, greaterOrEqual

  init?(_ sign: CQL2Token.Sign) {
    switch sign {
    case .equal: self = .equal
    case .notEqual: self = .notEqual
    case .less: self = .less
    case .greater: self = .greater
    case .lessOrEqual: self = .lessOrEqual
    case .greaterOrEqual: self = .greaterOrEqual
    default: return nil
    }
  }

  /// Returns whether the comparison holds; unknown where a value is null or the types differ.
  ///
  /// Texts are compared by code units, as in MapLibre expressions, false is less than true, and a
  /// text beside an instant is parsed as one.
  func truth(_ left: ScalarValue?, _ right: ScalarValue?) -> Truth {
    switch (left, right) {
    case (.number(let left)?, .number(let right)?): truth(left, right)
    case (.text(let left)?, .text(let right)?): truth(left, right)
    case (.bool(let left)?, .bool(let right)?): truth(left ? 1 : 0, right ? 1 : 0)
    case (.instant(let left)?, .instant(let right)?): truth(left, right)
    case (.instant(let left)?, .text(let right)?):
      Instant.parse(right).map { truth(left, $0.instant) } ?? .unknown
    case (.text(let left)?, .instant(let right)?):
      Instant.parse(left).map { truth($0.instant, right) } ?? .unknown
    default: .unknown
    }
  }

  /// Returns whether the comparison of two values holds, as ``truth(_:_:)``; whole numbers that share
  /// a Double are compared by their digits, if both have theirs.
  func truth(
    _ left: any ScalarNode, _ right: any ScalarNode, _ context: EvaluationContext
  ) -> Truth {
    truth(left.value(context), left, right.value(context), right, context)
  }

  /// - Parameters:
  ///   - first: the value of `left`.
  ///   - second: the value of `right`.
  func truth(
    _ first: ScalarValue?, _ left: any ScalarNode, _ second: ScalarValue?, _ right: any ScalarNode,
    _ context: EvaluationContext
  ) -> Truth {
    guard case .number(let one)? = first, case .number(let other)? = second, one == other,
      one.isBeyondExactWholes, let one = left.whole(context), let other = right.whole(context)
    else { return truth(first, second) }
    return truth(one, other)
  }

  private func truth<Value: Comparable>(_ left: Value, _ right: Value) -> Truth {
    switch self {
    case .equal: Truth(left == right)
    case .notEqual: Truth(left != right)
    case .less: Truth(left < right)
    case .greater: Truth(left > right)
    case .lessOrEqual: Truth(left <= right)
    case .greaterOrEqual: Truth(left >= right)
    }
  }

  private func truth(_ left: String, _ right: String) -> Truth {
    switch self {
    case .equal: Truth(CodeUnits.areEqual(left, right))
    case .notEqual: Truth(!CodeUnits.areEqual(left, right))
    case .less: Truth(CodeUnits.precedes(left, right))
    case .greater: Truth(CodeUnits.precedes(right, left))
    case .lessOrEqual: Truth(!CodeUnits.precedes(right, left))
    case .greaterOrEqual: Truth(!CodeUnits.precedes(left, right))
    }
  }
}

/// A predicate that compares two values.
final class ComparisonPredicate: PredicateNode {
  let left: any ScalarNode
  let comparison: ScalarComparison
  let right: any ScalarNode
  let inputs: Traits.Inputs

  init(_ left: any ScalarNode, _ comparison: ScalarComparison, _ right: any ScalarNode) {
    self.left = left
    self.comparison = comparison
    self.right = right
    inputs = left.inputs.union(right.inputs)
  }

  func truth(_ context: EvaluationContext) -> Truth {
    comparison.truth(left, right, context)
  }
}

/// The predicate `BETWEEN … AND …`; both bounds are inclusive.
final class RangePredicate: PredicateNode {
  let operand: any ScalarNode
  let lower: any ScalarNode
  let upper: any ScalarNode
  let inputs: Traits.Inputs

  init(_ operand: any ScalarNode, from lower: any ScalarNode, to upper: any ScalarNode) {
    self.operand = operand
    self.lower = lower
    self.upper = upper
    inputs = operand.inputs.union(lower.inputs).union(upper.inputs)
  }

  func truth(_ context: EvaluationContext) -> Truth {
    let value = operand.value(context)
    let isAbove = ScalarComparison.greaterOrEqual.truth(
      value, operand, lower.value(context), lower, context)
    if isAbove == .no { return .no }
    let isBelow = ScalarComparison.lessOrEqual.truth(
      value, operand, upper.value(context), upper, context)
    if isBelow == .no { return .no }
    return isAbove == .unknown ? .unknown : isBelow
  }
}

/// The predicate `IS NULL`, which is never unknown.
final class NullPredicate: PredicateNode {
  let operand: any ScalarNode
  var inputs: Traits.Inputs { operand.inputs }

  init(_ operand: any ScalarNode) {
    self.operand = operand
  }

  func truth(_ context: EvaluationContext) -> Truth { Truth(operand.value(context) == nil) }
}

/// The predicates `LIKE` and `ILIKE`; unknown where the value is not a text.
final class PatternPredicate: PredicateNode {
  let operand: any ScalarNode
  let pattern: LikePattern
  var inputs: Traits.Inputs { operand.inputs }

  init(_ operand: any ScalarNode, _ pattern: LikePattern) {
    self.operand = operand
    self.pattern = pattern
  }

  func truth(_ context: EvaluationContext) -> Truth {
    guard case .text(let text)? = operand.value(context) else { return .unknown }
    return Truth(pattern.matches(text))
  }
}
