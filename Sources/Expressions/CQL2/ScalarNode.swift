import Calendar
import Features

/// A value in the evaluation of CQL2; null and failed computations are `nil` instead.
enum ScalarValue: Sendable {
  case bool(Bool)
  case number(Double)
  case text(String)
  case instant(Instant)
  /// A list or an object of a GeoJSON property: not null, but not comparable with anything.
  case other

  /// The type of a value, as far as the text of the filter determines it.
  enum Kind: String, Sendable {
    case bool = "a truth value"
    case number = "a number"
    case text = "a text"
    case instant = "an instant"
  }
}

/// A part of a CQL2 filter with a value.
protocol ScalarNode: AnyObject, Sendable {
  /// The type of the value if it is not null; `nil` where it depends on the record.
  var kind: ScalarValue.Kind? { get }
  var inputs: Traits.Inputs { get }
  func value(_ context: EvaluationContext) -> ScalarValue?

  /// Returns the digits of a value that is a whole number beyond ±2⁵³; `nil` for any other value,
  /// and for one that was computed.
  func whole(_ context: EvaluationContext) -> WholeNumber?
}

extension ScalarNode {
  func whole(_ context: EvaluationContext) -> WholeNumber? { nil }
}

/// A property of the record.
final class ScalarProperty: ScalarNode {
  let slot: Int
  var kind: ScalarValue.Kind? { nil }
  var inputs: Traits.Inputs { .feature }

  init(slot: Int) {
    self.slot = slot
  }

  func value(_ context: EvaluationContext) -> ScalarValue? {
    switch context.feature?.property(slot) {
    case nil, .null?: nil
    case .bool(let bool)?: .bool(bool)
    case .number(let number)?: .number(number)
    case .string(let text)?: .text(text)
    case .whole(let whole)?: .number(whole.double)
    case .array?, .object?: .other
    }
  }

  func whole(_ context: EvaluationContext) -> WholeNumber? {
    context.feature?.spelling(slot).flatMap { WholeNumber($0) }
  }
}

/// A literal in the text.
final class ScalarLiteral: ScalarNode {
  let literal: ScalarValue
  /// The digits of a whole number beyond ±2⁵³.
  let digits: WholeNumber?
  var inputs: Traits.Inputs { [] }

  init(_ literal: ScalarValue, digits: WholeNumber? = nil) {
    self.literal = literal
    self.digits = digits
  }

  func whole(_ context: EvaluationContext) -> WholeNumber? { digits }

  var kind: ScalarValue.Kind? {
    switch literal {
    case .bool: .bool
    case .number: .number
    case .text: .text
    case .instant: .instant
    case .other: nil
    }
  }

  func value(_ context: EvaluationContext) -> ScalarValue? { literal }
}

/// The truth of a predicate as a value, for `(a > 1) = TRUE`.
final class ScalarTruth: ScalarNode {
  let predicate: any PredicateNode
  var kind: ScalarValue.Kind? { .bool }
  var inputs: Traits.Inputs { predicate.inputs }

  init(_ predicate: any PredicateNode) {
    self.predicate = predicate
  }

  func value(_ context: EvaluationContext) -> ScalarValue? {
    switch predicate.truth(context) {
    case .no: .bool(false)
    case .yes: .bool(true)
    case .unknown: nil
    }
  }
}

/// The functions `CASEI` and `ACCENTI`.
final class ScalarFolding: ScalarNode {
  private let operand: any ScalarNode
  private let folding: TextFolding
  var kind: ScalarValue.Kind? { .text }
  var inputs: Traits.Inputs { operand.inputs }

  init(_ operand: any ScalarNode, _ folding: TextFolding) {
    self.operand = operand
    self.folding = folding
  }

  func value(_ context: EvaluationContext) -> ScalarValue? {
    guard case .text(let text)? = operand.value(context) else { return nil }
    return .text(folding.fold(text))
  }
}
