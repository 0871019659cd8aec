import Features

/// Filters such as `["==", "class", "park"]`, from the time before expressions.
enum LegacyFilter {
  /// Whether a filter is an expression; some forms could be either.
  static func isExpression(_ filter: PropertyValue) -> Bool {
    if case .bool = filter { return true }
    guard case .array(let items) = filter, let first = items.first else { return false }
    guard case .string(let name) = first else { return true }
    switch name {
    case "has":
      return items.count >= 2 && items[1] != .string("$id") && items[1] != .string("$type")
    case "in":
      guard items.count >= 3 else { return false }
      if case .string = items[1] { return items[2].isList }
      return true
    case "!in", "!has": return false
    case "==", "!=", ">", ">=", "<", "<=":
      return items.count != 3 || items[1].isList || items[2].isList
    case "none": return items.dropFirst().contains { !$0.isBool && isExpression($0) }
    case "any", "all":
      let parts = items.dropFirst().filter { !$0.isBool }
      return parts.isEmpty || parts.contains(where: isExpression)
    default: return true
    }
  }

  /// The first legacy filter inside an expression filter, with its place; the two do not mix.
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
      if !isExpression(items[index]) { return (path + [index], items[index]) }
      if let part = firstLegacyPart(of: items[index], at: path + [index]) { return part }
    }
    return nil
  }

  /// Converts a filter, `nil` after an error.
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
  fileprivate var isBool: Bool { if case .bool = self { true } else { false } }
}
