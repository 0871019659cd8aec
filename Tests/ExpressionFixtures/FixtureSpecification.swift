import Expressions
import Features
import OrderedCollections

/// The `propertySpec` of a fixture, in the form of the style specification's own reference.
enum FixtureSpecification {
  static func read(_ json: PropertyValue?) -> PropertySpecification {
    var members: OrderedDictionary<String, PropertyValue> = [:]
    if case .object(let object)? = json { members = object }
    var specification = PropertySpecification(
      type: type(members),
      // Inputs that only some properties have are available to all expressions here.
      parameters: [.zoom, .heatmapDensity, .lineProgress, .accumulated])
    specification.default = members["default"]
    specification.hasTokens = members["tokens"] == .bool(true)
    if members["type"] == .string("enum") {
      specification.allowedValues =
        switch members["values"] {
        case .object(let values)?: Array(values.keys)
        case .array(let values)?: values.map { ExpressionValue($0).text }
        default: []
        }
    }
    if case .string(let kind)? = members["property-type"] {
      specification.isDataDriven = kind == "data-driven" || kind == "cross-faded-data-driven"
    }
    if case .object(let expression)? = members["expression"] {
      specification.isInterpolated = expression["interpolated"] == .bool(true)
      if case .array(let parameters)? = expression["parameters"],
        !parameters.contains(.string("zoom"))
      {
        specification.parameters.remove(.zoom)
      }
    }
    return specification
  }

  private static func type(
    _ members: OrderedDictionary<String, PropertyValue>
  ) -> ExpressionType? {
    guard case .string(let name)? = members["type"] else { return nil }
    guard name == "array" else { return type(named: name) }
    var item = ExpressionType.value
    if case .string(let itemName)? = members["value"] { item = type(named: itemName) ?? .value }
    var count: Int?
    if case .number(let length)? = members["length"] { count = Int(exactly: length) }
    return .array(of: item, count: count)
  }

  private static func type(named name: String) -> ExpressionType? {
    switch name {
    case "enum": .string
    case "color": .color
    case "string": .string
    case "number": .number
    case "boolean": .boolean
    case "formatted": .formatted
    case "padding": .padding
    case "numberArray": .numberArray
    case "colorArray": .colorArray
    case "projectionDefinition": .projectionDefinition
    case "resolvedImage": .resolvedImage
    case "variableAnchorOffsetCollection": .variableAnchorOffsetCollection
    case "verticalGradient": .verticalGradient
    default: nil
    }
  }
}
