import Features

/// A test of a legacy filter, which reads one property, the id or the geometry's type.
protocol PropertyTest: Node {
  /// The name of the property; `nil` where the subject is the id or the geometry's type.
  var propertyName: String? { get }
  var literals: [PropertyValue] { get }
}

/// The subject of a legacy filter's test.
enum FilterSubject: Sendable {
  case property(name: String, slot: Int)
  case id
  case geometryType

  var inputs: Traits.Inputs {
    switch self {
    case .property: .feature
    case .id: [.feature, .id]
    case .geometryType: [.feature, .geometryType]
    }
  }

  var name: String? { if case .property(let name, _) = self { name } else { nil } }

  func value(_ context: EvaluationContext) -> PropertyValue? {
    switch self {
    case .property(_, let slot): return context.feature?.property(slot)
    // A missing id and null are equal to MapLibre, unlike a missing property and null.
    case .id: return context.feature?.id ?? .null
    case .geometryType:
      guard let type = context.feature?.geometryType else { return nil }
      // Legacy filters do not distinguish Multi types, the only ones that begin with M.
      return .string(type.utf8.first == UInt8(ascii: "M") ? String(type.dropFirst(5)) : type)
    }
  }
}

extension FilterSubject {
  /// Returns the digits of a whole number beyond ±2⁵³; `nil` for any other value.
  func whole(_ context: EvaluationContext) -> WholeNumber? {
    let spelling =
      switch self {
      case .property(_, let slot): context.feature?.spelling(slot)
      case .id: context.feature?.idSpelling
      case .geometryType: String?.none
      }
    return spelling.flatMap { WholeNumber($0) }
  }
}

/// `==`, `<`, `>`, `<=`, `>=` of a legacy filter; false where the types differ.
final class FilterComparison: PropertyTest {
  private let subject: FilterSubject
  private let literal: PropertyValue
  private let operation: Comparison.Operator
  let traits: Traits
  var type: ExpressionType { .boolean }
  var propertyName: String? { subject.name }
  var literals: [PropertyValue] { [literal] }
  /// Whether the test is for order rather than equality.
  var isOrder: Bool { operation.isOrder }

  init(_ subject: FilterSubject, _ operation: Comparison.Operator, _ literal: PropertyValue) {
    self.subject = subject
    self.operation = operation
    self.literal = literal
    traits = Traits([], reading: subject.inputs)
  }

  func bool(_ context: EvaluationContext) -> Bool {
    switch (subject.value(context), literal) {
    case (.number(let value)?, .number(let literal)):
      holds(value < literal, value == literal, value > literal)
    case (.number(let value)?, .whole(let literal)):
      if let value = subject.whole(context) {
        holds(value < literal, value == literal, value > literal)
      } else {
        holds(value < literal.double, value == literal.double, value > literal.double)
      }
    case (.string(let value)?, .string(let literal)):
      holds(
        CodeUnits.precedes(value, literal), CodeUnits.areEqual(value, literal),
        CodeUnits.precedes(literal, value))
    case (.bool(let value)?, .bool(let literal)):
      holds(!value && literal, value == literal, value && !literal)
    case (.null?, .null): holds(false, true, false)
    default: false
    }
  }

  /// Compares only as far as the operator requires: most filters compare for equality.
  private func holds(
    _ isLess: @autoclosure () -> Bool, _ isEqual: @autoclosure () -> Bool,
    _ isGreater: @autoclosure () -> Bool
  ) -> Bool {
    switch operation {
    case .equal: isEqual()
    case .notEqual: !isEqual()
    case .less: isLess()
    case .greater: isGreater()
    case .lessOrEqual: isLess() || isEqual()
    case .greaterOrEqual: isGreater() || isEqual()
    }
  }

  func value(_ context: EvaluationContext) -> ExpressionValue { .bool(bool(context)) }
}

/// `in` of a legacy filter.
final class FilterMembership: PropertyTest {
  private let subject: FilterSubject
  let literals: [PropertyValue]
  private let set: Set<PropertyValue>
  let traits: Traits
  var type: ExpressionType { .boolean }
  var propertyName: String? { subject.name }

  init(_ subject: FilterSubject, in literals: [PropertyValue]) {
    self.subject = subject
    self.literals = literals
    set = Set(literals)
    traits = Traits([], reading: subject.inputs)
  }

  func bool(_ context: EvaluationContext) -> Bool {
    guard let value = subject.value(context) else { return false }
    if set.contains(value) { return true }
    guard case .number(let number) = value, number.isBeyondExactWholes else { return false }
    if let whole = subject.whole(context) { return set.contains(.whole(whole)) }
    return literals.contains { $0.double == number }
  }

  func value(_ context: EvaluationContext) -> ExpressionValue { .bool(bool(context)) }
}

/// `has` of a legacy filter.
final class FilterPresence: PropertyTest {
  private let subject: FilterSubject
  let traits: Traits
  var type: ExpressionType { .boolean }
  var propertyName: String? { subject.name }
  var literals: [PropertyValue] { [] }

  init(_ subject: FilterSubject) {
    self.subject = subject
    traits = Traits([], reading: subject.inputs)
  }

  func bool(_ context: EvaluationContext) -> Bool {
    switch (subject, subject.value(context)) {
    // To MapLibre, every feature has a type.
    case (.geometryType, _): true
    case (.id, .null?), (_, nil): false
    default: true
    }
  }

  func value(_ context: EvaluationContext) -> ExpressionValue { .bool(bool(context)) }
}
