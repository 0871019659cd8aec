import Features
import TextAnalysis

/// The operators `==`, `!=`, `<`, `>`, `<=` and `>=`, with or without a collator.
final class Comparison: Node {
  enum Operator: String, Sendable {
    case equal = "=="
    case notEqual = "!="
    case less = "<"
    case greater = ">"
    case lessOrEqual = "<="
    case greaterOrEqual = ">="

    var isOrder: Bool { self != .equal && self != .notEqual }
  }

  /// The comparison that applies to operands, as far as their types determine it.
  private enum Mode { case numbers, strings, values }

  let lhs: any Node
  let rhs: any Node
  private let collator: (any Node)?
  private let operation: Operator
  private let mode: Mode
  private let place: ExpressionPlace
  let traits: Traits
  var type: ExpressionType { .boolean }
  var children: [any Node] { [lhs, rhs] + (collator.map { [$0] } ?? []) }

  init(
    _ operation: Operator, _ lhs: any Node, _ rhs: any Node, collator: (any Node)? = nil,
    at place: ExpressionPlace
  ) {
    self.operation = operation
    self.place = place
    self.lhs = lhs
    self.rhs = rhs
    self.collator = collator
    mode =
      switch (lhs.type, rhs.type) {
      case (.number, .number): .numbers
      // A feature without geometry has null for a geometry type, despite the declared type.
      case (.string, .string)
      where !Self.isGeometryType(lhs)
        && !Self.isGeometryType(rhs):
        .strings
      default: .values
      }
    traits = Traits([lhs, rhs] + (collator.map { [$0] } ?? []))
  }

  private static func isGeometryType(_ node: any Node) -> Bool {
    node.traits.inputs.contains(.geometryType)
  }

  func value(_ context: EvaluationContext) throws(EvaluationError) -> ExpressionValue {
    .bool(try bool(context))
  }

  func bool(_ context: EvaluationContext) throws(EvaluationError) -> Bool {
    switch mode {
    case .numbers: return try compareNumbers(lhs.number(context), rhs.number(context), context)
    case .strings:
      let (left, right) = (try lhs.string(context), try rhs.string(context))
      return try compareStrings(left, right, context)
    case .values: return try compareValues(context)
    }
  }

  /// Compares numbers; whole ones that share a Double by their digits, if both have theirs.
  private func compareNumbers(
    _ left: Double, _ right: Double, _ context: EvaluationContext
  ) -> Bool {
    guard left == right, left.isBeyondExactWholes, let left = lhs.whole(context),
      let right = rhs.whole(context)
    else { return holds(left, right) }
    return holds(left, right)
  }

  private func compareStrings(
    _ left: String, _ right: String, _ context: EvaluationContext
  ) throws(EvaluationError) -> Bool {
    if let collator {
      guard case .collator(let collator) = try collator.value(context) else { return false }
      do throws(TextAnalysisError) {
        return holds(try collator.compare(left, right), 0)
      } catch {
        throw .message(error.description)
      }
    }
    switch operation {
    case .equal: return CodeUnits.areEqual(left, right)
    case .notEqual: return !CodeUnits.areEqual(left, right)
    case .less: return CodeUnits.precedes(left, right)
    case .greater: return CodeUnits.precedes(right, left)
    case .lessOrEqual: return !CodeUnits.precedes(right, left)
    case .greaterOrEqual: return !CodeUnits.precedes(left, right)
    }
  }

  private func compareValues(_ context: EvaluationContext) throws(EvaluationError) -> Bool {
    let (left, right) = (try lhs.value(context), try rhs.value(context))
    switch (left, right) {
    case (.string(let left), .string(let right)) where operation.isOrder || collator != nil:
      return try compareStrings(left, right, context)
    case (.number(let left), .number(let right)): return compareNumbers(left, right, context)
    default:
      guard !operation.isOrder else {
        throw .message(
          "Expected arguments for \"\(operation.rawValue)\" to be (string, string) or "
            + "(number, number), but found (\(left.type.kind), \(right.type.kind)) instead.",
          at: place)
      }
      return left.isIdentical(to: right) == (operation == .equal)
    }
  }

  private func holds<Value: Comparable>(_ left: Value, _ right: Value) -> Bool {
    switch operation {
    case .equal: left == right
    case .notEqual: left != right
    case .less: left < right
    case .greater: left > right
    case .lessOrEqual: left <= right
    case .greaterOrEqual: left >= right
    }
  }
}

extension Comparison {
  static func parse(_ name: String, _ items: [PropertyValue], _ parser: Parser) -> (any Node)? {
    guard let operation = Operator(rawValue: name) else { return nil }
    guard items.count == 3 || items.count == 4 else {
      parser.fail("Expected two or three arguments.")
      return nil
    }
    guard var lhs = operand(1, of: operation, items, parser),
      var rhs = operand(2, of: operation, items, parser)
    else { return nil }
    guard lhs.type == rhs.type || lhs.type == .value || rhs.type == .value else {
      parser.fail("Cannot compare types '\(lhs.type.name)' and '\(rhs.type.name)'.")
      return nil
    }
    if operation.isOrder, lhs.type != rhs.type {
      if lhs.type == .value { lhs = Assertion([lhs], type: rhs.type, at: parser.place) }
      if rhs.type == .value { rhs = Assertion([rhs], type: lhs.type, at: parser.place) }
    }
    guard items.count == 4 else { return Comparison(operation, lhs, rhs, at: parser.place) }
    guard [lhs.type, rhs.type].contains(where: { $0 == .string || $0 == .value }) else {
      parser.fail("Cannot use collator to compare non-string types.")
      return nil
    }
    guard let collator = parser.parse(items, 3, as: .collator) else { return nil }
    return Comparison(operation, lhs, rhs, collator: collator, at: parser.place)
  }

  private static func operand(
    _ index: Int, of operation: Operator, _ items: [PropertyValue], _ parser: Parser
  ) -> (any Node)? {
    guard let operand = parser.parse(items, index, as: .value) else { return nil }
    switch operand.type {
    case .string, .number, .value: return operand
    case .boolean where !operation.isOrder, .null where !operation.isOrder: return operand
    default:
      parser.fail(
        "\"\(operation.rawValue)\" comparisons are not supported for type '\(operand.type.name)'.",
        at: index)
      return nil
    }
  }
}
