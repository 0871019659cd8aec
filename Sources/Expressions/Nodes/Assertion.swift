import Features
import Raster

/// The operators `string`, `number`, `boolean`, `object`, `array`: the first operand with the type.
final class Assertion: Node {
  let operands: [any Node]
  let type: ExpressionType
  let traits: Traits
  private let place: ExpressionPlace
  var children: [any Node] { operands }

  /// - Precondition: `operands` is not empty.
  init(_ operands: [any Node], type: ExpressionType, at place: ExpressionPlace) {
    self.operands = operands
    self.type = type
    self.place = place
    traits = Traits(operands)
  }

  func value(_ context: EvaluationContext) throws(EvaluationError) -> ExpressionValue {
    var found = ExpressionType.null
    for operand in operands {
      let value = try operand.value(context)
      found = value.type
      if type.accepts(found) { return value }
    }
    throw EvaluationError.mismatch(expected: type, found: found).placed(at: place)
  }

  // A single operand's typed accessor throws the same error as the assertion.

  func number(_ context: EvaluationContext) throws(EvaluationError) -> Double {
    if operands.count == 1 {
      do { return try operands[0].number(context) } catch { throw error.placed(at: place) }
    }
    guard case .number(let number) = try value(context) else { return .nan }
    return number
  }

  func string(_ context: EvaluationContext) throws(EvaluationError) -> String {
    if operands.count == 1 {
      do { return try operands[0].string(context) } catch { throw error.placed(at: place) }
    }
    guard case .string(let string) = try value(context) else { return "" }
    return string
  }

  func bool(_ context: EvaluationContext) throws(EvaluationError) -> Bool {
    if operands.count == 1 {
      do { return try operands[0].bool(context) } catch { throw error.placed(at: place) }
    }
    guard case .bool(let bool) = try value(context) else { return false }
    return bool
  }
}

extension Assertion {
  func whole(_ context: EvaluationContext) -> WholeNumber? {
    operands.count == 1 ? operands[0].whole(context) : nil
  }

  private static let types: [String: ExpressionType] = [
    "string": .string, "number": .number, "boolean": .boolean, "object": .object,
  ]

  static func parse(_ name: String, _ items: [PropertyValue], _ parser: Parser) -> (any Node)? {
    guard items.count >= 2 else {
      parser.fail("Expected at least one argument.")
      return nil
    }
    var start = 1
    var type = types[name]
    if name == "array" {
      guard let header = arrayHeader(items, parser) else { return nil }
      type = header.type
      start = header.start
    }
    guard let type else { return nil }
    guard let operands = parser.operands(items, from: start) else { return nil }
    guard !operands.isEmpty else {
      parser.fail("Expected at least one argument.")
      return nil
    }
    return Assertion(operands, type: type, at: parser.place)
  }

  /// Reads the item type and the length that may precede the operands of `array`.
  private static func arrayHeader(
    _ items: [PropertyValue], _ parser: Parser
  ) -> (type: ExpressionType, start: Int)? {
    guard items.count > 2 else { return (.array(of: .value, count: nil), 1) }
    guard case .string(let name) = items[1], name != "object", let item = types[name] else {
      parser.fail(
        "The item type argument of \"array\" must be one of string, number, boolean", at: 1)
      return nil
    }
    guard items.count > 3 else { return (.array(of: item, count: nil), 2) }
    switch items[2] {
    case .null: return (.array(of: item, count: nil), 3)
    case .number(let number) where number >= 0:
      if let count = Int(exactly: number) { return (.array(of: item, count: count), 3) }
    default: break
    }
    parser.fail("The length argument to \"array\" must be a positive integer literal", at: 2)
    return nil
  }
}

extension Parser {
  /// Parses the operands from an index on, of any type.
  func operands(_ items: [PropertyValue], from start: Int) -> [any Node]? {
    var operands: [any Node] = []
    for index in start..<items.count {
      guard let operand = parse(items, index, as: .value) else { return nil }
      operands.append(operand)
    }
    return operands
  }
}
