import Features
import OrderedCollections

/// The operator `get` with a property's name in the text.
final class PropertyGet: Node {
  let name: String
  let slot: Int
  let traits = Traits([], reading: .feature)
  var type: ExpressionType { .value }

  init(_ name: String, slot: Int) {
    self.name = name
    self.slot = slot
  }

  func value(_ context: EvaluationContext) -> ExpressionValue {
    context.feature?.property(slot).map(ExpressionValue.init) ?? .null
  }

  func number(_ context: EvaluationContext) throws(EvaluationError) -> Double {
    switch context.feature?.property(slot) {
    case .number(let number)?: return number
    case let other: throw .mismatch(expected: .number, found: Self.type(of: other))
    }
  }

  func string(_ context: EvaluationContext) throws(EvaluationError) -> String {
    switch context.feature?.property(slot) {
    case .string(let string)?: return string
    case let other: throw .mismatch(expected: .string, found: Self.type(of: other))
    }
  }

  func text(_ context: EvaluationContext) -> String {
    context.feature?.spelling(slot) ?? value(context).text
  }

  func whole(_ context: EvaluationContext) -> WholeNumber? {
    context.feature?.spelling(slot).flatMap { WholeNumber($0) }
  }

  private static func type(of value: PropertyValue?) -> ExpressionType {
    value.map { ExpressionValue($0).type } ?? .null
  }
}

/// The operator `has` with a property's name in the text.
final class PropertyHas: Node {
  private let slot: Int
  let traits = Traits([], reading: .feature)
  var type: ExpressionType { .boolean }

  init(slot: Int) {
    self.slot = slot
  }

  func bool(_ context: EvaluationContext) -> Bool {
    context.feature?.property(slot) != nil
  }

  func value(_ context: EvaluationContext) -> ExpressionValue { .bool(bool(context)) }
}

/// The operators `get` and `has` for a member of an object, or for a property with a computed name.
final class MemberAccess: Node {
  private let name: any Node
  private let object: any Node
  private let asksPresence: Bool
  let traits: Traits
  var type: ExpressionType { asksPresence ? .boolean : .value }
  var children: [any Node] { [name, object] }

  init(_ name: any Node, of object: any Node, asksPresence: Bool) {
    self.name = name
    self.object = object
    self.asksPresence = asksPresence
    traits = Traits([name, object])
  }

  func value(_ context: EvaluationContext) throws(EvaluationError) -> ExpressionValue {
    let name = try name.string(context)
    let object = try object.value(context)
    guard case .object(let members) = object else {
      throw .mismatch(expected: .object, found: object.type)
    }
    return asksPresence ? .bool(members[name] != nil) : members[name] ?? .null
  }
}

/// An input of the context that is returned unchanged: `geometry-type`, `properties` ….
final class ContextInput: Node {
  private let read: @Sendable (EvaluationContext) -> ExpressionValue
  let type: ExpressionType
  let traits: Traits

  init(
    _ type: ExpressionType, reading inputs: Traits.Inputs,
    _ read: @escaping @Sendable (EvaluationContext) -> ExpressionValue
  ) {
    self.type = type
    self.read = read
    traits = Traits([], reading: inputs)
  }

  func value(_ context: EvaluationContext) -> ExpressionValue { read(context) }
}

/// The operator `id`.
final class FeatureID: Node {
  let traits = Traits([], reading: [.feature, .id])
  var type: ExpressionType { .value }

  func value(_ context: EvaluationContext) -> ExpressionValue {
    context.feature?.id.map(ExpressionValue.init) ?? .null
  }

  func text(_ context: EvaluationContext) -> String {
    context.feature?.idSpelling ?? value(context).text
  }

  func whole(_ context: EvaluationContext) -> WholeNumber? {
    context.feature?.idSpelling.flatMap { WholeNumber($0) }
  }
}

/// The operator `zoom`.
final class Zoom: Node {
  let traits = Traits([], reading: .zoom)
  var type: ExpressionType { .number }

  func number(_ context: EvaluationContext) -> Double { context.zoom }
  func value(_ context: EvaluationContext) -> ExpressionValue { .number(context.zoom) }
}

/// The operator `global-state`: a value that the style sets, fixed at compile time.
final class GlobalState: Node {
  private let state: ExpressionValue
  /// Not folded, so that types are checked as for any value of unknown type.
  let traits = Traits([], reading: .other)
  var type: ExpressionType { .value }

  init(_ state: ExpressionValue) {
    self.state = state
  }

  static func parse(_ items: [PropertyValue], _ parser: Parser) -> (any Node)? {
    guard items.count == 2 else {
      parser.fail("Expected 1 argument, but found \(items.count - 1) instead.")
      return nil
    }
    switch items[1] {
    case .null: parser.fail("Global state property must be defined.")
    case .string(let name):
      return GlobalState(parser.state.globalState[name].map(ExpressionValue.init) ?? .null)
    default:
      parser.fail(
        "Global state property must be string, but found \(items[1].scriptTypeName) instead.")
    }
    return nil
  }

  func value(_ context: EvaluationContext) -> ExpressionValue { state }
}

extension Signatures {
  /// The operators that read the feature and the rest of the context.
  static let inputs: [String: Definition] = [
    "get": access(asksPresence: false),
    "has": access(asksPresence: true),
    "properties": Definition { _, _ in properties() },
    "zoom": Definition { _, _ in Zoom() },
    "id": Definition { _, _ in FeatureID() },
    "geometry-type": Definition { _, _ in
      ContextInput(.string, reading: [.feature, .geometryType]) {
        $0.feature?.geometryType.map(ExpressionValue.string) ?? .null
      }
    },
    "heatmap-density": special(.heatmapDensity, "the color ramp of a heatmap", .number) {
      .number($0.heatmapDensity)
    },
    "line-progress": special(.lineProgress, "the gradient of a line", .number) {
      .number($0.lineProgress)
    },
    "accumulated": special(.accumulated, "the properties of clusters", .value) { $0.accumulated },
    "is-supported-script": Definition(.string) { operands, _ in
      SupportedScript(operands[0])
    },
  ]

  private static func properties() -> any Node {
    ContextInput(.object, reading: [.feature, .allProperties]) {
      ExpressionValue($0.feature?.allProperties ?? .object([:]))
    }
  }

  /// Returns the overloads with a name alone and with a name and an object.
  private static func access(asksPresence: Bool) -> Definition {
    Definition([
      (
        .fixed([.string]),
        { operands, parser in
          guard let literal = operands[0] as? Literal, case .string(let name) = literal.value else {
            return MemberAccess(operands[0], of: properties(), asksPresence: asksPresence)
          }
          let slot = parser.state.properties.slot(name)
          return asksPresence ? PropertyHas(slot: slot) : PropertyGet(name, slot: slot)
        }
      ),
      (
        .fixed([.string, .object]),
        { operands, _ in MemberAccess(operands[0], of: operands[1], asksPresence: asksPresence) }
      ),
    ])
  }

  /// Returns an input that only a few properties have.
  private static func special(
    _ parameter: PropertySpecification.Parameters, _ place: String, _ type: ExpressionType,
    _ read: @escaping @Sendable (EvaluationContext) -> ExpressionValue
  ) -> Definition {
    Definition { _, parser in
      guard parser.state.specification.parameters.contains(parameter) else {
        parser.fail("This input exists only in \(place).", at: 0)
        return nil
      }
      return ContextInput(type, reading: .other, read)
    }
  }
}

/// The operator `is-supported-script`: whether the text can be drawn.
final class SupportedScript: Node {
  private let operand: any Node
  let traits: Traits
  var type: ExpressionType { .boolean }
  var children: [any Node] { [operand] }

  init(_ operand: any Node) {
    self.operand = operand
    traits = Traits([operand], reading: .other)
  }

  func value(_ context: EvaluationContext) throws(EvaluationError) -> ExpressionValue {
    guard let isSupported = context.isSupportedScript else { return .bool(true) }
    return .bool(isSupported(try operand.string(context)))
  }
}
