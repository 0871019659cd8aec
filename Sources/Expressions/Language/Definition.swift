import Features

/// The operand types of one overload of an operator.
enum Signature: Sendable {
  case fixed([ExpressionType])
  case variadic(ExpressionType)

  func type(at index: Int) -> ExpressionType {
    switch self {
    case .fixed(let types): types[index]
    case .variadic(let type): type
    }
  }

  func takes(_ count: Int) -> Bool {
    if case .fixed(let types) = self { types.count == count } else { true }
  }

  /// The signature in messages: `(number, number)` or `(value...)`.
  var name: String {
    switch self {
    case .fixed(let types): "(\(types.map(\.name).joined(separator: ", ")))"
    case .variadic(let type): "(\(type.name)...)"
    }
  }
}

/// An operator whose overload depends only on the types of its operands.
struct Definition: Sendable {
  typealias Build = @Sendable ([any Node], Parser) -> (any Node)?

  let overloads: [(signature: Signature, build: Build)]

  init(_ overloads: [(signature: Signature, build: Build)]) {
    self.overloads = overloads
  }

  init(_ types: ExpressionType..., build: @escaping Build) {
    overloads = [(.fixed(types), build)]
  }

  /// Tries the overloads with this number of operands in turn.
  func parse(_ name: String, _ items: [PropertyValue], _ parser: Parser) -> (any Node)? {
    let fitting = overloads.filter { $0.signature.takes(items.count - 1) }
    let mark = parser.state.errors.count
    for overload in fitting {
      if let operands = operands(of: overload.signature, items, parser) {
        return overload.build(operands, parser)
      }
      // The errors of the only candidate are the most specific.
      if fitting.count > 1 { parser.state.errors.removeSubrange(mark...) }
    }
    if fitting.count != 1 { explain(fitting.isEmpty ? overloads : fitting, items, parser) }
    return nil
  }

  private func operands(
    of signature: Signature, _ items: [PropertyValue], _ parser: Parser
  ) -> [any Node]? {
    var operands: [any Node] = []
    operands.reserveCapacity(items.count - 1)
    for index in items.indices.dropFirst() {
      guard let operand = parser.parse(items, index, as: signature.type(at: index - 1)) else {
        return nil
      }
      operands.append(operand)
    }
    return operands
  }

  /// Reports the accepted signatures and the types that were found.
  private func explain(
    _ candidates: [(signature: Signature, build: Build)], _ items: [PropertyValue], _ parser: Parser
  ) {
    var found: [String] = []
    for index in items.indices.dropFirst() {
      guard let operand = parser.parse(items, index) else { return }
      found.append(operand.type.name)
    }
    let wanted = candidates.map(\.signature.name).joined(separator: " | ")
    parser.fail(
      "Expected arguments of type \(wanted), but found (\(found.joined(separator: ", "))) instead.")
  }
}
