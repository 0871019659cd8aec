import Raster

extension LookResolver {
  /// Returns the icon of a feature; `nil` if it has none.
  ///
  /// - Parameter text: the feature's label, which the icon may be fitted to.
  package func icon(_ feature: any LookFeature, around text: TextLook?) throws -> IconLook? {
    guard let image = values.image(.iconImage, feature) else { return nil }
    let size = iconSize(values.number(.iconSize, 1, feature))
    guard size > 0 else { return nil }
    var icon =
      try fitted(image, to: text, size: size, feature)
      ?? unfitted(image, size: size, feature)
    // In MapLibre either all icons of a layer keep their pixels, or none does.
    icon.isSmooth = !values.isConstant(.iconSize) || !values.isConstant(.iconRotate)
    let rotate = values.number(.iconRotate, 0, feature)
    icon.rotate = rotate.truncatingRemainder(dividingBy: 360)
    icon.opacity = min(max(values.number(.iconOpacity, 1, feature), 0), 1)
    let translate = values.offset(.iconTranslate, feature)
    icon.translateX = translate.x
    icon.translateY = translate.y
    guard image.geometry.isSDF else { return icon }
    icon.color = values.color(.iconColor, .black, feature)
    icon.haloColor = values.color(.iconHaloColor, .transparent, feature)
    icon.haloWidth = max(0, LayerValues.held(values.number(.iconHaloWidth, 0, feature)))
    icon.haloBlur = max(0, LayerValues.held(values.number(.iconHaloBlur, 0, feature)))
    return icon
  }

  /// Whether icons take up more or less room in placement than they cover: as in MapLibre, the
  /// room of the whole zoom above.
  package var hasOtherIconRoom: Bool { values.isOfZoom(.iconSize) }

  /// Returns the width of an icon in placement as a multiple of its drawn width.
  package func iconRoom(_ feature: any LookFeature) -> Double {
    let size = iconSize(values.number(.iconSize, 1, feature))
    let later = iconSize(values.number(.iconSize, 1, feature, at: values.roomZoom))
    return size > 0 ? later / size : 1
  }

  private func iconSize(_ value: Double) -> Double { min(max(value, 0), Self.largestIcon) }

  /// Returns `icon-offset`. MapLibre moves an icon that turns with its line by 1/24 more, since it
  /// also places the icon beside the line, like a glyph of 1/24 of its size.
  private func iconOffset(_ feature: any LookFeature) -> (x: Double, y: Double) {
    let offset = values.offset(.iconOffset, feature)
    guard turnsIcons else { return offset }
    return (offset.x * 25 / 24, offset.y * 25 / 24)
  }

  /// The largest `icon-size`.
  private static let largestIcon = 256.0

  /// Returns an icon at its anchor, moved by `icon-offset`.
  private func unfitted(
    _ image: StyleImage, size: Double, _ feature: any LookFeature
  ) -> IconLook {
    let anchor = TextStyle.Anchor(named: values.string(.iconAnchor, "center", feature))
    let offset = iconOffset(feature)
    let left = offset.x - image.displayWidth * (1 - anchor.rightward) / 2
    let top = offset.y - image.displayHeight * (1 - anchor.downward) / 2
    return IconLook(
      image: image,
      columns: [
        IconLook.Stop(texel: 0, place: left * size),
        IconLook.Stop(texel: Double(image.width), place: (left + image.displayWidth) * size),
      ],
      rows: [
        IconLook.Stop(texel: 0, place: top * size),
        IconLook.Stop(texel: Double(image.height), place: (top + image.displayHeight) * size),
      ])
  }

  /// Returns an icon around its text; `nil` without `icon-text-fit` or text.
  ///
  /// As in MapLibre, a fitted icon has no anchor: in a direction in which it is not fitted, it is
  /// centred on the text.
  private func fitted(
    _ image: StyleImage, to text: TextLook?, size: Double, _ feature: any LookFeature
  ) throws -> IconLook? {
    let fit = values.word(.iconTextFit) ?? "none"
    guard fit != "none", let text else { return nil }
    let layout = try shaper.layout(text.sections, style: text.style)
    var flat = text.style
    flat.rotate = 0
    let box = flat.box(width: layout.width, height: layout.height, scale: 1)
    let padding = values.sides(.iconTextFitPadding, 0, feature)
    let offset = iconOffset(feature)
    var columns = (
      from: (box.minX + box.maxX - image.displayWidth) / 2,
      to: (box.minX + box.maxX + image.displayWidth) / 2
    )
    var rows = (
      from: (box.minY + box.maxY - image.displayHeight) / 2,
      to: (box.minY + box.maxY + image.displayHeight) / 2
    )
    if fit != "height" { columns = (box.minX - padding.left, box.maxX + padding.right) }
    if fit != "width" { rows = (box.minY - padding.top, box.maxY + padding.bottom) }
    columns = (columns.from + offset.x, columns.to + offset.x)
    rows = (rows.from + offset.y, rows.to + offset.y)
    image.geometry.keepProportion(&columns, &rows)
    let content = image.geometry.content
    let ratio = image.geometry.pixelRatio
    var icon = IconLook(
      image: image,
      columns: IconAxis(
        length: image.width, zones: image.geometry.stretchX,
        content: content.map { ($0.left, $0.right) }, pixelRatio: ratio
      ).stops(from: columns.from, to: columns.to, size: size),
      rows: IconAxis(
        length: image.height, zones: image.geometry.stretchY,
        content: content.map { ($0.top, $0.bottom) }, pixelRatio: ratio
      ).stops(from: rows.from, to: rows.to, size: size))
    icon.isFitted = size == 1
    return icon
  }
}

extension StyleImageGeometry {
  /// Lengthens one side of a fitted content where the image asks for a proportion: `textFitWidth` and
  /// `textFitHeight`.
  ///
  /// As in MapLibre, the side grows around the symbol's anchor, to whole style pixels.
  fileprivate func keepProportion(
    _ columns: inout (from: Double, to: Double), _ rows: inout (from: Double, to: Double)
  ) {
    guard let content else { return }
    let proportion = (content.right - content.left) / (content.bottom - content.top)
    let (width, height) = (columns.to - columns.from, rows.to - rows.from)
    guard width > 0, height > 0 else { return }
    func grow(_ side: inout (from: Double, to: Double), to length: Double) {
      side.from *= length.rounded(.up) / (side.to - side.from)
      side.to = side.from + length.rounded(.up)
    }
    switch (textFitWidth, textFitHeight) {
    case (.stretchOnly, .proportional) where width / height < proportion,
      (.proportional, .proportional):
      grow(&columns, to: height * proportion)
    case (.proportional, .stretchOnly) where width / height > proportion:
      grow(&rows, to: width / proportion)
    default: break
    }
  }
}

/// One axis of an image that is fitted to a text: some of its pixels stretch, the others keep their
/// size.
private struct IconAxis {
  private let length: Double
  private let zones: [ClosedRange<Double>]
  private let pixelRatio: Double

  /// The part that covers the text, in pixels of the image.
  private let content: (from: Double, to: Double)

  init(
    length: Int, zones: [ClosedRange<Double>], content: (Double, Double)?, pixelRatio: Double
  ) {
    self.length = Double(length)
    self.zones = zones.isEmpty ? [0...Double(length)] : zones
    self.pixelRatio = pixelRatio
    let whole = (from: 0.0, to: Double(length))
    let part = content.map { (from: $0.0, to: $0.1) } ?? whole
    // Content of which nothing stretches cannot be fitted.
    self.content =
      Self.stretched(self.zones, from: part.from, to: part.to) > 0 ? part : whole
  }

  /// Returns the places of the image's pixels where its content covers a range.
  ///
  /// - Parameter size: the factor of `icon-size`, which applies to the pixels that stretch.
  func stops(from: Double, to: Double, size: Double) -> [IconLook.Stop] {
    let before = Self.stretched(zones, from: 0, to: content.from)
    let within = Self.stretched(zones, from: content.from, to: content.to)
    let fixedBefore = content.from - before
    let fixedWithin = content.to - content.from - within
    var texels = [0.0]
    for edge in zones.flatMap({ [$0.lowerBound, $0.upperBound] }) + [length]
    where edge > texels[texels.count - 1] {
      texels.append(edge)
    }
    return texels.map { texel in
      let stretched = Self.stretched(zones, from: 0, to: texel)
      let share = (stretched - before) / within
      let fixed = texel - stretched - fixedBefore - fixedWithin * share
      return IconLook.Stop(
        texel: texel, place: (from + (to - from) * share) * size + fixed / pixelRatio)
    }
  }

  /// Returns the length of the zones within a range.
  private static func stretched(
    _ zones: [ClosedRange<Double>], from: Double, to: Double
  ) -> Double {
    zones.reduce(0) { $0 + max(min($1.upperBound, to) - max($1.lowerBound, from), 0) }
  }
}
