package import Features
import OrderedCollections
package import Runs

/// A value of a pipeline file with its place.
package struct DocumentNode: Sendable {
  /// The value by kind; the kinds are those of JSON.
  package enum Value: Sendable {
    case null
    case bool(Bool)
    case number(Double)
    /// A whole number beyond ±2⁵³.
    case whole(WholeNumber)
    case string(String)
    case array([DocumentNode])
    /// An object with its members in the order of the file, without duplicate keys.
    case object([DocumentMember])
  }

  package var value: Value

  /// The place where the value begins. A value that an alias repeats keeps the place of its anchor.
  package var place: DocumentPlace

  /// Whether this is a YAML scalar without quotes: only such a scalar can be anything but a string.
  package var isPlain = false

  /// The way in which the lines of a string are laid out in the file.
  package enum Layout: Sendable {
    /// Plain or in quotes, from ``place`` on.
    case flow
    /// After `|`: line by line from the line below ``place``.
    case literalBlock
    /// After `>`: folded lines.
    case foldedBlock
  }

  package var layout = Layout.flow

  /// Whether a `${VAR}` was replaced in this string.
  package var isSubstituted = false

  /// The number of values in this one, including itself; aliases count as often as they are used.
  package private(set) var count: Int

  package init(_ value: Value, at place: DocumentPlace) {
    self.value = value
    self.place = place
    switch value {
    case .array(let items): count = items.reduce(1) { $0 + $1.count }
    case .object(let members): count = members.reduce(1) { $0 + $1.node.count }
    default: count = 1
    }
  }
}

/// A key of an object in a pipeline file with its value.
package struct DocumentMember: Sendable {
  package var key: String
  package var keyPlace: DocumentPlace
  package var node: DocumentNode

  package init(key: String, keyPlace: DocumentPlace, node: DocumentNode) {
    self.key = key
    self.keyPlace = keyPlace
    self.node = node
  }
}

extension DocumentNode {
  /// The members of an object, `nil` for anything else.
  package var members: [DocumentMember]? {
    if case .object(let members) = value { members } else { nil }
  }

  /// The items of an array, `nil` for anything else.
  package var items: [DocumentNode]? {
    if case .array(let items) = value { items } else { nil }
  }

  /// The text of a string, `nil` for anything else.
  package var text: String? {
    if case .string(let text) = value { text } else { nil }
  }

  /// The number, `nil` for anything else.
  package var number: Double? {
    switch value {
    case .number(let number): number
    case .whole(let whole): whole.double
    default: nil
    }
  }

  /// The number if it is whole and within ±2⁵³, `nil` for anything else.
  package var integer: Int? {
    guard let number, abs(number) <= 9_007_199_254_740_992 else { return nil }
    return Int(exactly: number)
  }

  /// The Boolean, `nil` for anything else.
  package var bool: Bool? {
    if case .bool(let bool) = value { bool } else { nil }
  }

  /// Returns the member of an object with this key.
  ///
  /// - Complexity: O(*n*) in the number of members.
  package func member(_ key: String) -> DocumentMember? {
    members?.first { $0.key == key }
  }

  /// Returns the value of a member of an object.
  package subscript(_ key: String) -> DocumentNode? { member(key)?.node }

  /// The value without its places, in the form that expressions and readers take.
  package var propertyValue: PropertyValue {
    switch value {
    case .null: .null
    case .bool(let bool): .bool(bool)
    case .number(let number): .number(number)
    case .whole(let whole): .whole(whole)
    case .string(let text): .string(text)
    case .array(let items): .array(items.map(\.propertyValue))
    case .object(let members):
      .object(
        OrderedDictionary(
          members.map { ($0.key, $0.node.propertyValue) }, uniquingKeysWith: { first, _ in first }))
    }
  }

  /// A description of the value for messages: `the string "abc"`, `a list`.
  package var words: String {
    switch value {
    case .null: "null"
    case .bool(let bool): "\(bool)"
    case .number(let number): "the number \(Self.words(of: number))"
    case .whole(let whole): "the number \(whole.text)"
    case .string(let text): "the string \"\(text.quotable)\""
    case .array: "a list"
    case .object: "an object"
    }
  }

  /// The advice for a YAML scalar that ends with a comma, as in JSON; `nil` for any other.
  package var commaAdvice: String? {
    isPlain && text?.hasSuffix(",") == true ? "Remove the comma at its end." : nil
  }

  /// Formats a number as people write it: whole numbers without a fraction.
  package static func words(of number: Double) -> String {
    Int(exactly: number).map { "\($0)" } ?? "\(number)"
  }
}
