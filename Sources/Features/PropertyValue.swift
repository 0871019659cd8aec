package import OrderedCollections

/// The value of a feature's property, or of a JSON document.
package enum PropertyValue: Hashable, Sendable {
  case null
  case bool(Bool)
  case number(Double)
  case string(String)
  case array([PropertyValue])
  /// Members in the order of the document.
  case object(OrderedDictionary<String, PropertyValue>)
}

extension PropertyValue {
  /// The type's name in messages: `null`, `boolean`, `number`, `string`, `array` or `object`.
  package var typeName: String {
    switch self {
    case .null: "null"
    case .bool: "boolean"
    case .number: "number"
    case .string: "string"
    case .array: "array"
    case .object: "object"
    }
  }
}
