import Features

/// The literals that an expression compares properties with.
struct SampleInputs {
  private(set) var values: [String: [PropertyValue]] = [:]

  /// Maximum number of literals per property; for a style with more cases the data's own values
  /// serve better.
  static let limit = 64

  static func collect(from root: any Node) -> [String: [PropertyValue]] {
    var specimens = SampleInputs()
    specimens.visit(root)
    return specimens.values
  }

  private mutating func visit(_ node: any Node) {
    switch node {
    case let node as Match: add(node.labels, to: node.input)
    case let node as any Curve:
      add(node.stops.inputs.filter(\.isFinite).map(PropertyValue.number), to: node.input)
    case let node as Comparison:
      add(node.rhs, to: node.lhs)
      add(node.lhs, to: node.rhs)
    case let node as Contains:
      if let literal = node.haystack as? Literal, case .array(let items) = literal.value {
        add(items.map(PropertyValue.init), to: node.needle)
      }
    case let node as any PropertyTest:
      add(node.literals, toProperty: node.propertyName)
    default: break
    }
    for child in node.children { visit(child) }
  }

  private mutating func add(_ literal: any Node, to input: any Node) {
    if let literal = literal as? Literal { add([PropertyValue(literal.value)], to: input) }
  }

  private mutating func add(_ literals: [PropertyValue], to input: any Node) {
    add(literals, toProperty: Self.property(readBy: input))
  }

  private mutating func add(_ literals: [PropertyValue], toProperty name: String?) {
    guard let name else { return }
    var list = values[name] ?? []
    for literal in literals where list.count < Self.limit && !list.contains(literal) {
      list.append(literal)
    }
    values[name] = list
  }

  /// Returns the property that a node yields, possibly through an assertion or a conversion.
  private static func property(readBy node: any Node) -> String? {
    switch node {
    case let node as PropertyGet: node.name
    case let node as Assertion: node.operands.first.flatMap(property)
    case let node as Coercion: node.operands.first.flatMap(property)
    case let node as Variable: property(readBy: node.bound)
    default: nil
    }
  }
}
