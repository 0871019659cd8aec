import Expressions
import Features
import OrderedCollections

/// An expression with inputs as JSON, evaluated for comparison with other implementations.
///
/// The form is that of the published expression suites: `expression`, and optionally
/// `propertySpec`, `inputs` (pairs of a zoom and the like with a feature), `globalState` and
/// `rootKey`, the expression's place in its style, which then stands before every error of an
/// input. The result says whether the expression compiled, `{"compiled": {"result": "success",
/// "type": …}}` or `{"compiled": {"result": "error", "errors": [{"key": …, "error": …}]}}`, and in
/// `outputs` what it yields for each input: a value or `{"error": …}`. A colour of type `color` is
/// a list of red, green, blue and alpha in 0 … 1, premultiplied as in MapLibre.
enum ExpressionFixture {
  static func run(json: PropertyValue) -> PropertyValue {
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
        outputs = inputs.map { output(of: compiled, for: $0, rootKey: fixture["rootKey"]) }
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
    of compiled: CompiledExpression, for input: PropertyValue, rootKey: PropertyValue?
  ) -> PropertyValue {
    var globals: OrderedDictionary<String, PropertyValue> = [:]
    var feature: OrderedDictionary<String, PropertyValue> = [:]
    if case .array(let pair) = input {
      globals = members(pair.first)
      feature = members(pair.dropFirst().first)
    }
    var images: Set<String> = []
    if case .array(let names)? = globals["availableImages"] {
      images = Set(names.compactMap { if case .string(let name) = $0 { name } else { nil } })
    }
    let context = EvaluationContext(
      zoom: number(globals["zoom"]),
      feature: FixtureFeature(
        feature, names: compiled.propertyNames, inTile: globals["canonicalID"] != nil),
      accumulated: globals["accumulated"].map(ExpressionValue.init) ?? .null,
      heatmapDensity: number(globals["heatmapDensity"]),
      lineProgress: number(globals["lineProgress"]),
      isImage: { [images] in images.contains($0) },
      positionSteps: positionSteps(globals["canonicalID"]))
    do {
      return FixtureOutput.json(try compiled.evaluateThrowing(context), type: compiled.type)
    } catch {
      var message = error.message
      if case .string(let rootKey)? = rootKey {
        message = "\(rootKey)\(error.keyString): \(message)"
      }
      return .object(["error": .string(message)])
    }
  }

  /// Returns the number of steps around the world, 8,192 per tile, for the tile that the feature
  /// comes from.
  private static func positionSteps(_ tile: PropertyValue?) -> Double? {
    guard case .object(let members)? = tile else { return nil }
    let zoom = min(max(number(members["z"]).rounded(), 0), 30)
    return 8192 * Double(UInt64(1) << UInt64(zoom))
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
