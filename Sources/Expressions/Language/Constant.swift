import Features
import JSON

/// A constant value of a property.
struct Constant {
  private let specification: PropertySpecification
  private let state: ParserState

  init(_ specification: PropertySpecification, _ state: ParserState) {
    self.specification = specification
    self.state = state
  }

  /// Returns the constant as a node, `nil` after an error.
  func compile(_ json: PropertyValue) -> (any Node)? {
    guard json.depth(limit: ParserState.depthLimit) <= ParserState.depthLimit else {
      return fail("A literal may be nested \(ParserState.depthLimit) levels deep at most.")
    }
    let value = ExpressionValue(json)
    guard let type = specification.type else { return Literal(value) }
    switch (type, value) {
    case (.number, .number(let number)): return compile(number)
    case (.boolean, .bool), (.null, .null), (.object, .object): return Literal(value)
    case (.string, .string(let text)): return compile(text)
    case (.formatted, .string(let text)): return compile(text)
    case (.resolvedImage, .string(let text)): return compile(text)
    case (.color, .string(let text)):
      guard let color = CSSColor.parse(text) else {
        return fail("color expected, \"\(text)\" found")
      }
      return Literal(.color(color))
    case (.array(let item, let count), .array(let items)):
      return compile(items, of: item, count: count)
    default:
      if let converted = value.converted(to: type) { return Literal(converted) }
      return fail("\(type.name) expected, \(json.typeName) found")
    }
  }

  private func compile(_ number: Double) -> (any Node)? {
    if let minimum = specification.minimum, number < minimum {
      return fail(
        "\(NumberText.format(number)) is less than the minimum value \(NumberText.format(minimum))")
    }
    if let maximum = specification.maximum, number > maximum {
      return fail(
        "\(NumberText.format(number)) is greater than the maximum value "
          + NumberText.format(maximum))
    }
    return Literal(.number(number))
  }

  private func compile(_ text: String) -> (any Node)? {
    if let words = specification.allowedValues, !words.contains(text) {
      let list = words.joined(separator: ", ")
      return fail("expected one of [\(list)], \(JSONWriter.text(text)) found")
    }
    if specification.hasTokens, let tokens = LegacyTokens.expression(for: text) {
      return Parser(state, path: nil, expected: specification.type)
        .parse(tokens, annotation: specification.coercesToString ? .coerce : .automatic)
    }
    switch specification.type {
    case .formatted: return Literal(.formatted(FormattedText(text)))
    case .resolvedImage: return Literal(.image(ResolvedImage(name: text, isAvailable: false)))
    default: return Literal(.string(text))
    }
  }

  private func compile(
    _ items: [ExpressionValue], of item: ExpressionType, count: Int?
  ) -> (any Node)? {
    if let count, items.count != count {
      return fail("array length \(count) expected, length \(items.count) found")
    }
    for (index, value) in items.enumerated() where !item.accepts(value.type) {
      state.errors.append(
        ExpressionError(
          key: [.index(index)], keyString: "[\(index)]",
          message: "\(item.name) expected, \(PropertyValue(value).typeName) found"))
      return nil
    }
    return Literal(.array(items), type: .array(of: item, count: count ?? items.count))
  }

  private func fail(_ message: String) -> (any Node)? {
    state.errors.append(ExpressionError(message))
    return nil
  }
}
