import Features
import JSON
import OrderedCollections
import Raster

extension ExpressionValue {
  /// The value as in `to-string` and `concat`; empty for null.
  package var text: String {
    switch self {
    case .null: ""
    case .bool(let bool): bool ? "true" : "false"
    case .number(let number): NumberText.format(number)
    case .string(let string): string
    case .color(let color): color.text
    case .formatted(let formatted): formatted.text
    case .image(let image): image.name
    case .projection(let projection):
      "[\"\(projection.from)\", \"\(projection.to)\", \(NumberText.format(projection.transition))]"
    default: json
    }
  }

  /// The value as JSON without white space; null for numbers that JSON lacks.
  package var json: String { JSONWriter.text(PropertyValue(self)) }
}

extension Color {
  /// The colour as `rgba(r,g,b,a)` with r, g, b in 0 … 255 and a in 0 … 1.
  var text: String {
    let channels = [red, green, blue].map { NumberText.format(($0 * 255).rounded()) }
    return "rgba(\(channels.joined(separator: ",")),\(NumberText.format(alpha)))"
  }
}

extension PropertyValue {
  /// Creates plain JSON from an expression's value; a colour or number array is the list of its
  /// parts.
  package init(_ value: ExpressionValue) {
    switch value {
    case .null, .collator: self = .null
    case .bool(let bool): self = .bool(bool)
    case .number(let number): self = .number(number)
    case .string(let string): self = .string(string)
    case .color(let color): self = .string(color.text)
    case .array(let items): self = .array(items.map(PropertyValue.init))
    case .object(let members): self = .object(members.mapValues(PropertyValue.init))
    case .formatted(let formatted): self = .string(formatted.text)
    case .image(let image): self = .string(image.name)
    case .padding(let numbers), .numberArray(let numbers):
      self = .array(numbers.map(PropertyValue.number))
    case .colorArray(let colors): self = .array(colors.map { .string($0.text) })
    case .anchorOffsets(let entries):
      self = .array(
        entries.flatMap { [.string($0.anchor), .array([.number($0.x), .number($0.y)])] })
    case .projection(let projection):
      self = .array([
        .string(projection.from), .string(projection.to), .number(projection.transition),
      ])
    case .verticalGradient(let depth, let referenceHeight):
      self = .array([.number(depth), .number(referenceHeight)])
    }
  }
}
