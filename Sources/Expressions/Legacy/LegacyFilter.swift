import Features

/// Filters from before expressions, such as `["==", "class", "park"]`.
enum LegacyFilter {
  /// The age of a filter by its form; `["has", "name"]` is the same in both.
  enum Form { case expression, legacy, either }

  static func form(of filter: PropertyValue) -> Form {
    if case .bool = filter { return .either }
    guard case .array(let items) = filter, let first = items.first else { return .legacy }
    guard case .string(let name) = first else { return .expression }
    switch name {
    case "has":
      guard items.count >= 2, items[1] != .string("$id"), items[1] != .string("$type") else {
        return .legacy
      }
      return items.count == 2 && !items[1].isList ? .either : .expression
    case "in":
      guard items.count >= 3 else { return .legacy }
      if case .string = items[1] { return items[2].isList ? .expression : .legacy }
      return .expression
    case "!in", "!has": return .legacy
    case "==", "!=", ">", ">=", "<", "<=":
      return items.count != 3 || items[1].isList || items[2].isList ? .expression : .legacy
    case "none", "any", "all":
      let forms = items.dropFirst().map(form)
      if forms.contains(.expression) { return .expression }
      return name == "none" || forms.contains(.legacy) ? .legacy : .either
    default: return .expression
    }
  }

  /// Returns the first legacy filter inside an expression filter, with its place; the two cannot be
  /// mixed.
  static func firstLegacyPart(
    of filter: PropertyValue, at path: [Int] = []
  ) -> (path: [Int], filter: PropertyValue)? {
    guard case .array(let items) = filter, case .string(let name)? = items.first,
      path.count <= ParserState.depthLimit
    else { return nil }
    let indices: [Int]
    switch name {
    case "all", "any", "none": indices = Array(items.indices.dropFirst())
    case "!": indices = items.count > 1 ? [1] : []
    case "case": indices = Array(stride(from: 1, to: items.count - 1, by: 2))
    default: indices = []
    }
    for index in indices where items[index].isList {
      if form(of: items[index]) == .legacy { return (path + [index], items[index]) }
      if let part = firstLegacyPart(of: items[index], at: path + [index]) { return part }
    }
    return nil
  }

  /// Converts a filter; returns `nil` after an error.
  static func convert(_ filter: PropertyValue, _ parser: Parser) -> (any Node)? {
    if case .bool = filter { return Literal(ExpressionValue(filter)) }
    guard case .array(let items) = filter, case .string(let name)? = items.first else {
      parser.fail("filter must be a list that begins with an operator, or true or false")
      return nil
    }
    guard parser.depth <= ParserState.depthLimit else {
      parser.fail("A filter may be nested \(ParserState.depthLimit) levels deep at most.")
      return nil
    }
    switch name {
    case "all": return junction(items, parser) { Junction($0, decidedBy: false) }
    case "any": return junction(items, parser) { Junction($0, decidedBy: true) }
    case "none": return junction(items, parser) { Not(Junction($0, decidedBy: true)) }
    case "!in", "!has", "!=":
      let positive = name == "!=" ? "==" : String(name.dropFirst())
      return test(positive, items, parser).map(Not.init)
    default: return test(name, items, parser)
    }
  }

  private static func junction(
    _ items: [PropertyValue], _ parser: Parser, _ combine: ([any Node]) -> any Node
  ) -> (any Node)? {
    var parts: [any Node] = []
    for index in items.indices.dropFirst() {
      guard let part = convert(items[index], parser.child(index)) else { return nil }
      parts.append(part)
    }
    return combine(parts)
  }

  private static func test(
    _ name: String, _ items: [PropertyValue], _ parser: Parser
  ) -> (any Node)? {
    guard items.count > 1, case .string(let property) = items[1] else {
      parser.fail("\"\(name)\" filter must name a property", at: 1)
      return nil
    }
    let subject: FilterSubject =
      switch property {
      case "$id": .id
      case "$type": .geometryType
      default: .property(name: property, slot: parser.state.properties.slot(property))
      }
    if name == "has" { return FilterPresence(subject) }
    if name == "in" { return FilterMembership(subject, in: Array(items.dropFirst(2))) }
    guard let operation = Comparison.Operator(rawValue: name) else {
      parser.fail("Unknown filter operator \"\(name)\".", at: 0)
      return nil
    }
    guard items.count == 3 else {
      parser.fail("\"\(name)\" filter must have a property and a value")
      return nil
    }
    if case .geometryType = subject, operation.isOrder {
      parser.fail("\"$type\" cannot be used with operator \"\(name)\"", at: 0)
      return nil
    }
    return FilterComparison(subject, operation, items[2])
  }
}

extension PropertyValue {
  fileprivate var isList: Bool { if case .array = self { true } else { false } }
}
