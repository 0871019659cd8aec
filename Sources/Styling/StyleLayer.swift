package import Expressions
package import Failures
package import Features

/// One layer of a style, with compiled expressions.
package struct StyleLayer: Sendable {
  /// The layer types that can be drawn.
  package enum Kind: String, CaseIterable, Hashable, Sendable {
    case background
    case fill
    case line
    case circle
    case chart
    case leg
    case symbol
    case raster
    case heatmap

    /// Whether the layer marks lines and polygons as it marks points.
    var marksShapes: Bool { isSymbolic && self != .leg || self == .heatmap }

    /// Whether the layer draws symbols: the same picture wherever its feature lies.
    package var isSymbolic: Bool {
      switch self {
      case .circle, .chart, .leg, .symbol: true
      case .background, .fill, .line, .raster, .heatmap: false
      }
    }
  }

  package let id: String
  package let kind: Kind

  /// The id of the source; `nil` for a background.
  package let source: String?

  /// The first zoom at which the layer shows.
  package let minZoom: Double

  /// The zoom from which the layer no longer shows.
  package let maxZoom: Double

  package let isVisible: Bool
  package let filter: CompiledFilter?

  /// The properties that the style sets.
  package let properties: [StyleProperty: CompiledExpression]

  /// Returns whether the layer shows at a tile zoom.
  package func shows(at zoom: Double) -> Bool {
    isVisible && zoom >= minZoom && zoom < maxZoom
  }

  /// Every property name that the layer reads, in a fixed order.
  package var propertyNames: [String] {
    var names: [String] = []
    let filterNames = filter?.propertyNames ?? []
    let lists = [filterNames] + orderedExpressions.map(\.propertyNames)
    for name in lists.joined() where !names.contains(name) { names.append(name) }
    return names
  }

  /// The properties of features that the layer uses as numbers, each with the strictest use.
  package var quantityUses: [String: QuantityUse] {
    let all = [filter?.quantityUses ?? [:]] + orderedExpressions.map { $0.quantityUses() }
    return all.reduce(into: [:]) { $0.merge($1) { max($0, $1) } }
  }

  /// The properties of features that decide how large the layer's circles, charts and labels are.
  package var sizeProperties: [String] {
    let sizes: [StyleProperty] = [
      .circleRadius, .circleStrokeWidth, .chartType, .chartRadius, .chartBarLength, .chartBarWidth,
      .chartStrokeWidth, .textField, .textSize, .textFit, .iconImage, .iconSize,
    ]
    return sizes.flatMap { properties[$0]?.propertyNames ?? [] }
  }

  /// The compiled properties in the order of ``StyleProperty``.
  var orderedExpressions: [CompiledExpression] {
    StyleProperty.allCases.compactMap { properties[$0] }
  }

  /// Whether the layer shows images of the style.
  package var showsImages: Bool {
    properties.contains { property, expression in property.isImage || expression.usesImages }
  }

  /// Whether the layer reads all properties of a feature at once.
  package var usesAllProperties: Bool {
    filter?.usesAllProperties == true || orderedExpressions.contains { $0.usesAllProperties }
  }

  /// Whether the layer reads the feature's id.
  package var usesID: Bool {
    filter?.usesID == true || orderedExpressions.contains { $0.usesID }
  }

  /// Whether the layer reads the feature's geometry.
  package var usesGeometry: Bool {
    filter?.usesGeometry == true || orderedExpressions.contains { $0.usesGeometry }
  }
}

/// An error in a layer, with its location.
package struct StyleError: Error, Hashable, Sendable {
  /// The members and indexes from the layer object down to the error.
  package var key: [KeyStep]
  package var message: String

  /// The errors of other properties of the layer, in the order of the style.
  package private(set) var others: [StyleError] = []

  package init(key: [KeyStep], message: String) {
    self.key = key
    self.message = message
  }
}

extension StyleError {
  /// Creates the first of some errors of a layer, with the others; `nil` without any.
  init?(_ errors: [StyleError]) {
    guard let first = errors.first else { return nil }
    self = first
    others = Array(errors.dropFirst())
  }

  /// Creates the error from the first fault of an expression at a key of the layer.
  init(_ errors: ExpressionErrors, under key: [KeyStep]) {
    let first = errors.errors.first
    self.init(key: key + (first?.key ?? []), message: first?.sentence ?? "invalid expression")
  }
}

extension StyleError: WordedFailure {
  package var failureCode: FailureCode { .definition }
}
