import Expressions
import Raster

/// A resolver of a shape's look in one `fill` or `line` layer at one zoom.
package struct ShapeLookResolver {
  let layer: StyleLayer

  /// The layer's index in the style.
  package let index: Int

  private let values: LayerValues

  /// See ``StyleZoom/magnification``.
  private let magnification: Double

  /// Device pixels per style pixel.
  private let scale: Double

  /// The colours of `line-gradient`; `nil` without it.
  private let gradient: [Color]?

  package init(
    _ layer: StyleLayer, index: Int, zoom: Double, scale: Int, images: ScaledImages = .none,
    nextList: inout Int
  ) {
    self.layer = layer
    self.index = index
    self.scale = Double(scale)
    magnification = StyleZoom(zoom).magnification
    values = LayerValues(layer, zoom: zoom, images: images, nextList: &nextList)
    gradient = layer.properties[.lineGradient].map { expression in
      (0...LineGradient.steps).map { step in
        expression.color(
          EvaluationContext(
            zoom: Double(zoom), lineProgress: Double(step) / Double(LineGradient.steps)))
      }
    }
  }

  /// The looks of one shape in a layer.
  package struct Looks {
    package var area: ShapeLook?
    /// The look of a line, or of an area's outline; drawn over the areas of all shapes of the
    /// layer.
    package var line: ShapeLook?
  }

  /// Returns whether a shape passes the layer's filter.
  package func shows(_ shape: any LookFeature) -> Bool { values.matches(shape) }

  /// Returns the looks of a shape that the layer shows.
  package func looks(of shape: any LookFeature) -> Looks {
    var looks = Looks()
    if layer.kind == .fill {
      let fill = fill(shape)
      looks.area = fill.map { .fill($0) }
      looks.line = fill.flatMap { outline(of: $0, shape) }.map { .line($0) }
    } else {
      looks.line = line(shape).map { .line($0) }
    }
    if looks.area?.isInvisible == true { looks.area = nil }
    if looks.line?.isInvisible == true { looks.line = nil }
    return looks
  }

  /// The missing images that evaluated shapes asked for.
  package var missingImages: MissingImages { values.missingImages }

  /// Properties whose value was not finite.
  package var unusable: Set<StyleProperty> { values.unusable }

  /// Whether all shapes that the layer shows look the same.
  package var isUniform: Bool { values.isConstant }

  private var sortProperty: StyleProperty { layer.kind == .fill ? .fillSortKey : .lineSortKey }

  /// Whether the layer orders its shapes by a key.
  package var hasSortKey: Bool { layer.properties[sortProperty] != nil }

  /// Returns the sort key of a shape; 0 if it has none.
  package func sortKey(of shape: any LookFeature) -> Double {
    values.number(sortProperty, 0, shape)
  }

  /// Returns the look of an area; `nil` if its pattern is not there.
  private func fill(_ shape: any LookFeature) -> FillLook? {
    let opacity = values.number(.fillOpacity, 1, shape)
    let translate = values.offset(.fillTranslate, shape)
    var pattern: PatternLook?
    if layer.properties[.fillPattern] != nil {
      guard let image = values.image(.fillPattern, shape) else { return nil }
      pattern = PatternLook(image: image, opacity: opacity, magnification: magnification)
    }
    let hasPlainEdges =
      pattern == nil
      ? values.optionalColor(.fillOutlineColor, shape) != nil
      : layer.properties[.fillOutlineColor] != nil
    return FillLook(
      color: values.color(.fillColor, .black, shape).faded(opacity), pattern: pattern,
      isOnlyColor: values.isConstant(.fillColor) && values.isConstant(.fillOpacity),
      isAntialiased: values.flag(.fillAntialias, true, shape), hasPlainEdges: hasPlainEdges,
      layerOpacity: min(max(values.number(.fillLayerOpacity, 1, shape), 0), 1),
      translateX: translate.x, translateY: translate.y)
  }

  /// Returns the look of `fill-outline-color`: a line of one device pixel, as in MapLibre.
  private func outline(of fill: FillLook, _ shape: any LookFeature) -> LineLook? {
    guard fill.isAntialiased, fill.pattern == nil,
      let color = values.optionalColor(.fillOutlineColor, shape)
    else {
      return nil
    }
    return LineLook(
      stroke: StrokeStyle(width: 1), color: color.faded(values.number(.fillOpacity, 1, shape)),
      isOnlyLook: values.isConstant(.fillOutlineColor) && values.isConstant(.fillOpacity),
      layerOpacity: fill.layerOpacity,
      translateX: fill.translateX, translateY: fill.translateY)
  }

  /// Returns the look of a line; `nil` if its pattern is not there.
  private func line(_ shape: any LookFeature) -> LineLook? {
    let translate = values.offset(.lineTranslate, shape)
    let color = values.color(.lineColor, .black, shape)
    let opacity = values.number(.lineOpacity, 1, shape)
    var paint: LinePaint?
    if layer.properties[.linePattern] != nil {
      guard let image = values.image(.linePattern, shape) else { return nil }
      paint = .pattern(
        PatternLook(image: image, opacity: opacity), width: wholeZoomWidth(shape))
    } else if let gradient {
      paint = .gradient(LineGradient(gradient, opacity: opacity))
    }
    return LineLook(
      stroke: stroke(shape), color: color.faded(opacity), paint: paint,
      isOnlyLook: values.isConstant,
      layerOpacity: min(max(values.number(.lineLayerOpacity, 1, shape), 0), 1),
      translateX: translate.x, translateY: translate.y)
  }

  /// Returns the line's width at the whole zoom below, magnified to this zoom, in device pixels:
  /// the unit of patterns that repeat along the line.
  private func wholeZoomWidth(_ shape: any LookFeature) -> Double {
    length(values.wholeZoomNumber(.lineWidth, 1, shape)) * magnification
  }

  /// Returns the stroke in device pixels; `line-dasharray` is in multiples of the line width.
  private func stroke(_ shape: any LookFeature) -> StrokeStyle {
    var stroke = StrokeStyle(
      width: length(values.number(.lineWidth, 1, shape)),
      gapWidth: length(values.number(.lineGapWidth, 0, shape)),
      offset: length(values.number(.lineOffset, 0, shape), from: -Self.widest),
      blur: length(values.number(.lineBlur, 0, shape)),
      cap: StrokeStyle.Cap(named: values.string(.lineCap, "butt", shape)),
      join: StrokeStyle.Join(named: values.string(.lineJoin, "miter", shape)),
      miterLimit: values.number(.lineMiterLimit, 2, shape),
      roundLimit: values.number(.lineRoundLimit, 1.05, shape))
    stroke.isGlow = stroke.blur >= Self.glow * scale
    let dashes = values.numbers(.lineDasharray, shape)
    if !dashes.isEmpty {
      stroke.dashWidth = wholeZoomWidth(shape)
      stroke.dashes = dashes.map { max($0, 0) * stroke.dashWidth }
      // MapLibre makes the ends of dashes twice as soft at whole zooms.
      stroke.dashSoftness = magnification == 1 ? 1 : 0.5 * magnification
    }
    if !dashes.isEmpty || layer.properties[.linePattern] != nil {
      stroke.dashCornerLength = 15 * scale * magnification
    }
    return stroke
  }

  /// The blur in style pixels from which a line is a glow rather than a soft line.
  private static let glow = 16.0

  /// The maximum width in style pixels; wider lines are drawn at this width.
  private static let widest = 2048.0

  /// Returns a length of the style in device pixels, clamped to the drawable range.
  private func length(_ value: Double, from least: Double = 0) -> Double {
    min(max(value, least), Self.widest) * scale
  }
}

extension StrokeStyle.Cap {
  /// Creates a value from a word of the style specification; `butt` for any other.
  fileprivate init(named name: String) {
    switch name {
    case "round": self = .round
    case "square": self = .square
    default: self = .butt
    }
  }
}

extension StrokeStyle.Join {
  /// Creates a value from a word of the style specification; `miter` for any other.
  fileprivate init(named name: String) {
    switch name {
    case "round": self = .round
    case "bevel": self = .bevel
    default: self = .miter
    }
  }
}
