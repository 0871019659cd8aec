package import Features
package import OrderedCollections
package import Raster
package import TextAnalysis

/// The value of an expression.
package enum ExpressionValue: Hashable, Sendable {
  case null
  case bool(Bool)
  case number(Double)
  case string(String)
  case color(Color)
  case array([ExpressionValue])
  case object(OrderedDictionary<String, ExpressionValue>)
  case formatted(FormattedText)
  case image(ResolvedImage)
  case collator(Collator)
  /// Pixels in the order top, right, bottom, left.
  case padding([Double])
  case numberArray([Double])
  case colorArray([Color])
  case anchorOffsets([AnchorOffset])
  case projection(ProjectionDefinition)
  /// Depth 0 … 1 at the foot of a wall and the height in metres where it ends.
  case verticalGradient(depth: Double, referenceHeight: Double)
}

/// The name of an image, and whether the style has it.
package struct ResolvedImage: Hashable, Sendable {
  package var name: String
  package var isAvailable: Bool
}

/// One entry of `text-variable-anchor-offset`: the anchor and the offset of the text, in ems.
package struct AnchorOffset: Hashable, Sendable {
  package var anchor: String
  package var x: Double
  package var y: Double
}

/// A projection, or a transition of 0 … 1 between two.
package struct ProjectionDefinition: Hashable, Sendable {
  package var from: String
  package var to: String
  package var transition: Double
}

extension ExpressionValue {
  /// Creates the value of a property or of a JSON document.
  ///
  /// - Complexity: O(number of members), constant for null, booleans, numbers and strings.
  package init(_ value: PropertyValue) {
    switch value {
    case .null: self = .null
    case .bool(let bool): self = .bool(bool)
    case .number(let number): self = .number(number)
    case .whole(let whole): self = .number(whole.double)
    case .string(let string): self = .string(string)
    case .array(let items): self = .array(items.map(ExpressionValue.init))
    case .object(let members): self = .object(members.mapValues(ExpressionValue.init))
    }
  }

  /// The value's own type; that of an array includes its length and, if all items share it, their
  /// type.
  package var type: ExpressionType {
    switch self {
    case .null: .null
    case .bool: .boolean
    case .number: .number
    case .string: .string
    case .color: .color
    case .array(let items): .array(of: Self.itemType(items), count: items.count)
    case .object: .object
    case .formatted: .formatted
    case .image: .resolvedImage
    case .collator: .collator
    case .padding: .padding
    case .numberArray: .numberArray
    case .colorArray: .colorArray
    case .anchorOffsets: .variableAnchorOffsetCollection
    case .projection: .projectionDefinition
    case .verticalGradient: .verticalGradient
    }
  }

  /// Returns the common type of items. Two arrays never share a type, whatever they hold, as in the
  /// reference implementation.
  private static func itemType(_ items: [ExpressionValue]) -> ExpressionType {
    guard let first = items.first?.type else { return .value }
    for item in items.dropFirst() where first.isArray || item.type != first { return .value }
    return first
  }

  /// Whether the value counts as true: all but null, false, 0, NaN and the empty string.
  package var isTruthy: Bool {
    switch self {
    case .null: false
    case .bool(let bool): bool
    case .number(let number): number != 0 && !number.isNaN
    case .string(let string): !string.isEmpty
    default: true
    }
  }

  /// Whether null, booleans, numbers and strings are equal by type and value; false for all others.
  func isIdentical(to other: ExpressionValue) -> Bool {
    switch (self, other) {
    case (.null, .null): true
    case (.bool(let lhs), .bool(let rhs)): lhs == rhs
    case (.number(let lhs), .number(let rhs)): lhs == rhs
    case (.string(let lhs), .string(let rhs)): CodeUnits.areEqual(lhs, rhs)
    default: false
    }
  }
}
