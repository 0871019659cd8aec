import Features

/// The operator `semiliteral`: a list whose items are expressions. Any other operand is taken as
/// `literal` takes it.
final class Semiliteral: Node {
  let children: [any Node]
  let type: ExpressionType
  let traits: Traits

  init(_ items: [any Node]) {
    children = items
    traits = Traits(items)
    // Lists of lists have items of any type, as in MapLibre, which compares types by identity.
    let item = items.first?.type ?? .value
    let isUniform = items.count < 2 || !item.isArray && items.allSatisfy { $0.type == item }
    type = .array(of: isUniform ? item : .value, count: items.count)
  }

  static func parse(_ items: [PropertyValue], _ parser: Parser) -> (any Node)? {
    guard items.count == 2 else {
      parser.fail(
        "'semiliteral' expression requires exactly one argument, but found \(items.count - 1) "
          + "instead.")
      return nil
    }
    guard case .array(let members) = items[1] else { return Literal.parse(items, parser) }
    let list = parser.child(1)
    let nodes = members.indices.map { list.parse(members, $0, as: .value) }
    guard nodes.allSatisfy({ $0 != nil }) else { return nil }
    return Semiliteral(nodes.compactMap(\.self))
  }

  func value(_ context: EvaluationContext) throws(EvaluationError) -> ExpressionValue {
    var values: [ExpressionValue] = []
    values.reserveCapacity(children.count)
    for child in children { values.append(try child.value(context)) }
    return .array(values)
  }
}
