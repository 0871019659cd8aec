import Features
import JSON
import Raster

/// The operators `to-boolean`, `to-color`, `to-number`, `to-string`, and the implicit conversions
/// of properties.
final class Coercion: Node {
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

  static func parse(_ name: String, _ items: [PropertyValue], _ parser: Parser) -> (any Node)? {
    let types: [String: ExpressionType] = [
      "to-boolean": .boolean, "to-color": .color, "to-number": .number, "to-string": .string,
    ]
    guard let type = types[name] else { return nil }
    guard items.count >= 2 else {
      parser.fail("Expected at least one argument.")
      return nil
    }
    if type == .boolean || type == .string, items.count != 2 {
      parser.fail("Expected one argument.")
      return nil
    }
    return parser.operands(items, from: 1).map { Coercion($0, type: type, at: parser.place) }
  }

  func value(_ context: EvaluationContext) throws(EvaluationError) -> ExpressionValue {
    switch type {
    case .boolean: return .bool(try bool(context))
    case .color: return .color(try color(context))
    case .number: return .number(try number(context))
    case .string: return .string(try string(context))
    case .formatted:
      let value = try operands[0].value(context)
      if case .formatted = value { return value }
      if case .number = value {
        return .formatted(FormattedText(try operands[0].text(context)))
      }
      return .formatted(FormattedText(value.text))
    case .resolvedImage:
      return .image(ResolvedImage(name: try operands[0].text(context), isAvailable: false))
    default:
      var value = ExpressionValue.null
      for operand in operands {
        value = try operand.value(context)
        guard let converted = value.converted(to: type) else { continue }
        // MapLibre keeps the three parts of a projection as they are in the list.
        if case .array = value, type == .projectionDefinition { return value }
        return converted
      }
      throw .message("Could not parse \(type.kind) from value '\(value.quotation)'", at: place)
    }
  }

  func bool(_ context: EvaluationContext) throws(EvaluationError) -> Bool {
    try operands[0].value(context).isTruthy
  }

  func string(_ context: EvaluationContext) throws(EvaluationError) -> String {
    try operands[0].text(context)
  }

  func whole(_ context: EvaluationContext) -> WholeNumber? {
    guard type == .number, operands.count == 1 else { return nil }
    return operands[0].whole(context)
      ?? (try? operands[0].value(context)).flatMap { value in
        if case .string(let text) = value { WholeNumber(text) } else { nil }
      }
  }

  func number(_ context: EvaluationContext) throws(EvaluationError) -> Double {
    var value = ExpressionValue.null
    for operand in operands {
      value = try operand.value(context)
      if let number = value.toNumber { return number }
    }
    throw .message("Could not convert \(value.json) to number.", at: place)
  }

  func color(_ context: EvaluationContext) throws(EvaluationError) -> Color {
    var value = ExpressionValue.null
    var reason: String?
    for operand in operands {
      value = try operand.value(context)
      reason = nil
      switch value {
      case .color(let color): return color
      case .string(let text):
        if let color = CSSColor.parse(text) { return color }
      case .array(let items):
        switch Color.fromChannels(items) {
        case .success(let color): return color
        case .failure(let error): reason = error.message
        }
      default: break
      }
    }
    throw .message(reason ?? "Could not parse color from value '\(value.quotation)'", at: place)
  }
}

extension ExpressionValue {
  /// The text itself, or the JSON of any other value.
  fileprivate var quotation: String {
    if case .string(let string) = self { string } else { json }
  }

  /// The number that a value converts to, `nil` if it does not; null is 0 and a list of one is its
  /// item.
  fileprivate var toNumber: Double? {
    switch self {
    case .null: 0
    case .bool(let bool): bool ? 1 : 0
    case .number(let number): number.isNaN ? nil : number
    case .string(let string): NumberText.parse(string)
    case .array(let items) where items.isEmpty: 0
    case .array(let items) where items.count == 1: NumberText.parse(items[0].text)
    default: nil
    }
  }
}
