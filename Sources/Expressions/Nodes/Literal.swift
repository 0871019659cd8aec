import Features
import OrderedCollections

extension Literal {
  static func parse(_ items: [PropertyValue], _ parser: Parser) -> (any Node)? {
    guard items.count == 2 else {
      parser.fail(
        "'literal' expression requires exactly one argument, but found \(items.count - 1) instead.")
      return nil
    }
    guard parser.depth + items[1].depth(limit: ParserState.depthLimit) <= ParserState.depthLimit
    else {
      parser.fail("A literal may be nested \(ParserState.depthLimit) levels deep at most.")
      return nil
    }
    let value = ExpressionValue(items[1])
    // An empty list does not determine its items' type, so it takes the expected one.
    if case .array(of: _, count: 0) = value.type, case .array(_, let count)? = parser.expected,
      count == nil || count == 0
    {
      return Literal(value, type: parser.expected)
    }
    return Literal(items[1])
  }
}

extension PropertyValue {
  /// Returns the nesting depth of lists and objects, 0 for a scalar; counting stops above a limit.
  func depth(limit: Int) -> Int {
    guard limit >= 0 else { return 1 }
    switch self {
    case .array(let items): return 1 + (items.map { $0.depth(limit: limit - 1) }.max() ?? 0)
    case .object(let members):
      return 1 + (members.values.map { $0.depth(limit: limit - 1) }.max() ?? 0)
    default: return 0
    }
  }
}
