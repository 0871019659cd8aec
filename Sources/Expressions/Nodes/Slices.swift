import Features

/// The operator `slice`: part of a list or of a text, counted in code points.
final class Slice: Node {
  let children: [any Node]
  let type: ExpressionType
  let traits: Traits
  private let place: ExpressionPlace

  init(
    _ input: any Node, _ bounds: [any Node], type: ExpressionType, at place: ExpressionPlace
  ) {
    self.place = place
    children = [input] + bounds
    self.type = type
    traits = Traits([input] + bounds)
  }

  static func parse(_ items: [PropertyValue], _ parser: Parser) -> (any Node)? {
    guard items.count == 3 || items.count == 4 else {
      parser.fail("Expected 2 or 3 arguments, but found \(items.count - 1) instead.")
      return nil
    }
    let input = parser.parse(items, 1, as: .value)
    let start = parser.parse(items, 2, as: .number)
    guard let input, let start else { return nil }
    guard input.type.isArray || input.type == .string || input.type == .value else {
      parser.fail(
        "Expected first argument to be of type array or string, but found \(input.type.name) "
          + "instead")
      return nil
    }
    var bounds = [start]
    if items.count == 4 {
      guard let end = parser.parse(items, 3, as: .number) else { return nil }
      bounds.append(end)
    }
    return Slice(input, bounds, type: input.type, at: parser.place)
  }

  func value(_ context: EvaluationContext) throws(EvaluationError) -> ExpressionValue {
    let input = try children[0].value(context)
    let start = try children[1].number(context)
    let end = children.count > 2 ? try children[2].number(context) : .infinity
    switch input {
    case .string(let text):
      let scalars = text.unicodeScalars
      let range = SliceBounds.range(start, end, count: scalars.count)
      let first = scalars.index(scalars.startIndex, offsetBy: range.lowerBound)
      let last = scalars.index(first, offsetBy: range.count)
      return .string(String(scalars[first..<last]))
    case .array(let items):
      return .array(Array(items[SliceBounds.range(start, end, count: items.count)]))
    default:
      throw .message(
        "Expected first argument to be of type array or string, but found \(input.type.name) "
          + "instead.", at: place)
    }
  }
}

/// Positions in lists by the rules of ECMAScript: truncated to integers, negative ones from the
/// end.
enum SliceBounds {
  static func position(_ number: Double, count: Int) -> Int {
    if number.isNaN { return 0 }
    let whole = number.rounded(.towardZero)
    let position = whole < 0 ? Double(count) + whole : whole
    return Int(min(max(position, 0), Double(count)))
  }

  static func range(_ start: Double, _ end: Double, count: Int) -> Range<Int> {
    let first = position(start, count: count)
    return first..<max(first, position(end, count: count))
  }
}

/// The operator `length`: the number of items of a list or of code points of a text.
final class Length: Node {
  private let operand: any Node
  let traits: Traits
  private let place: ExpressionPlace
  var type: ExpressionType { .number }
  var children: [any Node] { [operand] }

  init(_ operand: any Node, at place: ExpressionPlace) {
    self.place = place
    self.operand = operand
    traits = Traits([operand])
  }

  static func parse(_ items: [PropertyValue], _ parser: Parser) -> (any Node)? {
    guard items.count == 2 else {
      parser.fail("Expected 1 argument, but found \(items.count - 1) instead.")
      return nil
    }
    guard let operand = parser.parse(items, 1) else { return nil }
    guard operand.type.isArray || operand.type == .string || operand.type == .value else {
      parser.fail(
        "Expected argument of type string or array, but found \(operand.type.name) instead.")
      return nil
    }
    return Length(operand, at: parser.place)
  }

  func value(_ context: EvaluationContext) throws(EvaluationError) -> ExpressionValue {
    switch try operand.value(context) {
    case .string(let text): return .number(Double(text.unicodeScalars.count))
    case .array(let items): return .number(Double(items.count))
    case let other:
      throw .message(
        "Expected value to be of type string or array, but found \(other.type.name) instead.",
        at: place)
    }
  }
}
