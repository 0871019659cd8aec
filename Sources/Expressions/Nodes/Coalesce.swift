import Features

/// The operator `coalesce`: the first operand that is neither null nor a missing image.
final class Coalesce: Node {
  let children: [any Node]
  let type: ExpressionType
  let traits: Traits

  init(_ operands: [any Node], type: ExpressionType) {
    children = operands
    self.type = type
    traits = Traits(operands)
  }

  /// Parses the operands without assertions, which would throw on the very null that `coalesce`
  /// skips. Instead the whole expression gets an assertion: it has an unknown type if the type of
  /// an operand does not fit.
  static func parse(_ items: [PropertyValue], _ parser: Parser) -> (any Node)? {
    guard items.count >= 2 else {
      parser.fail("Expected at least one argument.")
      return nil
    }
    var type = parser.outputType
    var operands: [any Node] = []
    for index in items.indices.dropFirst() {
      guard let operand = parser.parse(items, index, as: type, annotation: .omit) else {
        return nil
      }
      type = type ?? operand.type
      operands.append(operand)
    }
    let fits = operands.allSatisfy { parser.expected?.accepts($0.type) ?? true }
    return Coalesce(operands, type: fits ? type ?? .value : .value)
  }

  func value(_ context: EvaluationContext) throws(EvaluationError) -> ExpressionValue {
    try chosen(context).value
  }

  func text(_ context: EvaluationContext) throws(EvaluationError) -> String {
    let (value, operand) = try chosen(context)
    if case .number = value, let operand { return try operand.text(context) }
    return value.text
  }

  func whole(_ context: EvaluationContext) -> WholeNumber? {
    (try? chosen(context))?.operand?.whole(context)
  }

  /// Returns the value, and the operand that has it; `nil` if none has one.
  private func chosen(
    _ context: EvaluationContext
  ) throws(EvaluationError) -> (value: ExpressionValue, operand: (any Node)?) {
    var result = ExpressionValue.null
    var firstImage: ResolvedImage?
    for operand in children {
      result = try operand.value(context)
      // A missing image counts as null; if no other operand has a value, the first missing image
      // is reported.
      if case .image(let image) = result, !image.isAvailable {
        firstImage = firstImage ?? image
        result = .null
      }
      if result != .null { return (result, operand) }
    }
    return (firstImage.map { .image($0) } ?? result, nil)
  }
}
