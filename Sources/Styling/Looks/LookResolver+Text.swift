import Expressions
import Raster

extension LookResolver {
  /// Returns the label of a feature, lying flat; `nil` if it has no text.
  func text(_ feature: any LookFeature) throws -> TextLook? {
    let opacity = values.number(.textOpacity, 1, feature)
    var style = textStyle(feature)
    let (sections, images) = sections(feature, opacity: opacity, size: style.size)
    guard sections.contains(where: { $0.text.contains { !$0.isWhitespace } }) else { return nil }
    style.writingMode = writingModes(of: sections)[0]
    style = try fitted(style, to: sections, feature)
    let translate = values.offset(.textTranslate, feature)
    var look = TextLook(
      sections: sections, style: style,
      color: values.color(.textColor, .black, feature).faded(opacity),
      haloColor: values.color(.textHaloColor, .transparent, feature).faded(opacity),
      haloWidth: max(0, values.number(.textHaloWidth, 0, feature)),
      haloBlur: max(0, values.number(.textHaloBlur, 0, feature)),
      translateX: translate.x, translateY: translate.y)
    look.images = images
    if !images.isEmpty { look.imageOpacity = min(max(opacity, 0), 1) }
    return look
  }

  /// Returns the sections of `text-field`, in the letter case of `text-transform`, with their
  /// images. Sections of missing images are left out and counted.
  private func sections(
    _ feature: any LookFeature, opacity: Double, size: Double
  ) -> (sections: [TextSection], images: [StyleImage]) {
    guard let formatted = formatted(feature) else { return ([], []) }
    let transform = values.string(.textTransform, "none", feature)
    var images: [StyleImage] = []
    let sections = formatted.sections.compactMap { section -> TextSection? in
      let align = TextSection.VerticalAlign(named: section.verticalAlign)
      if let wanted = section.image {
        guard let image = values.image(named: wanted.name), size > 0 else { return nil }
        images.append(image)
        return TextSection(
          InlineImage(image, number: images.count - 1, textSize: size), verticalAlign: align)
      }
      return TextSection(
        Self.transformed(section.text, by: transform), scale: section.scale ?? 1,
        fontStack: section.fontStack.map { Self.fonts(named: $0) },
        color: section.textColor?.faded(opacity), verticalAlign: align)
    }
    return (sections, images)
  }

  private func formatted(_ feature: any LookFeature) -> FormattedText? {
    switch values.value(.textField, feature) {
    case .formatted(let text)?: text
    case .string(let text)?: FormattedText(text)
    default: nil
    }
  }

  private static func transformed(_ text: String, by transform: String) -> String {
    switch transform {
    case "uppercase": text.uppercased()
    case "lowercase": text.lowercased()
    default: text
    }
  }

  /// Whether lines with the same text are joined at their ends and labelled as one.
  package var mergesLines: Bool {
    layer.kind == .symbol && placement == .line && parts == .all && hasText
  }

  /// Returns the text by which the lines of a feature are merged with others'; `nil` if the layer
  /// writes none.
  package func mergedText(of feature: any LookFeature) -> String? {
    guard values.matches(feature), let formatted = formatted(feature) else { return nil }
    let text = formatted.sections.map(\.text).joined()
    guard !text.isEmpty else { return nil }
    return Self.transformed(text, by: values.string(.textTransform, "none", feature))
  }

  /// Whether labels take up more or less room in placement than they cover: as in MapLibre, the
  /// room of the whole zoom above.
  package var hasOtherTextRoom: Bool { values.isOfZoom(.textSize) }

  /// Returns the width of a label in placement as a multiple of its drawn width.
  package func textRoom(_ feature: any LookFeature) -> Double {
    ratio(ofTextSizeAt: values.roomZoom, feature)
  }

  /// Returns the size that decides the positions of labels along a line, as a multiple of their
  /// drawn size: as in MapLibre, the size at zoom 18, so that labels keep their positions from
  /// zoom to zoom.
  package func anchorScale(_ feature: any LookFeature) -> Double {
    values.isOfZoom(.textSize) ? ratio(ofTextSizeAt: Self.anchorZoom, feature) : 1
  }

  /// Returns the label size that decides the positions of icons without labels along a line.
  package func anchorSize(_ feature: any LookFeature) -> Double {
    textSize(values.number(.textSize, 16, feature, at: Self.anchorZoom))
  }

  private static let anchorZoom = 18.0

  private func ratio(ofTextSizeAt zoom: Double, _ feature: any LookFeature) -> Double {
    let size = textSize(values.number(.textSize, 16, feature))
    let other = textSize(values.number(.textSize, 16, feature, at: zoom))
    return size > 0 ? other / size : 1
  }

  private func textSize(_ value: Double) -> Double { min(max(value, 0), Self.largestSize) }

  private func textStyle(_ feature: any LookFeature) -> TextStyle {
    let anchor = TextStyle.Anchor(named: values.string(.textAnchor, "center", feature))
    let offset = textOffset(feature, anchor: anchor)
    return TextStyle(
      fontStack: values.strings(.textFont, Self.defaultFonts, feature),
      size: textSize(values.number(.textSize, 16, feature)),
      letterSpacing: values.number(.textLetterSpacing, 0, feature),
      lineHeight: values.number(.textLineHeight, 1.2, feature),
      // Only labels at points are wrapped.
      maxWidth: placement == .point ? values.number(.textMaxWidth, 10, feature) : 0,
      justify: TextStyle.Justify(named: values.string(.textJustify, "center", feature)),
      anchor: anchor, offsetX: offset.x, offsetY: offset.y,
      rotate: values.number(.textRotate, 0, feature))
  }

  /// Returns `text-radial-offset` if it is set, otherwise `text-offset`, in ems.
  private func textOffset(_ feature: any LookFeature, anchor: TextStyle.Anchor)
    -> (x: Double, y: Double)
  {
    let radial = values.number(.textRadialOffset, 0, feature)
    guard radial != 0 else { return values.offset(.textOffset, feature) }
    let moved = LabelVariant(anchor: anchor, radialOffset: radial)
    return (moved.offsetX, moved.offsetY)
  }

  /// The largest `text-size`, in style pixels, the same at all densities.
  private static let largestSize = TextStyle.maxSize / 2

  /// Returns the names of a comma-separated list, as `format` provides it.
  private static func fonts(named list: String) -> [String] {
    list.split(separator: ",").map { name in
      String(name.drop { $0 == " " })
    }
  }

  /// The default fonts of the style specification.
  static let defaultFonts = ["Open Sans Regular", "Arial Unicode MS Regular"]

  /// Returns the style for `text-fit`: the size shrinks until the text fits that many pixels in
  /// width.
  private func fitted(
    _ style: TextStyle, to sections: [TextSection], _ feature: any LookFeature
  ) throws -> TextStyle {
    guard let room = values.optionalNumber(.textFit, feature), room >= 0 else { return style }
    let width = try shaper.advanceWidth(of: sections, style: style)
    guard width > room, width > 0 else { return style }
    var smaller = style
    smaller.size = style.size * room / width
    return smaller
  }
}

extension InlineImage {
  /// Creates an image in a text; its size does not follow the size of the letters.
  ///
  /// As in MapLibre, the image is moved by one pixel to the right and three down.
  fileprivate init(_ image: StyleImage, number: Int, textSize: Double) {
    self.init(
      number: number, width: image.displayWidth / textSize, height: image.displayHeight / textSize,
      shiftX: 1 / textSize, shiftY: 3 / textSize)
  }
}

extension TextSection.VerticalAlign {
  /// Creates a value from a word of the expression language; `bottom` for any other.
  fileprivate init(named name: String?) {
    switch name {
    case "center": self = .center
    case "top": self = .top
    default: self = .bottom
    }
  }
}

extension TextStyle.Justify {
  /// Creates a value from a word of the style specification; `center` for any other.
  init(named name: String) {
    switch name {
    case "auto": self = .auto
    case "left": self = .left
    case "right": self = .right
    default: self = .center
    }
  }
}

extension TextStyle.Anchor {
  /// Creates a value from a word of the style specification; `center` for any other.
  init(named name: String) {
    switch name {
    case "left": self = .left
    case "right": self = .right
    case "top": self = .top
    case "bottom": self = .bottom
    case "top-left": self = .topLeft
    case "top-right": self = .topRight
    case "bottom-left": self = .bottomLeft
    case "bottom-right": self = .bottomRight
    default: self = .center
    }
  }
}
