import Calendar
import Features

/// The relations of instants and intervals that CQL2 defines.
///
/// An instant is an interval whose ends are equal. Source: OGC 21-065, requirements class "Temporal
/// Functions", whose definitions are Allen's (Communications of the ACM 26 (1983), 832).
enum TemporalRelation: String, CaseIterable, Sendable {
  case after = "T_AFTER"
  case before = "T_BEFORE"
  case contains = "T_CONTAINS"
  case disjoint = "T_DISJOINT"
  case during = "T_DURING"
  case equals = "T_EQUALS"
  case finishedBy = "T_FINISHEDBY"
  case finishes = "T_FINISHES"
  case intersects = "T_INTERSECTS"
  case meets = "T_MEETS"
  case metBy = "T_METBY"
  case overlappedBy = "T_OVERLAPPEDBY"
  case overlaps = "T_OVERLAPS"
  case startedBy = "T_STARTEDBY"
  case starts = "T_STARTS"

  func holds(_ a: ClosedRange<Instant>, _ b: ClosedRange<Instant>) -> Bool {
    switch self {
    case .after: a.lowerBound > b.upperBound
    case .before: a.upperBound < b.lowerBound
    case .contains: a.lowerBound < b.lowerBound && a.upperBound > b.upperBound
    case .disjoint: !a.overlaps(b)
    case .during: a.lowerBound > b.lowerBound && a.upperBound < b.upperBound
    case .equals: a == b
    case .finishedBy: a.lowerBound < b.lowerBound && a.upperBound == b.upperBound
    case .finishes: a.lowerBound > b.lowerBound && a.upperBound == b.upperBound
    case .intersects: a.overlaps(b)
    case .meets: a.upperBound == b.lowerBound
    case .metBy: a.lowerBound == b.upperBound
    case .overlappedBy:
      a.lowerBound > b.lowerBound && a.lowerBound < b.upperBound && a.upperBound > b.upperBound
    case .overlaps:
      a.lowerBound < b.lowerBound && a.upperBound > b.lowerBound && a.upperBound < b.upperBound
    case .startedBy: a.lowerBound == b.lowerBound && a.upperBound > b.upperBound
    case .starts: a.lowerBound == b.lowerBound && a.upperBound < b.upperBound
    }
  }
}

/// An operand of a temporal relation: two instants, or the same one twice.
struct TemporalOperand: Sendable {
  /// The start; `nil` for the open end `'..'`.
  var start: (any ScalarNode)?
  var end: (any ScalarNode)?

  var inputs: Traits.Inputs {
    (start?.inputs ?? []).union(end?.inputs ?? [])
  }

  /// Returns the interval, `nil` where an end is not an instant or the ends are in the wrong order.
  func range(_ context: EvaluationContext) -> ClosedRange<Instant>? {
    guard let lower = Self.instant(start, context, open: .distantPast),
      let upper = Self.instant(end, context, open: .distantFuture), lower <= upper
    else { return nil }
    return lower...upper
  }

  private static func instant(
    _ node: (any ScalarNode)?, _ context: EvaluationContext, open: Instant
  ) -> Instant? {
    guard let node else { return open }
    return switch node.value(context) {
    case .instant(let instant)?: instant
    case .text(let text)?: Instant.parse(text)?.instant
    default: nil
    }
  }
}

/// A temporal predicate; unknown where an operand is null or not an instant.
final class TemporalPredicate: PredicateNode {
  private let relation: TemporalRelation
  let left: TemporalOperand
  let right: TemporalOperand
  let inputs: Traits.Inputs

  init(_ relation: TemporalRelation, _ left: TemporalOperand, _ right: TemporalOperand) {
    self.relation = relation
    self.left = left
    self.right = right
    inputs = left.inputs.union(right.inputs)
  }

  func truth(_ context: EvaluationContext) -> Truth {
    guard let left = left.range(context), let right = right.range(context) else { return .unknown }
    return Truth(relation.holds(left, right))
  }
}
