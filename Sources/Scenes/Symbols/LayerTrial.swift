import Clustering
package import Columns
import Expressions
package import Features
package import Styling

/// A trial of a layer on the features of its source, up to the first feature for which everything
/// works.
///
/// It finds problems that no picture shows: features of which the layer draws nothing, and
/// expressions that always fall back to their default.
package struct LayerTrial: Sendable {
  /// An expression that has no value for any feature.
  package struct ValuelessExpression: Hashable, Sendable {
    /// The name of the property, and the block that contains it.
    package let property: String
    package let block: String

    /// The properties of records that the expression reads.
    package let propertyNames: [String]

    /// The value that is drawn instead; `nil` if the property has no default.
    package let standIn: PropertyValue?

    /// The reason why the first feature has no value, as a sentence.
    package let reason: String
  }

  private struct Pending: Sendable {
    let property: StyleProperty
    let expression: CompiledExpression
    /// The number of the expression's list of names.
    let list: Int
    var reason: String?
  }

  package let layer: StyleLayer
  private var pending: [Pending] = []

  /// Whether the layer shows at any zoom that was tried.
  package private(set) var isShown = false

  /// Whether the source has geometries of a type that the layer draws.
  package private(set) var hasGeometry = false

  /// Whether the filter lets any features through.
  package private(set) var hasFeatures = false

  package init(_ layer: StyleLayer) {
    self.layer = layer
    for property in StyleProperty.allCases {
      guard let expression = layer.properties[property], !expression.isFeatureConstant else {
        continue
      }
      pending.append(Pending(property: property, expression: expression, list: pending.count + 1))
    }
  }

  /// Whether the filter reads the type of the geometry, and so allows for other types.
  package var expectsOtherGeometry: Bool { layer.filter?.usesGeometryType == true }

  /// Whether every expression had a value, so that no other feature needs to be tried.
  package var isSettled: Bool { hasFeatures && pending.isEmpty }

  /// Whether a feature that fails at one zoom may succeed at another.
  package var dependsOnZoom: Bool {
    layer.filter?.isZoomConstant == false || pending.contains { !$0.expression.isZoomConstant }
  }

  /// The expressions that had no value for any feature that the filter let through.
  package var failures: [ValuelessExpression] {
    pending.compactMap { pending in
      pending.reason.map { reason in
        ValuelessExpression(
          property: pending.property.rawValue,
          block: pending.property.block,
          propertyNames: pending.expression.propertyNames,
          standIn: pending.property.specification.default, reason: reason)
      }
    }
  }

  /// Adds the trial of the same layer on other features, which come after those of this one.
  package mutating func add(_ other: LayerTrial) {
    isShown = isShown || other.isShown
    hasGeometry = hasGeometry || other.hasGeometry
    hasFeatures = hasFeatures || other.hasFeatures
    pending = pending.compactMap { pending in
      guard let same = other.pending.first(where: { $0.property == pending.property }) else {
        return nil
      }
      var pending = pending
      pending.reason = pending.reason ?? same.reason
      return pending
    }
  }

  /// Appends the findings to bytes that ``restore(_:)`` reads.
  package func append(to writer: inout ByteWriter) {
    writer.append((isShown ? 1 : 0) | (hasGeometry ? 2 : 0) | (hasFeatures ? 4 : 0))
    writer.append(pending.count)
    for pending in pending {
      writer.append(pending.property.rawValue)
      writer.append(pending.reason == nil ? 0 : 1)
      writer.append(pending.reason ?? "")
    }
  }

  /// Restores the findings of the same layer.
  package mutating func restore(_ reader: inout ByteReader) throws(ByteReader.Damage) {
    let flags = try reader.count()
    (isShown, hasGeometry, hasFeatures) = (flags & 1 > 0, flags & 2 > 0, flags & 4 > 0)
    var reasons: [String: String?] = [:]
    for _ in 0..<(try reader.count()) {
      let property = try reader.text()
      let hasReason = try reader.count() == 1
      let reason = try reader.text()
      reasons[property] = .some(hasReason ? reason : nil)
    }
    pending = pending.compactMap { pending in
      guard let reason = reasons[pending.property.rawValue] else { return nil }
      var pending = pending
      pending.reason = reason
      return pending
    }
  }

  /// Tries the features of a zoom.
  ///
  /// - Complexity: O(features) until the trial is settled.
  package mutating func take(_ source: SymbolSource, shapes: ShapeSet, zoom: Int) {
    guard layer.shows(at: Double(zoom)) else { return }
    isShown = true
    guard !isSettled else { return }
    if layer.drawsPoints(at: zoom), layer.kind != .leg || source.stacks != nil {
      take(
        FeatureView(
          points: source.points, level: source.level, aggregateNames: source.aggregateNames),
        kept: source.keptPoints, zoom: zoom)
    }
    if source.level?.isAreal == true, layer.kind == .fill || layer.kind == .line {
      take(FeatureView(source, areas: nil), kept: nil, zoom: zoom)
    }
    if layer.kind != .raster, layer.kind != .leg {
      take(FeatureView(shapes: shapes), kept: source.keptShapes, zoom: zoom) { [layer] row in
        layer.kind != .fill || shapes.geometry.hasRing(row)
      }
    }
  }

  private mutating func take(
    _ feature: FeatureView, kept: Column<Bool>?, zoom: Int,
    isDrawn: (Int) -> Bool = { _ in true }
  ) {
    let context = EvaluationContext(zoom: Double(zoom), feature: feature)
    for row in 0..<feature.count where kept?[row] != false && isDrawn(row) {
      hasGeometry = true
      feature.row = row
      if let filter = layer.filter {
        feature.bind(filter.propertyNames, list: 0)
        guard filter.matches(context) else { continue }
      }
      hasFeatures = true
      evaluate(feature, context)
      if pending.isEmpty { return }
    }
  }

  private mutating func evaluate(_ feature: FeatureView, _ context: EvaluationContext) {
    for place in pending.indices.reversed() {
      let expression = pending[place].expression
      feature.bind(expression.propertyNames, list: pending[place].list)
      if let reason = expression.reasonForDefault(context) {
        pending[place].reason = pending[place].reason ?? reason
      } else {
        pending.remove(at: place)
      }
    }
  }
}

extension StyleLayer {
  /// Returns whether the layer draws points; a layer that writes along lines does not.
  fileprivate func drawsPoints(at zoom: Int) -> Bool {
    switch kind {
    case .circle, .chart, .leg, .heatmap: return true
    case .symbol:
      let context = EvaluationContext(zoom: Double(zoom))
      return properties[.symbolPlacement].map { $0.string(context) == "point" } ?? true
    case .background, .fill, .line, .raster: return false
    }
  }
}

extension GeometryColumn {
  /// Returns whether a record has an area.
  fileprivate func hasRing(_ record: Int) -> Bool {
    partRange(record).contains { parts[$0] == .outerRing }
  }
}
