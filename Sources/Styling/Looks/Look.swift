import Features
package import Raster

/// A circle with all values resolved: the look of one feature in one `circle` layer.
///
/// Lengths are style pixels; colours include their opacity.
package struct CircleLook: Hashable, Sendable {
  package var radius: Double
  package var blur: Double = 0
  package var color: Color
  package var strokeWidth: Double = 0
  package var strokeColor: Color = .transparent
  /// The offset of `circle-translate`, in pixels eastward and southward.
  package var translateX: Double = 0
  package var translateY: Double = 0

  /// Returns the circle's shape; a stroke of the fill's colour makes a larger disc.
  ///
  /// - Parameter scale: device pixels per style pixel.
  package func shape(scale: Double) -> CircleShape {
    var shape = CircleShape(radius: radius * scale, strokeWidth: strokeWidth * scale, blur: blur)
    if color == strokeColor, !shape.isBlurred, shape.strokeWidth > 0 {
      shape.radius = max(shape.radius, 0) + shape.strokeWidth
      shape.strokeWidth = 0
    }
    return shape
  }

  /// Whether the circle shows nothing.
  var isInvisible: Bool {
    let fills = radius > 0 && color.alpha > 0
    let strokes = strokeWidth > 0 && strokeColor.alpha > 0
    return !fills && !strokes
  }
}

/// A label with all values resolved: the look of one feature in one `symbol` layer.
///
/// Lengths are style pixels; colours include their opacity; the style's size is already fitted.
package struct TextLook: Hashable, Sendable {
  /// The text, split where its look changes; the sections' colours also include the opacity.
  package var sections: [TextSection]
  package var style: TextStyle
  /// The position of each glyph along a line, in pixels around the anchor; empty if the text lies
  /// flat.
  package var poses: [GlyphPose] = []
  package var color: Color
  package var haloColor = Color.transparent
  package var haloWidth = 0.0
  package var haloBlur = 0.0
  /// The offset of `text-translate`, in pixels eastward and southward.
  package var translateX = 0.0
  package var translateY = 0.0

  /// The images among the letters, by the number of ``InlineImage``. Distance fields have the colours
  /// of the text.
  package var images: [StyleImage] = []

  /// The opacity of other images, which have colours of their own.
  package var imageOpacity = 1.0

  /// The text of all sections, joined; setting it replaces them with one section.
  package var text: String {
    get { sections.count == 1 ? sections[0].text : sections.map(\.text).joined() }
    set { sections = [TextSection(newValue)] }
  }

  /// Whether the label shows nothing.
  var isInvisible: Bool {
    guard style.size > 0 else { return true }
    let halo = haloWidth > 0 && haloColor.alpha > 0
    return !sections.contains { section in
      !section.text.isEmpty && (halo || (section.color ?? color).alpha > 0 || showsImage(section))
    }
  }

  private func showsImage(_ section: TextSection) -> Bool {
    guard let image = section.image else { return false }
    return images[image.number].geometry.isSDF ? color.alpha > 0 : imageOpacity > 0
  }
}

extension TextShaper {
  /// Returns the glyphs of a label, in device pixels.
  ///
  /// - Parameter scale: device pixels per style pixel.
  package func shape(_ look: TextLook, scale: Double) throws -> ShapedText {
    var style = look.style
    style.size *= scale
    guard !look.poses.isEmpty else { return try shape(look.sections, style: style) }
    let poses = look.poses.map { pose in
      GlyphPose(
        x: pose.x * Float(scale), y: pose.y * Float(scale), cosine: pose.cosine, sine: pose.sine)
    }
    return try layout(look.sections, style: style).shaped(along: poses)
  }
}

/// The look of one feature in one layer.
package enum Look: Hashable, Sendable {
  case circle(CircleLook)
  case chart(ChartLook)
  case leg(LegLook)
  case text(TextLook)
  case icon(IconLook)

  var isInvisible: Bool {
    switch self {
    case .circle(let circle): circle.isInvisible
    case .chart(let chart): chart.isInvisible
    case .leg(let leg): leg.isInvisible
    case .text(let text): text.isInvisible
    case .icon(let icon): icon.isInvisible
    }
  }

  package var translateX: Double {
    switch self {
    case .circle(let circle): circle.translateX
    case .chart(let chart): chart.translateX
    case .leg: 0
    case .text(let text): text.translateX
    case .icon(let icon): icon.translateX
    }
  }

  package var translateY: Double {
    switch self {
    case .circle(let circle): circle.translateY
    case .chart(let chart): chart.translateY
    case .leg: 0
    case .text(let text): text.translateY
    case .icon(let icon): icon.translateY
    }
  }

  /// The hash of all values that determine the look's pixels.
  var contentHash: StableHash {
    var hash = StableHash()
    switch self {
    case .circle(let look):
      hash.combine(1)
      for value in [look.radius, look.blur, look.strokeWidth] { hash.combine(value) }
      hash.combine(look.color)
      hash.combine(look.strokeColor)
    case .chart(let look): hash.combine(look)
    case .leg(let look): hash.combine(look)
    case .text(let look):
      hash.combine(2)
      hash.combine(look.sections.count)
      for section in look.sections { hash.combine(section) }
      hash.combine(look.style)
      hash.combine(look.poses.count)
      for pose in look.poses { hash.combine(pose) }
      hash.combine(look.color)
      hash.combine(look.haloColor)
      hash.combine(look.haloWidth)
      hash.combine(look.haloBlur)
      hash.combine(look.images.count)
      for image in look.images { hash.combine(image.hash) }
      if !look.images.isEmpty { hash.combine(look.imageOpacity) }
    case .icon(let look): hash.combine(look)
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

  mutating func combine(_ section: TextSection) {
    combine(section.text)
    combine(section.scale)
    combine(section.fontStack?.count ?? -1)
    for font in section.fontStack ?? [] { combine(font) }
    combine(section.color == nil ? 0 : 1)
    if let color = section.color { combine(color) }
    combine(Int(section.verticalAlign.rawValue))
    combine(section.image.map { $0.number } ?? -1)
    guard let image = section.image else { return }
    for length in [image.width, image.height, image.shiftX, image.shiftY] { combine(length) }
  }

  mutating func combine(_ pose: GlyphPose) {
    for value in [pose.x, pose.y, pose.cosine, pose.sine] { combine(Double(value)) }
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
    combine(
      Int(style.writingMode.rawValue) << 16 | Int(style.justify.rawValue) << 8
        | Int(style.anchor.rawValue))
  }
}
