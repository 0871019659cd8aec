import Clustering
import Expressions
import Features
package import Raster
package import Styling
package import Tiling

/// A heatmap layer at one zoom: the values that all its points share, and the expressions for
/// values of single points.
package struct HeatLayer {
  /// The value of a property for all features, or the expression that gives each feature its own.
  private enum Value {
    case constant(Double)
    case dynamic(CompiledExpression, list: Int)
  }

  package let layer: StyleLayer

  /// The layer's index in the style.
  package let index: Int

  /// The colours by density, including `heatmap-opacity`.
  package let ramp: HeatmapRamp

  /// The factor of all weights.
  package let intensity: Double

  private let zoom: Double
  private let radius: Value
  private let weight: Value

  /// The index of the filter's list of names among those that a feature is queried with.
  private static let filterList = 0

  /// Creates a heatmap layer at a zoom.
  ///
  /// - Parameter layer: a layer of the kind ``StyleLayer/Kind/heatmap``.
  package init(_ layer: StyleLayer, index: Int, zoom: Double) {
    self.layer = layer
    self.index = index
    self.zoom = zoom
    let context = EvaluationContext(zoom: zoom)
    intensity = layer.properties[.heatmapIntensity]?.number(context) ?? 1
    radius = Self.value(.heatmapRadius, of: layer, default: 30, list: 1, context)
    weight = Self.value(.heatmapWeight, of: layer, default: 1, list: 2, context)
    let opacity = layer.properties[.heatmapOpacity]?.number(context) ?? 1
    ramp = Self.ramp(of: layer, zoom: zoom, opacity: opacity)
  }

  /// Returns the points of a source that pass the filter and whose kernel shows anything.
  ///
  /// Each cluster counts as one point, as in MapLibre; a weight that reads `point_count` makes it
  /// heavier.
  ///
  /// - Complexity: O(features).
  package func points(of source: SymbolSource, grid: PixelGrid) -> HeatPoints {
    let feature = FeatureView(
      points: source.points, level: source.level, aggregateNames: source.aggregateNames)
    let positions = source.level?.positions ?? source.points.positions
    var points = HeatPoints(
      layer: index, grid: grid, ramp: ramp, intensity: intensity, in: source.points.scratch)
    guard ramp.firstVisible != nil else { return points }
    points.reserve(feature.count)
    for row in 0..<feature.count {
      feature.row = row
      guard source.keptPoints?[row] != false, matches(feature) else { continue }
      // Snapping is for symbols; a density has no edges that could be blurred.
      let center = grid.exactCenter(positions[row])
      let radius =
        number(.heatmapRadius, radius, feature, &points.unusable) * Double(grid.scale)
      let weight = number(.heatmapWeight, weight, feature, &points.unusable)
      for x in grid.turns(of: center.x) {
        points.append(x: x, y: center.y, radius: radius, weight: weight)
      }
    }
    addVertices(of: source, to: &points)
    return points
  }

  /// Adds every vertex of lines and polygons as a point, of a vector tile's those in its own square;
  /// the vertex at which a ring begins and ends counts twice, as in MapLibre.
  private func addVertices(of source: SymbolSource, to points: inout HeatPoints) {
    guard let shapes = source.shapes else { return }
    let feature = FeatureView(shapes: shapes.shapes)
    let grid = points.grid
    for record in 0..<shapes.count where source.keptShapes?[record] != false {
      feature.row = record
      guard matches(feature) else { continue }
      let radius =
        number(.heatmapRadius, radius, feature, &points.unusable) * Double(grid.scale)
      let weight = number(.heatmapWeight, weight, feature, &points.unusable)
      let tile = shapes.tile(of: record)
      for vertex in shapes.lines(of: record).joined() {
        guard let place = tile.map({ $0.anchor(at: vertex) }) ?? vertex else { continue }
        let center = grid.exactCenter(place.point)
        for x in grid.turns(of: center.x) {
          points.append(x: x, y: center.y, radius: radius, weight: weight)
        }
      }
    }
  }

  private func matches(_ feature: FeatureView) -> Bool {
    guard let filter = layer.filter else { return true }
    feature.bind(filter.propertyNames, list: Self.filterList)
    return filter.matches(EvaluationContext(zoom: StyleZoom(zoom).whole, feature: feature))
  }

  private func number(
    _ property: StyleProperty, _ value: Value, _ feature: FeatureView,
    _ unusable: inout Set<StyleProperty>
  ) -> Double {
    switch value {
    case .constant(let number): return number
    case .dynamic(let expression, let list):
      feature.bind(expression.propertyNames, list: list)
      let context = EvaluationContext(zoom: zoom, feature: feature)
      if case .number(let number)? = expression.finiteValue(context) { return number }
      unusable.insert(property)
      return expression.number(context)
    }
  }

  private static func value(
    _ property: StyleProperty, of layer: StyleLayer, default fallback: Double, list: Int,
    _ context: EvaluationContext
  ) -> Value {
    guard let expression = layer.properties[property] else { return .constant(fallback) }
    if expression.isFeatureConstant { return .constant(expression.number(context)) }
    return .dynamic(expression, list: list)
  }

  /// Returns the layer's colours at 256 densities; a default ramp that did not compile would be
  /// transparent.
  private static func ramp(of layer: StyleLayer, zoom: Double, opacity: Double) -> HeatmapRamp {
    let specification = PropertySpecification.heatmapColor
    let color =
      layer.properties[.heatmapColor]
      ?? (try? CompiledExpression.compile(PropertySpecification.heatmapRamp, for: specification))
    return HeatmapRamp { density in
      let context = EvaluationContext(zoom: zoom, heatmapDensity: density)
      return PremultipliedColor((color?.color(context) ?? .transparent).faded(opacity))
    }
  }
}
