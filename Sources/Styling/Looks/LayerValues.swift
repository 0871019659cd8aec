import Expressions
import Raster

/// The property values of one layer at one zoom.
///
/// Properties that do not depend on the feature are evaluated once.
package final class LayerValues {
  /// A property's value at this zoom, or the expression that computes it.
  private enum Value {
    case constant(ExpressionValue)
    case dynamic(CompiledExpression, list: Int)
  }

  private let layer: StyleLayer
  private let zoom: StyleZoom
  private var values: [StyleProperty: Value] = [:]
  private let filterList: Int
  private let images: ScaledImages
  private let isImage: @Sendable (String) -> Bool

  /// The images that evaluated features asked for and did not get.
  private(set) package var missingImages = MissingImages()

  /// The number of requests for a missing image.
  private(set) package var missedImages = 0

  /// Properties whose value was not finite, for all features or for an evaluated one.
  private(set) package var unusable: Set<StyleProperty> = []

  /// - Parameter nextList: a counter that numbers the list of names of every expression.
  init(_ layer: StyleLayer, zoom: Double, images: ScaledImages, nextList: inout Int) {
    self.layer = layer
    self.zoom = StyleZoom(zoom)
    self.images = images
    isImage = images.isImage
    filterList = nextList
    nextList += 1
    for property in StyleProperty.allCases where property.kind == layer.kind {
      guard let expression = layer.properties[property] else { continue }
      if expression.isFeatureConstant {
        let context = EvaluationContext(zoom: self.zoom.zoom(of: property), isImage: isImage)
        values[property] = expression.finiteValue(context).map { .constant($0) }
        if values[property] == nil { unusable.insert(property) }
      } else {
        values[property] = .dynamic(expression, list: nextList)
        nextList += 1
      }
    }
  }

  /// Whether every property has one value for all features.
  var isConstant: Bool { values.keys.allSatisfy { isConstant($0) } }

  /// Returns whether a property has one value for all features.
  package func isConstant(_ property: StyleProperty) -> Bool {
    if case .dynamic = values[property] { false } else { true }
  }

  /// Returns whether a feature passes the layer's filter.
  func matches(_ feature: any LookFeature) -> Bool {
    guard let filter = layer.filter else { return true }
    feature.bind(filter.propertyNames, list: filterList)
    return filter.matches(EvaluationContext(zoom: zoom.whole, feature: feature))
  }

  /// Returns the value of a property, `nil` if the style does not set it.
  func value(_ property: StyleProperty, _ feature: any LookFeature) -> ExpressionValue? {
    switch values[property] {
    case nil: return nil
    case .constant(let value): return value
    case .dynamic(let expression, let list):
      feature.bind(expression.propertyNames, list: list)
      let value = expression.finiteValue(
        EvaluationContext(zoom: zoom.zoom(of: property), feature: feature, isImage: isImage))
      if value == nil { unusable.insert(property) }
      return value
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

  /// Returns a number evaluated at the whole zoom at or below.
  func wholeZoomNumber(_ property: StyleProperty, _ fallback: Double, _ feature: any LookFeature)
    -> Double
  {
    zoom.exact == zoom.whole
      ? number(property, fallback, feature)
      : number(property, fallback, feature, at: zoom.whole)
  }

  /// Returns a number evaluated at another zoom.
  func number(
    _ property: StyleProperty, _ fallback: Double, _ feature: any LookFeature, at zoom: Double
  ) -> Double {
    guard let expression = layer.properties[property], !expression.isZoomConstant else {
      return number(property, fallback, feature)
    }
    if case .dynamic(_, let list) = values[property] {
      feature.bind(expression.propertyNames, list: list)
    }
    let context = EvaluationContext(zoom: zoom, feature: feature, isImage: isImage)
    guard case .number(let number)? = expression.finiteValue(context) else { return fallback }
    return number
  }

  /// The zoom at which the size of symbols counts for placement: as in MapLibre, the whole zoom
  /// above.
  var roomZoom: Double { zoom.whole + 1 }

  /// Whether a property has different values at different zooms.
  func isOfZoom(_ property: StyleProperty) -> Bool {
    layer.properties[property]?.isZoomConstant == false
  }

  func color(_ property: StyleProperty, _ fallback: Color, _ feature: any LookFeature) -> Color {
    optionalColor(property, feature) ?? fallback
  }

  func optionalColor(_ property: StyleProperty, _ feature: any LookFeature) -> Color? {
    guard case .color(let color)? = value(property, feature) else { return nil }
    return color
  }

  func flag(_ property: StyleProperty, _ fallback: Bool, _ feature: any LookFeature) -> Bool {
    guard case .bool(let flag)? = value(property, feature) else { return fallback }
    return flag
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
    let strings = items.compactMap { if case .string(let text) = $0 { text } else { nil } }
    return strings.isEmpty ? fallback : strings
  }

  /// Returns a list of numbers; empty if one of them is not finite.
  func numbers(_ property: StyleProperty, _ feature: any LookFeature) -> [Double] {
    guard case .array(let items)? = value(property, feature) else { return [] }
    let numbers = items.compactMap { item -> Double? in
      if case .number(let number) = item, number.isFinite { number } else { nil }
    }
    return numbers.count == items.count ? numbers : []
  }

  /// Returns the image that a property names; `nil` if it names none, or one that is not there,
  /// which is counted.
  func image(_ property: StyleProperty, _ feature: any LookFeature) -> StyleImage? {
    guard case .image(let image)? = value(property, feature) else { return nil }
    return self.image(named: image.name)
  }

  /// Returns the image of a name, and counts one that is not there.
  func image(named name: String) -> StyleImage? {
    guard !name.isEmpty else { return nil }
    if let found = images[name] { return found }
    missingImages.count(name)
    missedImages += 1
    return nil
  }

  /// Returns lengths at the top, right, bottom and left, clamped to ± 4,096.
  func sides(
    _ property: StyleProperty, _ fallback: Double, _ feature: any LookFeature
  ) -> BoxSides {
    var sides = [fallback, fallback, fallback, fallback]
    if case .padding(let padding)? = value(property, feature) {
      sides = padding
    } else {
      let numbers = numbers(property, feature)
      if numbers.count == 4 { sides = numbers }
    }
    guard sides.count == 4, sides.allSatisfy(\.isFinite) else { return BoxSides() }
    return BoxSides(
      top: Self.held(sides[0]), right: Self.held(sides[1]), bottom: Self.held(sides[2]),
      left: Self.held(sides[3]))
  }

  /// Returns two lengths eastward and southward, clamped to ± 4,096.
  func offset(_ property: StyleProperty, _ feature: any LookFeature) -> (x: Double, y: Double) {
    let pair = numbers(property, feature)
    guard pair.count == 2 else { return (0, 0) }
    return (Self.held(pair[0]), Self.held(pair[1]))
  }

  /// Returns a number of pixels or ems, clamped to the range that can be drawn.
  static func held(_ number: Double) -> Double { min(max(number, -4096), 4096) }
}

// Properties that do not depend on the feature.
extension LayerValues {
  /// Returns the word of a property, `nil` if it is not set or depends on the feature.
  func word(_ property: StyleProperty) -> String? {
    guard case .constant(.string(let word))? = values[property] else { return nil }
    return word
  }

  /// Returns the words of a list; empty if it is not set or depends on the feature.
  func words(_ property: StyleProperty) -> [String] {
    guard case .constant(.array(let items))? = values[property] else { return [] }
    return items.compactMap { if case .string(let text) = $0 { text } else { nil } }
  }

  package func constant(_ property: StyleProperty, _ fallback: Double) -> Double {
    guard case .constant(.number(let number))? = values[property], number.isFinite else {
      return fallback
    }
    return number
  }

  package func constantFlag(_ property: StyleProperty, _ fallback: Bool) -> Bool {
    guard case .constant(.bool(let flag))? = values[property] else { return fallback }
    return flag
  }
}
