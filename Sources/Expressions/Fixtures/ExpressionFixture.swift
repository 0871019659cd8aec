package import Features
import OrderedCollections

/// The front door of the hidden `expression` subcommand: an expression with inputs as JSON.
///
/// The form is that of the published expression suites: `expression`, and perhaps `propertySpec`,
/// `inputs` (pairs of a zoom and the like with a feature) and `globalState`. The result says how
/// the expression compiled, `{"compiled": {"result": "success", "type": …}}` or `{"compiled":
/// {"result": "error", "errors": [{"key": …, "error": …}]}}`, and in `outputs` what it yields for
/// each input: a value or `{"error": …}`. A colour of type `color` is a list of red, green, blue and
/// alpha in 0 … 1, premultiplied as in MapLibre.
package enum ExpressionFixture {
  package static func run(json: PropertyValue) -> PropertyValue {
    guard case .object(let fixture) = json else {
      return failure([ExpressionError("the fixture must be an object")])
    }
    guard let expression = fixture["expression"] else {
      return failure([ExpressionError("the fixture has no expression")])
    }
    var globalState: [String: PropertyValue] = [:]
    for (name, value) in members(fixture["globalState"]) { globalState[name] = value }
    let specification = FixtureSpecification.read(fixture["propertySpec"])
    do {
      let compiled = try CompiledExpression.compileExpression(
        expression, for: specification, globalState: globalState)
      var outputs: [PropertyValue] = []
      if case .array(let inputs)? = fixture["inputs"] {
        outputs = inputs.map { output(of: compiled, for: $0) }
      }
      return .object(["compiled": success(compiled), "outputs": .array(outputs)])
    } catch {
      return failure(error.errors)
    }
  }

  private static func success(_ compiled: CompiledExpression) -> PropertyValue {
    .object([
      "result": .string("success"),
      "type": .string(compiled.type.name),
      "isFeatureConstant": .bool(compiled.isFeatureConstant),
      "isZoomConstant": .bool(compiled.isZoomConstant),
    ])
  }

  private static func failure(_ errors: [ExpressionError]) -> PropertyValue {
    let list = errors.map { error in
      PropertyValue.object(["key": .string(error.keyString), "error": .string(error.message)])
    }
    return .object([
      "compiled": .object(["result": .string("error"), "errors": .array(list)])
    ])
  }

  private static func output(
    of compiled: CompiledExpression, for input: PropertyValue
  ) -> PropertyValue {
    var globals: OrderedDictionary<String, PropertyValue> = [:]
    var feature: OrderedDictionary<String, PropertyValue> = [:]
    if case .array(let pair) = input {
      globals = members(pair.first)
      feature = members(pair.dropFirst().first)
    }
    let context = EvaluationContext(
      zoom: number(globals["zoom"]),
      feature: FixtureFeature(
        feature, names: compiled.propertyNames, inTile: globals["canonicalID"] != nil),
      accumulated: globals["accumulated"].map(ExpressionValue.init) ?? .null,
      heatmapDensity: number(globals["heatmapDensity"]),
      lineProgress: number(globals["lineProgress"]))
    do {
      return FixtureOutput.json(try compiled.evaluateThrowing(context), type: compiled.type)
    } catch {
      return .object(["error": .string(error.message)])
    }
  }

  private static func members(
    _ value: PropertyValue?
  ) -> OrderedDictionary<String, PropertyValue> {
    if case .object(let members)? = value { members } else { [:] }
  }

  private static func number(_ value: PropertyValue?) -> Double {
    if case .number(let number)? = value { number } else { 0 }
  }
}

/// The feature of a fixture's input.
private struct FixtureFeature: PropertySource {
  private let names: [String]
  private let properties: OrderedDictionary<String, PropertyValue>
  let id: PropertyValue?
  let geometryType: String?

  /// - Parameter inTile: whether the geometry is that of a tile, which knows no Multi types.
  init(_ members: OrderedDictionary<String, PropertyValue>, names: [String], inTile: Bool) {
    self.names = names
    if case .object(let properties)? = members["properties"] {
      self.properties = properties
    } else {
      properties = [:]
    }
    id = members["id"]
    if case .object(let geometry)? = members["geometry"], case .string(let type)? = geometry["type"]
    {
      geometryType = inTile && type.hasPrefix("Multi") ? String(type.dropFirst(5)) : type
    } else {
      geometryType = nil
    }
  }

  func property(_ slot: Int) -> PropertyValue? {
    names.indices.contains(slot) ? properties[names[slot]] : nil
  }

  var allProperties: PropertyValue { .object(properties) }
}
