/// The points of a feature that carry labels: `symbol-placement`.
package enum SymbolPlacement: String {
  case point
  case line
  case lineCenter = "line-center"
}

/// The parts of a feature that carry symbols: `symbol-parts`.
package enum SymbolParts: String {
  case all
  case largest
}

/// The behaviour of a label that overlaps another: `text-overlap`.
package enum LabelOverlap: String, BitwiseCopyable {
  case never
  /// A label may cover other cooperative labels and labels that always show.
  case cooperative
  case always

  /// Returns whether a label may show over one that was placed before it.
  package func allows(_ placed: LabelOverlap) -> Bool {
    switch self {
    case .always: true
    case .cooperative: placed != .never
    case .never: false
    }
  }
}

extension LookResolver {
  /// Whether the glyphs of a label follow the line.
  package var followsLine: Bool {
    placement != .point && values.word(.textRotationAlignment) != "viewport"
  }

  /// Whether glyphs that follow a line stay upright.
  package var keepsGlyphsUpright: Bool { values.word(.textRotationAlignment) == "viewport-glyph" }

  /// The value of `text-overlap`, or its equivalent in `text-allow-overlap`.
  package var overlap: LabelOverlap {
    values.word(.textOverlap).flatMap(LabelOverlap.init)
      ?? (values.constantFlag(.textAllowOverlap, false) ? .always : .never)
  }

  /// The value of `icon-overlap`, or its equivalent in `icon-allow-overlap`.
  package var iconOverlap: LabelOverlap {
    values.word(.iconOverlap).flatMap(LabelOverlap.init)
      ?? (values.constantFlag(.iconAllowOverlap, false) ? .always : .never)
  }

  /// Whether the layer writes labels, and whether it draws icons.
  package var hasText: Bool { layer.properties[.textField] != nil }
  package var hasIcon: Bool { layer.properties[.iconImage] != nil }

  /// Whether labels do not block other symbols.
  package var ignoresPlacement: Bool { values.constantFlag(.textIgnorePlacement, false) }

  /// Whether icons do not block other symbols.
  package var iconIgnoresPlacement: Bool { values.constantFlag(.iconIgnorePlacement, false) }

  /// Whether an icon is drawn without its label, and a label without its icon, if only one of the
  /// two finds room.
  package var isTextOptional: Bool { values.constantFlag(.textOptional, false) }
  package var isIconOptional: Bool { values.constantFlag(.iconOptional, false) }

  /// Whether the layer blocks other symbols.
  package var blocksOthers: Bool {
    (hasText && !ignoresPlacement) || (hasIcon && !iconIgnoresPlacement)
  }

  /// Whether the room for the layer's symbols depends on other symbols.
  package var looksForRoom: Bool {
    guard layer.kind == .symbol else { return false }
    return (hasText && (overlap != .always || hasVariants)) || (hasIcon && iconOverlap != .always)
  }

  /// Whether symbols that look for room keep off the layer's circles or charts: `circle-obstacle`,
  /// `chart-obstacle`.
  package var isObstacle: Bool {
    switch layer.kind {
    case .circle: values.constantFlag(.circleObstacle, false)
    case .chart: values.constantFlag(.chartObstacle, false)
    default: false
    }
  }

  /// Whether icons are turned with the line that they stand on.
  package var turnsIcons: Bool {
    placement != .point && values.word(.iconRotationAlignment) != "viewport"
  }

  /// Returns the extra space around an icon during placement, in pixels.
  package func iconPadding(_ feature: any LookFeature) -> BoxSides {
    values.sides(.iconPadding, 2, feature)
  }

  /// Returns the extra space around a label during placement, in pixels.
  package func padding(_ feature: any LookFeature) -> Double {
    values.number(.textPadding, 2, feature)
  }

  /// Whether features are ordered from north to south, and placed from south to north.
  package var isOrderedByLatitude: Bool {
    layer.kind == .symbol
      && (values.word(.symbolZOrder) == "viewport-y" || (isByLatitudeUnasked && looksForRoom))
  }

  /// Whether labels that may cover others are drawn from north to south, whatever the order of the
  /// features; the layer then needs no separate order of features.
  package var isDrawnFromNorth: Bool { isByLatitudeUnasked && !looksForRoom }

  /// Whether `symbol-z-order` is `auto` and so orders by latitude: symbols may cover others and
  /// have no sort key.
  private var isByLatitudeUnasked: Bool {
    let mayCover =
      (hasText && (overlap != .never || ignoresPlacement))
      || (hasIcon && (iconOverlap != .never || iconIgnoresPlacement))
    guard layer.kind == .symbol, !hasSortKey, mayCover else { return false }
    return values.word(.symbolZOrder) ?? "auto" == "auto"
  }

  /// Whether the layer needs a separate order of features.
  package var standsAlone: Bool { hasSortKey || isOrderedByLatitude || hasVariants }
}
