/// The type of an expression, as named in the style specification.
package indirect enum ExpressionType: Hashable, Sendable {
  case null
  case number
  case string
  case boolean
  case color
  case projectionDefinition
  case object
  /// Any of the types that a value can have; the type of `get`.
  case value
  /// The type of `error`, which fits everywhere.
  case error
  case collator
  case formatted
  case padding
  case numberArray
  case colorArray
  case resolvedImage
  case variableAnchorOffsetCollection
  case verticalGradient
  /// An array of one item type; `count` is `nil` where the length is open.
  case array(of: ExpressionType, count: Int?)
}

extension ExpressionType {
  /// The type's name without item type and length: `array` for every array.
  package var kind: String {
    switch self {
    case .null: "null"
    case .number: "number"
    case .string: "string"
    case .boolean: "boolean"
    case .color: "color"
    case .projectionDefinition: "projectionDefinition"
    case .object: "object"
    case .value: "value"
    case .error: "error"
    case .collator: "collator"
    case .formatted: "formatted"
    case .padding: "padding"
    case .numberArray: "numberArray"
    case .colorArray: "colorArray"
    case .resolvedImage: "resolvedImage"
    case .variableAnchorOffsetCollection: "variableAnchorOffsetCollection"
    case .verticalGradient: "verticalGradient"
    case .array: "array"
    }
  }

  /// The type as messages write it: `array<number, 2>`, `array<string>`, `array`, `number` ….
  package var name: String {
    guard case .array(let item, let count) = self else { return kind }
    if let count { return "array<\(item.name), \(count)>" }
    return item == .value ? "array" : "array<\(item.name)>"
  }

  package var isArray: Bool {
    if case .array = self { true } else { false }
  }

  /// Whether an expression of type `other` may stand where this type is expected.
  package func accepts(_ other: ExpressionType) -> Bool {
    switch (self, other) {
    case (_, .error): true
    case (.array(let item, let count), .array(let otherItem, let otherCount)):
      ((otherCount == 0 && otherItem == .value) || item.accepts(otherItem))
        && (count == nil || count == otherCount)
    case (.value, .collator): false
    case (.value, .array(let item, _)): ExpressionType.value.accepts(item)
    case (.value, _): true
    default: self == other
    }
  }

  /// Returns the message for `other` where this type is expected; `nil` if it is accepted.
  func mismatch(_ other: ExpressionType) -> String? {
    accepts(other) ? nil : "Expected \(name) but found \(other.name) instead."
  }
}
