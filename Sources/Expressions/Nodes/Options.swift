import Features
import OrderedCollections

/// A reader of the options object of `format`, `number-format` and `collator`.
struct OptionReader {
  private let members: OrderedDictionary<String, PropertyValue>
  private let index: Int
  private let parser: Parser

  /// - Parameter index: the index of the object among the expression's items.
  init(_ members: OrderedDictionary<String, PropertyValue>, at index: Int, _ parser: Parser) {
    self.members = members
    self.index = index
    self.parser = parser
  }

  /// Whether the option is present and effective: null, false, 0 and "" count as absent.
  func has(_ name: String) -> Bool {
    members[name].map { ExpressionValue($0).isTruthy } ?? false
  }

  subscript(_ name: String) -> PropertyValue? { members[name] }

  /// Parses an option: returns `.some(nil)` where it is absent, `nil` after an error.
  func parse(_ name: String, as type: ExpressionType) -> (any Node)?? {
    guard has(name), let json = members[name] else { return .some(nil) }
    // MapLibre gives all options the index 1.
    let place = parser.child(index, expecting: type, reportedAs: 1, member: name)
    return place.parse(json).map { .some($0) }
  }
}
