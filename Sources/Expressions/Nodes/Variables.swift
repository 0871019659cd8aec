import Features

/// The operator `let`: names for expressions, usable in the last operand.
final class Let: Forwarding {
  let bindings: [any Node]
  let result: any Node
  let traits: Traits
  var type: ExpressionType { result.type }
  var children: [any Node] { bindings + [result] }

  init(_ bindings: [any Node], in result: any Node) {
    self.bindings = bindings
    self.result = result
    traits = Traits(bindings + [result])
  }

  static func parse(_ items: [PropertyValue], _ parser: Parser) -> (any Node)? {
    guard items.count >= 4 else {
      parser.fail("Expected at least 3 arguments, but found \(items.count - 1) instead.")
      return nil
    }
    var bindings: [any Node] = []
    var inner = parser
    for index in stride(from: 1, to: items.count - 1, by: 2) {
      guard case .string(let name) = items[index] else {
        parser.fail(
          "Expected string, but found \(items[index].scriptTypeName) instead.", at: index)
        return nil
      }
      guard name.utf8.allSatisfy({ $0.isNameByte }) else {
        parser.fail(
          "Variable names must contain only alphanumeric characters or '_'.", at: index)
        return nil
      }
      // With an even count the last name's expression is the result itself, as in MapLibre.
      guard let value = parser.parse(items, index + 1) else { return nil }
      bindings.append(value)
      inner.variables[name] = value
    }
    guard let result = inner.parse(items, items.count - 1, as: parser.expected) else { return nil }
    return Let(bindings, in: result)
  }

  func chosen(_ context: EvaluationContext) -> any Node { result }
}

/// The operator `var`: the expression that an enclosing `let` bound to a name.
final class Variable: Forwarding {
  let bound: any Node
  let traits: Traits
  var type: ExpressionType { bound.type }

  init(_ bound: any Node) {
    self.bound = bound
    traits = Traits([bound])
  }

  static func parse(_ items: [PropertyValue], _ parser: Parser) -> (any Node)? {
    guard items.count == 2, case .string(let name) = items[1] else {
      parser.fail("'var' expression requires exactly one string literal argument.")
      return nil
    }
    guard let bound = parser.variables[name] else {
      parser.fail(
        "Unknown variable \"\(name)\". Make sure \"\(name)\" has been bound in an enclosing "
          + "\"let\" expression before using it.", at: 1)
      return nil
    }
    return Variable(bound)
  }

  func chosen(_ context: EvaluationContext) -> any Node { bound }
}

extension UInt8 {
  /// Whether the byte is an ASCII letter, a digit or an underscore.
  fileprivate var isNameByte: Bool {
    switch self {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"):
      true
    default: false
    }
  }
}
