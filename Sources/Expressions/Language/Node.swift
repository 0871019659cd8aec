import Features
import Raster

/// An operation of a compiled expression.
///
/// Nodes are immutable and shared between threads. `value` is the general accessor; `number`,
/// `string`, `bool` and `color` avoid boxing, and a node implements those that fit its type.
protocol Node: AnyObject, Sendable {
  var type: ExpressionType { get }
  var traits: Traits { get }
  /// The operands in the order of the text.
  var children: [any Node] { get }

  func value(_ context: EvaluationContext) throws(EvaluationError) -> ExpressionValue
  func number(_ context: EvaluationContext) throws(EvaluationError) -> Double
  func string(_ context: EvaluationContext) throws(EvaluationError) -> String
  func bool(_ context: EvaluationContext) throws(EvaluationError) -> Bool
  func color(_ context: EvaluationContext) throws(EvaluationError) -> Color

  /// Returns the value as text; a number that a property has unchanged as its field spells it.
  func text(_ context: EvaluationContext) throws(EvaluationError) -> String

  /// Returns the digits of a value that is a whole number beyond ±2⁵³; `nil` for any other value,
  /// and for one that was computed.
  func whole(_ context: EvaluationContext) -> WholeNumber?
}

extension Node {
  var children: [any Node] { [] }

  func text(_ context: EvaluationContext) throws(EvaluationError) -> String {
    try value(context).text
  }

  func whole(_ context: EvaluationContext) -> WholeNumber? { nil }

  func number(_ context: EvaluationContext) throws(EvaluationError) -> Double {
    let value = try value(context)
    guard case .number(let number) = value else {
      throw .mismatch(expected: .number, found: value.type)
    }
    return number
  }

  func string(_ context: EvaluationContext) throws(EvaluationError) -> String {
    let value = try value(context)
    guard case .string(let string) = value else {
      throw .mismatch(expected: .string, found: value.type)
    }
    return string
  }

  func bool(_ context: EvaluationContext) throws(EvaluationError) -> Bool {
    let value = try value(context)
    guard case .bool(let bool) = value else {
      throw .mismatch(expected: .boolean, found: value.type)
    }
    return bool
  }

  func color(_ context: EvaluationContext) throws(EvaluationError) -> Color {
    let value = try value(context)
    guard case .color(let color) = value else {
      throw .mismatch(expected: .color, found: value.type)
    }
    return color
  }
}

/// The inputs that a subtree reads, and its cost.
struct Traits: Sendable {
  struct Inputs: OptionSet, Sendable {
    let rawValue: UInt8
    static let zoom = Inputs(rawValue: 1)
    static let feature = Inputs(rawValue: 2)
    static let id = Inputs(rawValue: 4)
    static let geometryType = Inputs(rawValue: 8)
    static let allProperties = Inputs(rawValue: 16)
    /// Any other input that keeps the value from being computed at compile time.
    static let other = Inputs(rawValue: 32)
    static let geometry = Inputs(rawValue: 64)
    static let images = Inputs(rawValue: 128)
  }

  var inputs: Inputs
  /// The number of nodes to visit when every variable's expression is evaluated again at each use.
  var cost: Int
  /// The deepest nesting of calls during evaluation.
  var height: Int

  static let leaf = Traits(inputs: [], cost: 1, height: 1)

  init(inputs: Inputs, cost: Int, height: Int) {
    self.inputs = inputs
    self.cost = cost
    self.height = height
  }

  /// Combines the traits of a node's operands with the inputs that it reads itself.
  init(_ children: [any Node], reading own: Inputs = []) {
    self = .leaf
    inputs = own
    for child in children {
      inputs.formUnion(child.traits.inputs)
      cost = min(cost &+ child.traits.cost, Self.costLimit)
      height = max(height, child.traits.height + 1)
    }
  }

  /// Maximum cost, far above any style's need; nested `let` doubles the cost at every level.
  static let costLimit = 1_000_000
  /// Maximum recursion depth of evaluation, which fits a thread's smallest usual stack of 512 kB.
  static let heightLimit = 300

  var isConstant: Bool { inputs.isEmpty }
}

/// A value known at compile time.
final class Literal: Node {
  let type: ExpressionType
  let value: ExpressionValue
  let traits = Traits.leaf
  /// The digits of a whole number beyond ±2⁵³, or of those in a list.
  let wholes: [WholeNumber]
  private let number: Double?
  private let color: Color?

  /// Creates the literal of a document's value.
  convenience init(_ json: PropertyValue, type: ExpressionType? = nil) {
    self.init(ExpressionValue(json), type: type, wholes: json.wholes)
  }

  init(_ value: ExpressionValue, type: ExpressionType? = nil, wholes: [WholeNumber] = []) {
    self.value = value
    self.wholes = wholes
    self.type = type ?? value.type
    if case .number(let number) = value { self.number = number } else { number = nil }
    if case .color(let color) = value { self.color = color } else { color = nil }
  }

  func value(_ context: EvaluationContext) -> ExpressionValue { value }

  func text(_ context: EvaluationContext) -> String { whole(context)?.text ?? value.text }

  func whole(_ context: EvaluationContext) -> WholeNumber? { number == nil ? nil : wholes.first }

  func number(_ context: EvaluationContext) throws(EvaluationError) -> Double {
    guard let number else { throw .mismatch(expected: .number, found: value.type) }
    return number
  }

  func color(_ context: EvaluationContext) throws(EvaluationError) -> Color {
    guard let color else { throw .mismatch(expected: .color, found: value.type) }
    return color
  }
}

extension PropertyValue {
  /// The whole numbers beyond ±2⁵³: the value itself, or the items of a list.
  fileprivate var wholes: [WholeNumber] {
    switch self {
    case .whole(let whole): [whole]
    case .array(let items):
      items.compactMap { if case .whole(let whole) = $0 { whole } else { nil } }
    default: []
    }
  }
}
