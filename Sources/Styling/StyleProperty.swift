package import Expressions

/// The paint and layout properties that layers may set, by their names in the MapLibre style
/// specification; `text-fit`, `symbol-parts`, `circle-obstacle` and the properties of charts and legs
/// are specific to Quadrille.
package enum StyleProperty: String, CaseIterable, Hashable, Sendable {
  case backgroundColor = "background-color"
  case backgroundOpacity = "background-opacity"
  case backgroundPattern = "background-pattern"

  case fillAntialias = "fill-antialias"
  case fillOpacity = "fill-opacity"
  case fillLayerOpacity = "fill-layer-opacity"
  case fillColor = "fill-color"
  case fillOutlineColor = "fill-outline-color"
  case fillTranslate = "fill-translate"
  case fillTranslateAnchor = "fill-translate-anchor"
  case fillSortKey = "fill-sort-key"
  case fillPattern = "fill-pattern"

  case lineCap = "line-cap"
  case lineJoin = "line-join"
  case lineMiterLimit = "line-miter-limit"
  case lineRoundLimit = "line-round-limit"
  case lineSortKey = "line-sort-key"
  case lineOpacity = "line-opacity"
  case lineLayerOpacity = "line-layer-opacity"
  case lineColor = "line-color"
  case lineTranslate = "line-translate"
  case lineTranslateAnchor = "line-translate-anchor"
  case lineWidth = "line-width"
  case lineGapWidth = "line-gap-width"
  case lineOffset = "line-offset"
  case lineBlur = "line-blur"
  case lineDasharray = "line-dasharray"
  case linePattern = "line-pattern"
  case lineGradient = "line-gradient"

  case circleRadius = "circle-radius"
  case circleColor = "circle-color"
  case circleBlur = "circle-blur"
  case circleOpacity = "circle-opacity"
  case circleTranslate = "circle-translate"
  case circleTranslateAnchor = "circle-translate-anchor"
  case circlePitchScale = "circle-pitch-scale"
  case circlePitchAlignment = "circle-pitch-alignment"
  case circleStrokeWidth = "circle-stroke-width"
  case circleStrokeColor = "circle-stroke-color"
  case circleStrokeOpacity = "circle-stroke-opacity"
  case circleSortKey = "circle-sort-key"
  case circleObstacle = "circle-obstacle"

  case chartType = "chart-type"
  case chartSlices = "chart-slices"
  case chartSortKey = "chart-sort-key"
  case chartObstacle = "chart-obstacle"
  case chartRadius = "chart-radius"
  case chartHole = "chart-hole"
  case chartHoleColor = "chart-hole-color"
  case chartBarLength = "chart-bar-length"
  case chartBarWidth = "chart-bar-width"
  case chartRotate = "chart-rotate"
  case chartOpacity = "chart-opacity"
  case chartStrokeWidth = "chart-stroke-width"
  case chartStrokeColor = "chart-stroke-color"
  case chartStrokeOpacity = "chart-stroke-opacity"
  case chartTranslate = "chart-translate"

  case legColor = "leg-color"
  case legOpacity = "leg-opacity"
  case legWidth = "leg-width"

  case symbolPlacement = "symbol-placement"
  case symbolParts = "symbol-parts"
  case symbolSpacing = "symbol-spacing"
  case symbolAvoidEdges = "symbol-avoid-edges"
  case symbolZOrder = "symbol-z-order"
  case iconImage = "icon-image"
  case iconSize = "icon-size"
  case iconRotate = "icon-rotate"
  case iconAnchor = "icon-anchor"
  case iconOffset = "icon-offset"
  case iconPadding = "icon-padding"
  case iconOverlap = "icon-overlap"
  case iconAllowOverlap = "icon-allow-overlap"
  case iconIgnorePlacement = "icon-ignore-placement"
  case iconOptional = "icon-optional"
  case iconRotationAlignment = "icon-rotation-alignment"
  case iconPitchAlignment = "icon-pitch-alignment"
  case iconKeepUpright = "icon-keep-upright"
  case iconTextFit = "icon-text-fit"
  case iconTextFitPadding = "icon-text-fit-padding"
  case textField = "text-field"
  case textFont = "text-font"
  case textSize = "text-size"
  case textFit = "text-fit"
  case textMaxWidth = "text-max-width"
  case textLineHeight = "text-line-height"
  case textLetterSpacing = "text-letter-spacing"
  case textJustify = "text-justify"
  case textAnchor = "text-anchor"
  case textRadialOffset = "text-radial-offset"
  case textVariableAnchor = "text-variable-anchor"
  case textVariableAnchorOffset = "text-variable-anchor-offset"
  case textRotate = "text-rotate"
  case textRotationAlignment = "text-rotation-alignment"
  case textPitchAlignment = "text-pitch-alignment"
  case textKeepUpright = "text-keep-upright"
  case textMaxAngle = "text-max-angle"
  case textWritingMode = "text-writing-mode"
  case textPadding = "text-padding"
  case textOffset = "text-offset"
  case textTransform = "text-transform"
  case textOverlap = "text-overlap"
  case textAllowOverlap = "text-allow-overlap"
  case textIgnorePlacement = "text-ignore-placement"
  case textOptional = "text-optional"
  case symbolSortKey = "symbol-sort-key"
  case iconColor = "icon-color"
  case iconOpacity = "icon-opacity"
  case iconHaloColor = "icon-halo-color"
  case iconHaloWidth = "icon-halo-width"
  case iconHaloBlur = "icon-halo-blur"
  case iconTranslate = "icon-translate"
  case iconTranslateAnchor = "icon-translate-anchor"
  case textColor = "text-color"
  case textOpacity = "text-opacity"
  case textHaloColor = "text-halo-color"
  case textHaloWidth = "text-halo-width"
  case textHaloBlur = "text-halo-blur"
  case textTranslate = "text-translate"
  case textTranslateAnchor = "text-translate-anchor"

  case heatmapRadius = "heatmap-radius"
  case heatmapWeight = "heatmap-weight"
  case heatmapIntensity = "heatmap-intensity"
  case heatmapColor = "heatmap-color"
  case heatmapOpacity = "heatmap-opacity"

  case rasterOpacity = "raster-opacity"
  case rasterHueRotate = "raster-hue-rotate"
  case rasterBrightnessMin = "raster-brightness-min"
  case rasterBrightnessMax = "raster-brightness-max"
  case rasterSaturation = "raster-saturation"
  case rasterContrast = "raster-contrast"
  case resampling
  case rasterResampling = "raster-resampling"
  case rasterFadeDuration = "raster-fade-duration"

  /// Whether the property belongs under `layout:` rather than `paint:`.
  var isLayout: Bool {
    switch self {
    case .fillSortKey, .lineCap, .lineJoin, .lineMiterLimit, .lineRoundLimit, .lineSortKey:
      true
    case .symbolPlacement, .symbolParts, .symbolSpacing, .symbolAvoidEdges, .symbolZOrder,
      .textRadialOffset, .textVariableAnchor, .textVariableAnchorOffset, .textRotationAlignment,
      .textPitchAlignment,
      .textKeepUpright, .textMaxAngle, .textWritingMode, .textOverlap, .textOptional:
      true
    case .iconImage, .iconSize, .iconRotate, .iconAnchor, .iconOffset, .iconPadding, .iconOverlap,
      .iconAllowOverlap, .iconIgnorePlacement, .iconOptional, .iconRotationAlignment,
      .iconPitchAlignment, .iconKeepUpright, .iconTextFit, .iconTextFitPadding:
      true
    case .chartType, .chartSlices, .chartSortKey, .chartObstacle: true
    case .circleSortKey, .circleObstacle, .textField, .textFont, .textSize, .textFit, .textMaxWidth,
      .textLineHeight, .textLetterSpacing, .textJustify, .textAnchor, .textRotate, .textPadding,
      .textOffset, .textTransform, .textAllowOverlap, .textIgnorePlacement, .symbolSortKey:
      true
    default:
      false
    }
  }

  /// The block of a layer that contains the property.
  package var block: String { isLayout ? "layout" : "paint" }

  /// Whether the value of the property names an image.
  package var isImage: Bool {
    switch self {
    case .iconImage, .backgroundPattern, .fillPattern, .linePattern: true
    default: false
    }
  }

  /// The layer type that the property belongs to.
  var kind: StyleLayer.Kind {
    if self == .resampling { return .raster }
    let prefix = rawValue.prefix { $0 != "-" }
    return StyleLayer.Kind(rawValue: String(prefix)) ?? .symbol
  }

  /// The type, default and range in the style specification.
  package var specification: PropertySpecification {
    switch self {
    case .backgroundColor: .color("#000000", isDataDriven: false)
    case .fillColor, .lineColor: .color("#000000")
    case .fillOutlineColor: PropertySpecification(type: .color)
    case .fillOpacity, .lineOpacity: .number(1, in: 0...1)
    case .fillAntialias: .flag(true)
    case .fillTranslate, .lineTranslate: .offset(isDataDriven: false)
    case .fillTranslateAnchor, .lineTranslateAnchor: .enumeration("map", ["map", "viewport"])
    case .fillSortKey, .lineSortKey: .number(nil)
    case .lineCap: .enumeration("butt", ["butt", "round", "square"])
    case .lineJoin: .enumeration("miter", ["bevel", "round", "miter"])
    case .fillLayerOpacity, .lineLayerOpacity: .number(1, in: 0...1, isDataDriven: false)
    case .lineMiterLimit: .number(2)
    case .lineRoundLimit: .number(1.05)
    case .lineWidth: .number(1, in: 0...)
    case .lineGapWidth, .lineBlur: .number(0, in: 0...)
    case .lineOffset: .number(0)
    case .lineDasharray:
      PropertySpecification(type: .array(of: .number, count: nil), isInterpolated: false)
    case .circleColor, .circleStrokeColor, .chartStrokeColor, .textColor: .color("#000000")
    case .chartType: .enumeration("pie", ChartLook.Form.allCases.map(\.rawValue))
    case .chartSlices: .slices
    case .legColor: .color("#000000")
    case .legOpacity: .number(1, in: 0...1)
    case .legWidth: .number(1, in: 0...)
    case .chartRadius: .number(15, in: 0...)
    case .chartHole: .number(0.6, in: 0...1)
    case .chartBarLength: .number(40, in: 0...)
    case .chartBarWidth: .number(8, in: 0...)
    case .chartOpacity, .chartStrokeOpacity: .number(1, in: 0...1)
    case .textHaloColor, .chartHoleColor: .color("rgba(0, 0, 0, 0)")
    case .backgroundOpacity: .number(1, in: 0...1, isDataDriven: false)
    case .circleOpacity, .circleStrokeOpacity, .textOpacity: .number(1, in: 0...1)
    case .circleRadius: .number(5, in: 0...)
    case .circleBlur, .chartRotate, .textRotate, .textLetterSpacing: .number(0)
    case .circleStrokeWidth, .chartStrokeWidth, .textHaloWidth, .textHaloBlur: .number(0, in: 0...)
    case .circleSortKey, .chartSortKey, .symbolSortKey: .number(nil)
    case .textSize: .number(16, in: 0...)
    case .textFit: .number(nil, in: 0...)
    case .textMaxWidth: .number(10, in: 0...)
    case .textLineHeight: .number(1.2, isDataDriven: false)
    case .textPadding: .number(2, in: 0...)
    case .circleTranslate, .chartTranslate, .textTranslate: .offset(isDataDriven: false)
    // These have no effect on a flat map with north up.
    case .circleTranslateAnchor, .circlePitchScale: .orientation("map")
    case .circlePitchAlignment: .orientation("viewport")
    case .textOffset: .offset()
    case .textField: .formatted
    case .textFont: .fonts
    case .symbolPlacement:
      .enumeration("point", ["point", "line", "line-center"], isDataDriven: false)
    case .symbolParts: .enumeration("all", ["all", "largest"], isDataDriven: false)
    case .symbolSpacing: .number(250, in: 1..., isDataDriven: false)
    case .symbolZOrder: .enumeration("auto", ["auto", "viewport-y", "source"], isDataDriven: false)
    case .textRadialOffset: .number(0)
    case .textVariableAnchor, .textWritingMode: .words
    case .textVariableAnchorOffset: .anchorOffsets
    case .textRotationAlignment:
      .enumeration("auto", ["map", "viewport", "viewport-glyph", "auto"], isDataDriven: false)
    case .textPitchAlignment:
      .enumeration("auto", ["map", "viewport", "auto"], isDataDriven: false)
    case .textTranslateAnchor: .enumeration("map", ["map", "viewport"], isDataDriven: false)
    case .textKeepUpright: .flag(true)
    case .textMaxAngle: .number(45, isDataDriven: false)
    case .textOverlap:
      .enumeration(nil, ["never", "always", "cooperative"], isDataDriven: false)
    case .textJustify: .enumeration("center", ["auto", "left", "center", "right"])
    case .textTransform: .enumeration("none", ["none", "uppercase", "lowercase"])
    case .textAnchor, .iconAnchor: .enumeration("center", Self.anchors)
    case .backgroundPattern: .image(isDataDriven: false)
    case .fillPattern, .linePattern: .image()
    case .iconImage: .image(hasTokens: true)
    case .lineGradient: .lineGradient
    case .iconSize: .number(1, in: 0...)
    case .iconRotate: .number(0)
    case .iconOffset: .offset()
    case .iconPadding: .padding(2)
    case .iconOverlap:
      .enumeration(nil, ["never", "always", "cooperative"], isDataDriven: false)
    case .iconAllowOverlap, .iconIgnorePlacement, .iconOptional, .iconKeepUpright,
      .circleObstacle, .chartObstacle:
      .flag(false)
    case .iconRotationAlignment, .iconPitchAlignment:
      .enumeration("auto", ["map", "viewport", "auto"], isDataDriven: false)
    case .iconTextFit:
      .enumeration("none", ["none", "width", "height", "both"], isDataDriven: false)
    case .iconTextFitPadding: .sides
    case .iconColor: .color("#000000")
    case .iconHaloColor: .color("rgba(0, 0, 0, 0)")
    case .iconOpacity: .number(1, in: 0...1)
    case .iconHaloWidth, .iconHaloBlur: .number(0, in: 0...)
    case .iconTranslate: .offset(isDataDriven: false)
    case .iconTranslateAnchor: .enumeration("map", ["map", "viewport"], isDataDriven: false)
    case .textAllowOverlap, .textIgnorePlacement, .textOptional, .symbolAvoidEdges: .flag(false)
    case .heatmapRadius: .number(30, in: 1...)
    case .heatmapWeight: .number(1, in: 0...)
    case .heatmapIntensity: .number(1, in: 0..., isDataDriven: false)
    case .heatmapOpacity: .number(1, in: 0...1, isDataDriven: false)
    case .heatmapColor: .heatmapColor
    case .rasterOpacity, .rasterBrightnessMax: .number(1, in: 0...1, isDataDriven: false)
    case .rasterBrightnessMin: .number(0, in: 0...1, isDataDriven: false)
    case .rasterHueRotate: .number(0, isDataDriven: false)
    case .rasterSaturation, .rasterContrast: .number(0, in: -1...1, isDataDriven: false)
    case .resampling, .rasterResampling:
      .enumeration("linear", ["linear", "nearest"], isDataDriven: false)
    // The fade-in time of tiles on a screen, in milliseconds; it has no effect here.
    case .rasterFadeDuration: .number(300, in: 0..., isDataDriven: false)
    }
  }

  /// The words that the property's list may contain; `nil` for other types.
  var listedWords: [String]? {
    switch self {
    case .textVariableAnchor: Self.anchors
    case .textWritingMode: ["horizontal", "vertical"]
    default: nil
    }
  }

  /// The words for parts of a text that may lie at its anchor.
  static let anchors = [
    "center", "left", "right", "top", "bottom", "top-left", "top-right", "bottom-left",
    "bottom-right",
  ]
}
