package import Raster

/// A circle with everything decided: what one feature looks like in one `circle` layer.
///
/// Lengths are style pixels, colours carry their opacity.
package struct CircleLook: Hashable, Sendable {
  package var radius: Double
  package var blur: Double
  package var color: Color
  package var strokeWidth: Double
  package var strokeColor: Color
  /// `circle-translate`: px eastward and southward.
  package var translateX: Double
  package var translateY: Double

  package init(
    radius: Double, blur: Double = 0, color: Color, strokeWidth: Double = 0,
    strokeColor: Color = .transparent, translateX: Double = 0, translateY: Double = 0
  ) {
    self.radius = radius
    self.blur = blur
    self.color = color
    self.strokeWidth = strokeWidth
    self.strokeColor = strokeColor
    self.translateX = translateX
    self.translateY = translateY
  }

  /// Whether nothing of it can be seen.
  var isInvisible: Bool {
    let fills = radius > 0 && color.alpha > 0
    let strokes = strokeWidth > 0 && strokeColor.alpha > 0
    return !fills && !strokes
  }
}

/// A label with everything decided: what one feature looks like in one `symbol` layer.
///
/// Lengths are style pixels, colours carry their opacity; the style's size is already fitted.
package struct TextLook: Hashable, Sendable {
  package var text: String
  package var style: TextStyle
  package var color: Color
  package var haloColor: Color
  package var haloWidth: Double
  package var haloBlur: Double
  /// `text-translate`: px eastward and southward.
  package var translateX: Double
  package var translateY: Double

  package init(
    text: String, style: TextStyle, color: Color, haloColor: Color = .transparent,
    haloWidth: Double = 0, haloBlur: Double = 0, translateX: Double = 0, translateY: Double = 0
  ) {
    self.text = text
    self.style = style
    self.color = color
    self.haloColor = haloColor
    self.haloWidth = haloWidth
    self.haloBlur = haloBlur
    self.translateX = translateX
    self.translateY = translateY
  }

  /// Whether nothing of it can be seen.
  var isInvisible: Bool {
    let halo = haloWidth > 0 && haloColor.alpha > 0
    return text.isEmpty || style.size <= 0 || (color.alpha <= 0 && !halo)
  }
}

/// What one feature looks like in one layer.
package enum Look: Hashable, Sendable {
  case circle(CircleLook)
  case text(TextLook)

  var isInvisible: Bool {
    switch self {
    case .circle(let circle): circle.isInvisible
    case .text(let text): text.isInvisible
    }
  }

  var translateX: Double {
    switch self {
    case .circle(let circle): circle.translateX
    case .text(let text): text.translateX
    }
  }

  var translateY: Double {
    switch self {
    case .circle(let circle): circle.translateY
    case .text(let text): text.translateY
    }
  }

  /// The hash of all that decides its pixels.
  var contentHash: StableHash {
    var hash = StableHash()
    switch self {
    case .circle(let look):
      hash.combine(1)
      for value in [look.radius, look.blur, look.strokeWidth] { hash.combine(value) }
      hash.combine(look.color)
      hash.combine(look.strokeColor)
    case .text(let look):
      hash.combine(2)
      hash.combine(look.text)
      hash.combine(look.style)
      hash.combine(look.color)
      hash.combine(look.haloColor)
      hash.combine(look.haloWidth)
      hash.combine(look.haloBlur)
    }
    hash.combine(translateX)
    hash.combine(translateY)
    return hash
  }
}

extension StableHash {
  mutating func combine(_ color: Color) {
    for value in [color.red, color.green, color.blue, color.alpha] { combine(value) }
  }

  mutating func combine(_ style: TextStyle) {
    combine(style.fontStack.count)
    for font in style.fontStack { combine(font) }
    for value in [
      style.size, style.letterSpacing, style.lineHeight, style.maxWidth, style.offsetX,
      style.offsetY, style.rotate,
    ] {
      combine(value)
    }
    combine("\(style.justify) \(style.anchor)")
  }
}
