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
  private let shaper: TextShaper
  private var values: [StyleProperty: Value] = [:]
  private let filterList: Int

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
    case .background, .heatmap: look = nil
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

  /// Whether labels may cover one another.
  func allowsOverlap(_ feature: any LookFeature) -> Bool { flag(.textAllowOverlap, feature) }

  /// Whether labels take no place from others.
  func ignoresPlacement(_ feature: any LookFeature) -> Bool { flag(.textIgnorePlacement, feature) }

  /// Extra room around a label when it looks for a place, in px.
  func padding(_ feature: any LookFeature) -> Double { number(.textPadding, 2, feature) }

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

  private func text(_ feature: any LookFeature) throws -> TextLook? {
    var text = string(.textField, "", feature)
    switch string(.textTransform, "none", feature) {
    case "uppercase": text = text.uppercased()
    case "lowercase": text = text.lowercased()
    default: break
    }
    guard text.contains(where: { !$0.isWhitespace }) else { return nil }
    let style = try fitted(textStyle(feature), to: text, feature)
    let opacity = number(.textOpacity, 1, feature)
    let translate = offset(.textTranslate, feature)
    return TextLook(
      text: text, style: style, color: color(.textColor, .black, feature).faded(opacity),
      haloColor: color(.textHaloColor, .transparent, feature).faded(opacity),
      haloWidth: max(0, number(.textHaloWidth, 0, feature)),
      haloBlur: max(0, number(.textHaloBlur, 0, feature)),
      translateX: translate.x, translateY: translate.y)
  }

  private func textStyle(_ feature: any LookFeature) -> TextStyle {
    let offset = offset(.textOffset, feature)
    return TextStyle(
      fontStack: strings(.textFont, Self.defaultFonts, feature),
      size: max(0, number(.textSize, 16, feature)),
      letterSpacing: number(.textLetterSpacing, 0, feature),
      lineHeight: number(.textLineHeight, 1.2, feature),
      maxWidth: number(.textMaxWidth, 10, feature),
      justify: TextStyle.Justify(named: string(.textJustify, "center", feature)),
      anchor: TextStyle.Anchor(named: string(.textAnchor, "center", feature)),
      offsetX: offset.x, offsetY: offset.y, rotate: number(.textRotate, 0, feature))
  }

  /// The fonts of the style specification's default.
  static let defaultFonts = ["Open Sans Regular", "Arial Unicode MS Regular"]

  /// `text-fit`: the size shrinks until the text is at most that many px wide.
  private func fitted(_ style: TextStyle, to text: String, _ feature: any LookFeature)
    throws -> TextStyle
  {
    guard let room = optionalNumber(.textFit, feature), room >= 0 else { return style }
    let width = try shaper.advanceWidth(of: text, style: style)
    guard width > room, width > 0 else { return style }
    var smaller = style
    smaller.size = style.size * room / width
    return smaller
  }

  // MARK: Values

  private func value(_ property: StyleProperty, _ feature: any LookFeature) -> ExpressionValue? {
    switch values[property] {
    case nil: return nil
    case .constant(let value): return value
    case .dynamic(let expression, let list):
      feature.bind(expression.propertyNames, list: list)
      return expression.evaluate(EvaluationContext(zoom: zoom, feature: feature))
    }
  }

  private func number(_ property: StyleProperty, _ fallback: Double, _ feature: any LookFeature)
    -> Double
  {
    optionalNumber(property, feature) ?? fallback
  }

  private func optionalNumber(_ property: StyleProperty, _ feature: any LookFeature) -> Double? {
    guard case .number(let number)? = value(property, feature), number.isFinite else { return nil }
    return number
  }

  private func color(_ property: StyleProperty, _ fallback: Color, _ feature: any LookFeature)
    -> Color
  {
    guard case .color(let color)? = value(property, feature) else { return fallback }
    return color
  }

  private func flag(_ property: StyleProperty, _ feature: any LookFeature) -> Bool {
    value(property, feature) == .bool(true)
  }

  private func string(_ property: StyleProperty, _ fallback: String, _ feature: any LookFeature)
    -> String
  {
    switch value(property, feature) {
    case .string(let text)?: text
    case .formatted(let formatted)?: formatted.text
    default: fallback
    }
  }

  private func strings(
    _ property: StyleProperty, _ fallback: [String], _ feature: any LookFeature
  ) -> [String] {
    guard case .array(let items)? = value(property, feature) else { return fallback }
    let strings = items.compactMap { item in
      if case .string(let text) = item { text } else { nil }
    }
    return strings.isEmpty ? fallback : strings
  }

  private func offset(_ property: StyleProperty, _ feature: any LookFeature)
    -> (x: Double, y: Double)
  {
    guard case .array(let items)? = value(property, feature), items.count == 2,
      case .number(let x) = items[0], case .number(let y) = items[1], x.isFinite, y.isFinite
    else { return (0, 0) }
    return (min(max(x, -4096), 4096), min(max(y, -4096), 4096))
  }
}

extension TextStyle.Justify {
  /// The word of the style specification; `center` for any other.
  fileprivate init(named name: String) {
    switch name {
    case "auto": self = .auto
    case "left": self = .left
    case "right": self = .right
    default: self = .center
    }
  }
}

extension TextStyle.Anchor {
  /// The word of the style specification; `center` for any other.
  fileprivate init(named name: String) {
    switch name {
    case "left": self = .left
    case "right": self = .right
    case "top": self = .top
    case "bottom": self = .bottom
    case "top-left": self = .topLeft
    case "top-right": self = .topRight
    case "bottom-left": self = .bottomLeft
    case "bottom-right": self = .bottomRight
    default: self = .center
    }
  }
}
