package import OrderedCollections

/// The value of a feature's property, or of a JSON document.
package enum PropertyValue: Hashable, Sendable {
  case null
  case bool(Bool)
  case number(Double)
  /// A whole number beyond ±2⁵³ by its digits, which a Double may not tell from its neighbours.
  /// Only documents have such values; a feature's property is a ``number(_:)`` with a
  /// ``PropertySource/spelling(_:)``.
  case whole(WholeNumber)
  case string(String)
  case array([PropertyValue])
  /// Members in the order of the document.
  case object(OrderedDictionary<String, PropertyValue>)
}

extension PropertyValue {
  /// The number as a Double, `nil` for anything else.
  package var double: Double? {
    switch self {
    case .number(let number): number
    case .whole(let whole): whole.double
    default: nil
    }
  }

  /// The type's name in messages: `null`, `boolean`, `number`, `string`, `array` or `object`.
  package var typeName: String {
    switch self {
    case .null: "null"
    case .bool: "boolean"
    case .number, .whole: "number"
    case .string: "string"
    case .array: "array"
    case .object: "object"
    }
  }
}
