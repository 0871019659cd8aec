package import Raster

/// A resolver of a feature's look in one `circle`, `chart` or `symbol` layer at one zoom.
package final class LookResolver {
  package let layer: StyleLayer
  package let index: Int
  let shaper: TextShaper
  package let values: LayerValues

  /// The points of a feature that carry the layer's labels.
  private(set) package lazy var placement =
    values.word(.symbolPlacement).flatMap(SymbolPlacement.init) ?? .point

  /// The parts of a feature that carry the layer's symbols; all for circles and charts.
  private(set) package lazy var parts =
    values.word(.symbolParts).flatMap(SymbolParts.init) ?? .all

  /// - Parameters:
  ///   - index: the layer's index in the style.
  ///   - nextList: a counter that numbers the list of names of every expression.
  package init(
    _ layer: StyleLayer, index: Int, zoom: Double, shaper: TextShaper, images: ScaledImages = .none,
    nextList: inout Int
  ) {
    self.layer = layer
    self.index = index
    self.shaper = shaper
    values = LayerValues(layer, zoom: zoom, images: images, nextList: &nextList)
  }

  /// Returns the looks of a feature, back to front: a circle, a chart, or an icon and the label over it;
  /// empty if the layer does not show it.
  ///
  /// - Throws: an error if a font cannot be loaded.
  package func looks(of feature: any LookFeature) throws -> [Look] {
    guard values.matches(feature) else { return [] }
    var looks: [Look] = []
    switch layer.kind {
    case .circle: looks = [.circle(circle(feature))]
    case .chart: looks = chart(feature).map { [.chart($0)] } ?? []
    case .leg: looks = leg(feature).map { [.leg($0)] } ?? []
    case .symbol:
      let text = hasText ? try text(feature) : nil
      if hasIcon, let icon = try icon(feature, around: text) { looks.append(.icon(icon)) }
      if let text { looks.append(.text(text)) }
    case .background, .fill, .line, .heatmap, .raster: break
    }
    return looks.filter { !$0.isInvisible }
  }

  /// Whether the layer's filter lets a feature through.
  package func takes(_ feature: any LookFeature) -> Bool { values.matches(feature) }

  /// Returns the sort key of a feature, `nil` if the layer has none.
  package func sortKey(of feature: any LookFeature) -> Double? {
    values.optionalNumber(sortProperty, feature)
  }

  private var sortProperty: StyleProperty {
    switch layer.kind {
    case .circle: .circleSortKey
    case .chart: .chartSortKey
    default: .symbolSortKey
    }
  }

  /// Whether the layer orders its features by a key.
  package var hasSortKey: Bool { layer.properties[sortProperty] != nil }

  private func circle(_ feature: any LookFeature) -> CircleLook {
    let translate = values.offset(.circleTranslate, feature)
    return CircleLook(
      radius: radius(values.number(.circleRadius, 5, feature)),
      blur: LayerValues.held(max(0, values.number(.circleBlur, 0, feature))),
      color: values.color(.circleColor, .black, feature).faded(
        values.number(.circleOpacity, 1, feature)),
      strokeWidth: radius(values.number(.circleStrokeWidth, 0, feature)),
      strokeColor: values.color(.circleStrokeColor, .black, feature)
        .faded(values.number(.circleStrokeOpacity, 1, feature)),
      translateX: translate.x, translateY: translate.y)
  }

  /// The largest radius and the largest stroke, in style pixels; larger values are drawn at this
  /// size. Together they are within ``CircleShape/maxRadius`` at density 2.
  private static let largestRadius = CircleShape.maxRadius / 4

  /// Returns a radius or a stroke width, clamped to the drawable range, the same at all densities.
  func radius(_ value: Double) -> Double { min(max(value, 0), Self.largestRadius) }
}

extension [LookResolver] {
  /// Returns the looks of a feature in the layers, back to front.
  package func stack(of feature: any LookFeature) throws -> LookStack {
    var stack: LookStack = []
    for resolver in self {
      for look in try resolver.looks(of: feature) {
        stack.append(StackedLook(layer: resolver.index, look: look))
      }
    }
    return stack
  }
}
