import Expressions
import Features
import OrderedCollections
import Raster
import TextAnalysis

/// A writer of expressions' values in the form that the published suites expect.
enum FixtureOutput {
  /// - Parameter type: the expression's type; a colour of type `color` is a list.
  static func json(_ value: ExpressionValue, type: ExpressionType) -> PropertyValue {
    if case .color(let color) = value, type == .color {
      return .array(channels(color).map { .number($0.value) })
    }
    return json(value)
  }

  private static func json(_ value: ExpressionValue) -> PropertyValue {
    switch value {
    case .null: return .null
    case .bool(let bool): return .bool(bool)
    case .number(let number): return number.isFinite ? .number(number) : .null
    case .string(let string): return .string(string)
    case .color(let color): return object(color)
    case .array(let items): return .array(items.map(json))
    case .object(let members): return .object(members.mapValues(json))
    case .formatted(let text): return .object(["sections": .array(text.sections.map(json))])
    case .image(let image): return json(image)
    case .collator(let collator):
      return .object(["locale": collator.locale.map(PropertyValue.string) ?? .null])
    case .padding(let numbers), .numberArray(let numbers):
      return .object(["values": .array(numbers.map { json(.number($0)) })])
    case .colorArray(let colors): return .object(["values": .array(colors.map(object))])
    case .anchorOffsets: return .object(["values": PropertyValue(value)])
    // MapLibre keeps a plain name unchanged.
    case .projection(let projection)
    where projection.from == projection.to && projection.transition == 1:
      return .string(projection.from)
    case .projection(let projection):
      return .object([
        "from": .string(projection.from), "to": .string(projection.to),
        "transition": .number(projection.transition),
      ])
    case .verticalGradient(let depth, let referenceHeight):
      return .object(["depth": .number(depth), "referenceHeight": .number(referenceHeight)])
    }
  }

  private static func json(_ image: ResolvedImage) -> PropertyValue {
    .object(["name": .string(image.name), "available": .bool(image.isAvailable)])
  }

  private static func json(_ section: FormattedText.Section) -> PropertyValue {
    .object([
      "text": .string(section.text),
      "image": section.image.map(json) ?? .null,
      "scale": section.scale.map(PropertyValue.number) ?? .null,
      "fontStack": section.fontStack.map(PropertyValue.string) ?? .null,
      "textColor": section.textColor.map(object) ?? .null,
      "verticalAlign": section.verticalAlign.map(PropertyValue.string) ?? .null,
    ])
  }

  private static func object(_ color: Color) -> PropertyValue {
    var members: OrderedDictionary<String, PropertyValue> = [:]
    for (name, value) in channels(color) { members[name] = .number(value) }
    return .object(members)
  }

  /// Returns the channels premultiplied, as MapLibre stores colours.
  private static func channels(_ color: Color) -> [(name: String, value: Double)] {
    [
      ("r", color.red * color.alpha), ("g", color.green * color.alpha),
      ("b", color.blue * color.alpha), ("a", color.alpha),
    ]
  }
}
