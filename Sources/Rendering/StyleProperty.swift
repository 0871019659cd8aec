package import Expressions
import Features

/// The paint and layout properties that layers may set, by their names in the MapLibre style
/// specification; `text-fit` is Quadrille's own.
package enum StyleProperty: String, CaseIterable, Hashable, Sendable {
  case backgroundColor = "background-color"
  case backgroundOpacity = "background-opacity"

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

  case textField = "text-field"
  case textFont = "text-font"
  case textSize = "text-size"
  case textFit = "text-fit"
  case textMaxWidth = "text-max-width"
  case textLineHeight = "text-line-height"
  case textLetterSpacing = "text-letter-spacing"
  case textJustify = "text-justify"
  case textAnchor = "text-anchor"
  case textRotate = "text-rotate"
  case textPadding = "text-padding"
  case textOffset = "text-offset"
  case textTransform = "text-transform"
  case textAllowOverlap = "text-allow-overlap"
  case textIgnorePlacement = "text-ignore-placement"
  case symbolSortKey = "symbol-sort-key"
  case textColor = "text-color"
  case textOpacity = "text-opacity"
  case textHaloColor = "text-halo-color"
  case textHaloWidth = "text-halo-width"
  case textHaloBlur = "text-halo-blur"
  case textTranslate = "text-translate"

  case heatmapRadius = "heatmap-radius"
  case heatmapWeight = "heatmap-weight"
  case heatmapIntensity = "heatmap-intensity"
  case heatmapColor = "heatmap-color"
  case heatmapOpacity = "heatmap-opacity"

  /// Whether the property stands under `layout:` rather than `paint:`.
  var isLayout: Bool {
    switch self {
    case .circleSortKey, .textField, .textFont, .textSize, .textFit, .textMaxWidth,
      .textLineHeight, .textLetterSpacing, .textJustify, .textAnchor, .textRotate, .textPadding,
      .textOffset, .textTransform, .textAllowOverlap, .textIgnorePlacement, .symbolSortKey:
      true
    default:
      false
    }
  }

  /// The layer type that it belongs to.
  var kind: StyleLayer.Kind {
    let prefix = rawValue.prefix { $0 != "-" }
    return StyleLayer.Kind(rawValue: String(prefix)) ?? .symbol
  }

  /// Type, default and range as the style specification has them.
  package var specification: PropertySpecification {
    switch self {
    case .backgroundColor: .color("#000000", isDataDriven: false)
    case .circleColor, .circleStrokeColor, .textColor: .color("#000000")
    case .textHaloColor: .color("rgba(0, 0, 0, 0)")
    case .backgroundOpacity: .number(1, in: 0...1, isDataDriven: false)
    case .circleOpacity, .circleStrokeOpacity, .textOpacity: .number(1, in: 0...1)
    case .circleRadius: .number(5, in: 0...)
    case .circleBlur, .textRotate, .textLetterSpacing: .number(0)
    case .circleStrokeWidth, .textHaloWidth, .textHaloBlur: .number(0, in: 0...)
    case .circleSortKey, .symbolSortKey: .number(nil)
    case .textSize: .number(16, in: 0...)
    case .textFit: .number(nil, in: 0...)
    case .textMaxWidth: .number(10, in: 0...)
    case .textLineHeight: .number(1.2, isDataDriven: false)
    case .textPadding: .number(2, in: 0...)
    case .circleTranslate, .textTranslate: .offset(isDataDriven: false)
    // On a flat map with north up these make no difference.
    case .circleTranslateAnchor, .circlePitchScale: .orientation("map")
    case .circlePitchAlignment: .orientation("viewport")
    case .textOffset: .offset()
    case .textField: .formatted
    case .textFont: .fonts
    case .textJustify: .enumeration("center", ["auto", "left", "center", "right"])
    case .textTransform: .enumeration("none", ["none", "uppercase", "lowercase"])
    case .textAnchor:
      .enumeration(
        "center",
        [
          "center", "left", "right", "top", "bottom", "top-left", "top-right", "bottom-left",
          "bottom-right",
        ])
    case .textAllowOverlap, .textIgnorePlacement: .flag(false)
    case .heatmapRadius: .number(30, in: 1...)
    case .heatmapWeight: .number(1, in: 0...)
    case .heatmapIntensity: .number(1, in: 0..., isDataDriven: false)
    case .heatmapOpacity: .number(1, in: 0...1, isDataDriven: false)
    case .heatmapColor: .heatmapColor
    }
  }
}
