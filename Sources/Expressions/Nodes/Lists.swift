import Features
import JSON

/// The operator `at`: an item of a list.
final class At: Node {
  private let index: any Node
  private let list: any Node
  let type: ExpressionType
  let traits: Traits
  private let place: ExpressionPlace
  var children: [any Node] { [index, list] }

  init(_ index: any Node, in list: any Node, at place: ExpressionPlace) {
    self.place = place
    self.index = index
    self.list = list
    if case .array(let item, _) = list.type { type = item } else { type = .value }
    traits = Traits([index, list])
  }

  static func parse(_ items: [PropertyValue], _ parser: Parser) -> (any Node)? {
    guard items.count == 3 else {
      parser.fail("Expected 2 arguments, but found \(items.count - 1) instead.")
      return nil
    }
    let index = parser.parse(items, 1, as: .number)
    let list = parser.parse(items, 2, as: .array(of: parser.expected ?? .value, count: nil))
    guard let index, let list else { return nil }
    return At(index, in: list, at: parser.place)
  }

  func value(_ context: EvaluationContext) throws(EvaluationError) -> ExpressionValue {
    let index = try index.number(context)
    guard case .array(let items) = try list.value(context) else { return .null }
    let text = NumberText.format(index)
    if index < 0 { throw .message("Array index out of bounds: \(text) < 0.", at: place) }
    if index >= Double(items.count) {
      throw .message("Array index out of bounds: \(text) > \(items.count - 1).", at: place)
    }
    guard let position = Int(exactly: index) else {
      throw .message("Array index must be an integer, but found \(text) instead.", at: place)
    }
    return items[position]
  }
}

/// The operator `in`: whether a list contains an item or a text a substring.
final class Contains: Node {
  let needle: any Node
  let haystack: any Node
  let traits: Traits
  private let place: ExpressionPlace
  var type: ExpressionType { .boolean }
  var children: [any Node] { [needle, haystack] }

  init(_ needle: any Node, in haystack: any Node, at place: ExpressionPlace) {
    self.place = place
    self.needle = needle
    self.haystack = haystack
    traits = Traits([needle, haystack])
  }

  static func parse(_ items: [PropertyValue], _ parser: Parser) -> (any Node)? {
    guard items.count == 3 else {
      parser.fail("Expected 2 arguments, but found \(items.count - 1) instead.")
      return nil
    }
    guard let (needle, haystack) = parser.parseSearch(items) else { return nil }
    return Contains(needle, in: haystack, at: parser.place)
  }

  func bool(_ context: EvaluationContext) throws(EvaluationError) -> Bool {
    let sought = try needle.value(context)
    let list = try haystack.value(context)
    guard list.isTruthy else { return false }
    guard try list.firstIndex(of: sought, from: nil, at: place) != nil else { return false }
    guard case .number(let number) = sought, number.isBeyondExactWholes,
      let wholes = (haystack as? Literal)?.wholes, !wholes.isEmpty,
      let whole = needle.whole(context)
    else { return true }
    return wholes.contains(whole)
  }

  func value(_ context: EvaluationContext) throws(EvaluationError) -> ExpressionValue {
    .bool(try bool(context))
  }
}

/// The operator `index-of`: the index of an item in a list or of a substring in a text, -1 if it is
/// not found.
final class IndexOf: Node {
  private let needle: any Node
  private let haystack: any Node
  private let start: (any Node)?
  let traits: Traits
  private let place: ExpressionPlace
  var type: ExpressionType { .number }
  var children: [any Node] { [needle, haystack] + (start.map { [$0] } ?? []) }

  init(
    _ needle: any Node, in haystack: any Node, from start: (any Node)?, at place: ExpressionPlace
  ) {
    self.place = place
    self.needle = needle
    self.haystack = haystack
    self.start = start
    traits = Traits([needle, haystack] + (start.map { [$0] } ?? []))
  }

  static func parse(_ items: [PropertyValue], _ parser: Parser) -> (any Node)? {
    guard items.count == 3 || items.count == 4 else {
      parser.fail("Expected 2 or 3 arguments, but found \(items.count - 1) instead.")
      return nil
    }
    guard let (needle, haystack) = parser.parseSearch(items) else { return nil }
    var start: (any Node)?
    if items.count == 4 {
      start = parser.parse(items, 3, as: .number)
      if start == nil { return nil }
    }
    return IndexOf(needle, in: haystack, from: start, at: parser.place)
  }

  func value(_ context: EvaluationContext) throws(EvaluationError) -> ExpressionValue {
    let needle = try needle.value(context)
    let haystack = try haystack.value(context)
    let index = try haystack.firstIndex(
      of: needle, from: try start?.number(context), at: place)
    return .number(Double(index ?? -1))
  }
}

extension Parser {
  /// Parses what to search for and what to search in.
  fileprivate func parseSearch(
    _ items: [PropertyValue]
  ) -> (needle: any Node, haystack: any Node)? {
    let needle = parse(items, 1, as: .value)
    let haystack = parse(items, 2, as: .value)
    guard let needle, let haystack else { return nil }
    switch needle.type {
    case .boolean, .string, .number, .null, .value: return (needle, haystack)
    default:
      fail(
        "Expected first argument to be of type boolean, string, number or null, but found "
          + "\(needle.type.name) instead")
      return nil
    }
  }
}

extension ExpressionValue {
  /// Returns the index of an item or a substring at or after `start`, in texts counted in code
  /// points.
  ///
  /// - Parameter start: the index counted in items or UTF-16 units, as in ECMAScript.
  fileprivate func firstIndex(
    of needle: ExpressionValue, from start: Double?, at place: ExpressionPlace
  ) throws(EvaluationError) -> Int? {
    switch needle {
    case .null, .bool, .number, .string: break
    default:
      throw .message(
        "Expected first argument to be of type boolean, string, number or null, but found "
          + "\(needle.type.name) instead.", at: place)
    }
    switch self {
    case .array(let items):
      let first = start.map { SliceBounds.position($0, count: items.count) } ?? 0
      return items[first...].firstIndex { $0.isIdentical(to: needle) }
    case .string(let text):
      let part = if case .null = needle { "null" } else { needle.text }
      return text.firstIndex(of: part, from: start ?? 0)
    default:
      throw .message(
        "Expected second argument to be of type array or string, but found \(type.name) instead.",
        at: place)
    }
  }
}

extension String {
  /// Returns the number of code points before the first occurrence of a substring at or after a
  /// UTF-16 offset.
  ///
  /// - Complexity: O(length × length of the substring).
  fileprivate func firstIndex(of part: String, from start: Double) -> Int? {
    let units = Array(utf16)
    let wanted = Array(part.utf16)
    var position = SliceBounds.position(max(start, 0), count: units.count)
    while position + wanted.count <= units.count {
      if units[position...].starts(with: wanted) {
        // Every code point has exactly one unit that is not a low surrogate.
        return units[..<position].count { !UTF16.isTrailSurrogate($0) }
      }
      position += 1
    }
    return nil
  }
}
