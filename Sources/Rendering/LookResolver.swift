import Expressions
import Features
import Raster

/// Decides what a feature looks like in one layer at one zoom.
///
/// Properties that do not depend on the feature are evaluated once.
final class LookResolver {
  /// A property's value at this zoom, or the expression that gives it.
  private enum Value {
    case constant(ExpressionValue)
    case dynamic(CompiledExpression, list: Int)
  }

  let layer: StyleLayer
  let index: Int
  private let zoom: Double
  let shaper: TextShaper
  private var values: [StyleProperty: Value] = [:]
  private let filterList: Int

  /// Which points of a feature carry the layer's labels.
  private(set) lazy var placement =
    word(.symbolPlacement).flatMap(SymbolPlacement.init) ?? .point

  /// - Parameters:
  ///   - index: the layer's index in the style.
  ///   - nextList: a counter that gives every expression's list of names its number.
  init(
    _ layer: StyleLayer, index: Int, zoom: Int, shaper: TextShaper, nextList: inout Int
  ) {
    self.layer = layer
    self.index = index
    self.zoom = Double(zoom)
    self.shaper = shaper
    filterList = nextList
    nextList += 1
    let context = EvaluationContext(zoom: Double(zoom))
    for property in StyleProperty.allCases where property.kind == layer.kind {
      guard let expression = layer.properties[property] else { continue }
      if expression.isFeatureConstant {
        values[property] = .constant(expression.evaluate(context))
      } else {
        values[property] = .dynamic(expression, list: nextList)
        nextList += 1
      }
    }
  }

  /// The look of a feature, or `nil` where the layer does not show it.
  /// - Throws: an error where a font cannot be loaded.
  func look(of feature: any LookFeature) throws -> Look? {
    if let filter = layer.filter {
      feature.bind(filter.propertyNames, list: filterList)
      guard filter.matches(EvaluationContext(zoom: zoom, feature: feature)) else { return nil }
    }
    let look: Look?
    switch layer.kind {
    case .circle: look = .circle(circle(feature))
    case .symbol: look = try text(feature).map { .text($0) }
    case .background, .fill, .line, .heatmap, .raster: look = nil
    }
    return look.flatMap { $0.isInvisible ? nil : $0 }
  }

  /// The sort key of a feature, `nil` where the layer has none.
  func sortKey(of feature: any LookFeature) -> Double? {
    optionalNumber(layer.kind == .circle ? .circleSortKey : .symbolSortKey, feature)
  }

  /// Whether the layer orders its features by a key.
  var hasSortKey: Bool {
    layer.properties[.circleSortKey] != nil || layer.properties[.symbolSortKey] != nil
  }

  // MARK: Kinds

  private func circle(_ feature: any LookFeature) -> CircleLook {
    let translate = offset(.circleTranslate, feature)
    return CircleLook(
      radius: max(0, number(.circleRadius, 5, feature)),
      blur: max(0, number(.circleBlur, 0, feature)),
      color: color(.circleColor, .black, feature).faded(number(.circleOpacity, 1, feature)),
      strokeWidth: max(0, number(.circleStrokeWidth, 0, feature)),
      strokeColor: color(.circleStrokeColor, .black, feature)
        .faded(number(.circleStrokeOpacity, 1, feature)),
      translateX: translate.x, translateY: translate.y)
  }

  // MARK: Values

  func value(_ property: StyleProperty, _ feature: any LookFeature) -> ExpressionValue? {
    switch values[property] {
    case nil: return nil
    case .constant(let value): return value
    case .dynamic(let expression, let list):
      feature.bind(expression.propertyNames, list: list)
      return expression.evaluate(EvaluationContext(zoom: zoom, feature: feature))
    }
  }

  func number(_ property: StyleProperty, _ fallback: Double, _ feature: any LookFeature)
    -> Double
  {
    optionalNumber(property, feature) ?? fallback
  }

  func optionalNumber(_ property: StyleProperty, _ feature: any LookFeature) -> Double? {
    guard case .number(let number)? = value(property, feature), number.isFinite else { return nil }
    return number
  }

  func color(_ property: StyleProperty, _ fallback: Color, _ feature: any LookFeature)
    -> Color
  {
    guard case .color(let color)? = value(property, feature) else { return fallback }
    return color
  }

  func flag(_ property: StyleProperty, _ feature: any LookFeature) -> Bool {
    value(property, feature) == .bool(true)
  }

  /// The word of a property that does not depend on the feature.
  func word(_ property: StyleProperty) -> String? {
    guard case .constant(.string(let word))? = values[property] else { return nil }
    return word
  }

  /// The number of a property that does not depend on the feature.
  func constant(_ property: StyleProperty, _ fallback: Double) -> Double {
    guard case .constant(.number(let number))? = values[property], number.isFinite else {
      return fallback
    }
    return number
  }

  /// The flag of a property that does not depend on the feature.
  func constantFlag(_ property: StyleProperty, _ fallback: Bool) -> Bool {
    guard case .constant(.bool(let flag))? = values[property] else { return fallback }
    return flag
  }

  /// Whether a property is set and depends on the feature.
  func isDynamic(_ property: StyleProperty) -> Bool {
    if case .dynamic? = values[property] { true } else { false }
  }

  func string(_ property: StyleProperty, _ fallback: String, _ feature: any LookFeature)
    -> String
  {
    guard case .string(let text)? = value(property, feature) else { return fallback }
    return text
  }

  func strings(
    _ property: StyleProperty, _ fallback: [String], _ feature: any LookFeature
  ) -> [String] {
    guard case .array(let items)? = value(property, feature) else { return fallback }
    let strings = items.compactMap { item in
      if case .string(let text) = item { text } else { nil }
    }
    return strings.isEmpty ? fallback : strings
  }

  func offset(_ property: StyleProperty, _ feature: any LookFeature)
    -> (x: Double, y: Double)
  {
    guard case .array(let items)? = value(property, feature), items.count == 2,
      case .number(let x) = items[0], case .number(let y) = items[1], x.isFinite, y.isFinite
    else { return (0, 0) }
    return (Self.held(x), Self.held(y))
  }

  /// A number of px or em within what drawing can bear.
  static func held(_ number: Double) -> Double { min(max(number, -4096), 4096) }
}
