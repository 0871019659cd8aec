import Expressions
import Features
import OrderedCollections
import Raster

/// A feature whose properties are looked up by the names of one expression.
struct TestFeature: PropertySource {
  var names: [String] = []
  var properties: OrderedDictionary<String, PropertyValue> = [:]
  var id: PropertyValue?
  var geometryType: String?
  var geometry = RecordGeometry.none

  func property(_ slot: Int) -> PropertyValue? { properties[names[slot]] }
  var allProperties: PropertyValue { .object(properties) }

  init(_ json: String = "{}", id: PropertyValue? = nil, geometryType: String? = nil) {
    if case .object(let members) = TestJSON.parse(json) { properties = members }
    self.id = id
    self.geometryType = geometryType
  }

  func bound(to names: [String]) -> TestFeature {
    var bound = self
    bound.names = names
    return bound
  }
}

extension PropertySpecification {
  static let any = PropertySpecification(
    type: nil, parameters: [.zoom, .heatmapDensity, .lineProgress, .accumulated])
  static let number = PropertySpecification(type: .number, default: .number(-1))
  static let color = PropertySpecification(type: .color, default: .string("black"))
  static let offset = PropertySpecification(type: .array(of: .number, count: 2))
  static let string = PropertySpecification(type: .string, default: .string(""))
  static let formatted = PropertySpecification(type: .formatted, default: .string(""))
}

/// The value of an expression as JSON, or its errors: at load as `key: message`, later as `! message`.
func outcome(
  _ expression: String, _ properties: String = "{}", zoom: Double = 0,
  for specification: PropertySpecification = .any
) -> String {
  outcome(expression, TestFeature(properties), zoom: zoom, for: specification)
}

func outcome(
  _ expression: String, _ feature: TestFeature, zoom: Double = 0,
  for specification: PropertySpecification = .any
) -> String {
  do {
    let compiled = try CompiledExpression.compileExpression(
      TestJSON.parse(expression), for: specification)
    let context = EvaluationContext(
      zoom: zoom, feature: feature.bound(to: compiled.propertyNames))
    do {
      return try compiled.evaluateThrowing(context).shown
    } catch {
      return "! \(error.message)"
    }
  } catch {
    return error.errors.map { "\($0.keyString): \($0.message)" }.joined(separator: "; ")
  }
}

extension ExpressionValue {
  /// JSON, with colours in their text form.
  var shown: String {
    if case .color = self { text } else { json }
  }
}
