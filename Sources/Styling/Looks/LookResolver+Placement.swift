import Raster

/// Which points of a feature carry labels: `symbol-placement`.
package enum SymbolPlacement: String {
  case point
  case line
  case lineCenter = "line-center"
}

/// What a label does that meets another: `text-overlap`.
package enum LabelOverlap: String {
  case never
  /// Covers others of its kind, and those that always show.
  case cooperative
  case always

  /// Whether a label may show over one that was placed before it.
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

  /// Whether glyphs that follow a line stand upright all the same.
  package var keepsGlyphsUpright: Bool { values.word(.textRotationAlignment) == "viewport-glyph" }

  /// `text-overlap`, or what `text-allow-overlap` says in its stead.
  package var overlap: LabelOverlap {
    values.word(.textOverlap).flatMap(LabelOverlap.init)
      ?? (values.constantFlag(.textAllowOverlap, false) ? .always : .never)
  }

  /// Whether labels take no place from others.
  package var ignoresPlacement: Bool { values.constantFlag(.textIgnorePlacement, false) }

  /// Whether the layer's labels depend on what others leave free.
  package var looksForRoom: Bool { layer.kind == .symbol && (overlap != .always || hasVariants) }

  /// Extra room around a label when it looks for a place, in px.
  package func padding(_ feature: any LookFeature) -> Double {
    values.number(.textPadding, 2, feature)
  }

  /// Whether features come from north to south, and look for room from south to north.
  package var isOrderedByLatitude: Bool {
    layer.kind == .symbol
      && (values.word(.symbolZOrder) == "viewport-y" || (isByLatitudeUnasked && looksForRoom))
  }

  /// Whether labels that may cover others are drawn from north to south, in whatever order they come:
  /// that spares the layer an order of features of its own.
  package var isDrawnFromNorth: Bool { isByLatitudeUnasked && !looksForRoom }

  /// `symbol-z-order: auto`: by latitude where labels may cover others and have no sort key.
  private var isByLatitudeUnasked: Bool {
    guard layer.kind == .symbol, !hasSortKey, overlap != .never || ignoresPlacement else {
      return false
    }
    return values.word(.symbolZOrder) ?? "auto" == "auto"
  }

  /// Whether the layer needs an order of features of its own.
  package var standsAlone: Bool { hasSortKey || isOrderedByLatitude || hasVariants }
}
