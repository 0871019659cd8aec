import Expressions
import Raster

/// One of the places around its anchor and of the directions of its lines that a label may take:
/// `text-variable-anchor`, `text-writing-mode` and related properties.
package struct LabelVariant: Hashable {
  let anchor: TextStyle.Anchor

  /// The offset of the text, in ems.
  private(set) var offsetX: Double
  private(set) var offsetY: Double

  /// The direction of the lines; `nil` for the direction of the label.
  var writingMode: TextStyle.WritingMode?

  /// Creates the place that a label has by itself.
  init(of style: TextStyle) {
    anchor = style.anchor
    offsetX = style.offsetX
    offsetY = style.offsetY
  }

  /// The distance, in ems, from a text's upper edge to the visible upper edge of its letters, from
  /// which offsets are measured, as in MapLibre (7 of 24 units).
  private static let baseline = 7.0 / 24

  /// Creates a place from the style's offset, adjusted for the visible edge of the letters.
  init(anchor: TextStyle.Anchor, x: Double, y: Double) {
    self.anchor = anchor
    offsetX = LayerValues.held(x)
    offsetY = LayerValues.held(y) - Self.baseline * anchor.downward
  }

  /// Creates a place at a distance from the anchor, in ems, diagonal at corners.
  init(anchor: TextStyle.Anchor, radialOffset: Double) {
    let radius = max(radialOffset, 0)
    let isCorner = anchor.rightward != 0 && anchor.downward != 0
    let reach = isCorner ? radius / 2.0.squareRoot() : radius
    self.init(anchor: anchor, x: reach * anchor.rightward, y: reach * anchor.downward)
  }

  /// Creates a place from `text-offset` as distances away from the anchor; signs are ignored.
  init(anchor: TextStyle.Anchor, awayX: Double, awayY: Double) {
    self.init(
      anchor: anchor, x: abs(awayX) * anchor.rightward, y: abs(awayY) * anchor.downward)
  }

  /// Returns the place moved away from the anchor by the padding of a label, in ems: as in
  /// MapLibre, the edge of the padding is where the edge of the text would be.
  fileprivate func padded(by ems: Double) -> LabelVariant {
    var place = self
    place.offsetX = LayerValues.held(offsetX + ems * anchor.rightward)
    place.offsetY = LayerValues.held(offsetY + ems * anchor.downward)
    return place
  }

  /// Returns the same label in this place.
  package func applied(to look: TextLook) -> TextLook {
    var look = look
    look.style.anchor = anchor
    look.style.offsetX = offsetX
    look.style.offsetY = offsetY
    if let writingMode { look.style.writingMode = writingMode }
    return look
  }
}

extension LookResolver {
  /// Whether a label of the layer may take one of several places or directions.
  package var hasVariants: Bool {
    layer.properties[.textVariableAnchor] != nil
      || layer.properties[.textVariableAnchorOffset] != nil || writingModes.count > 1
  }

  /// Returns the places and directions that a feature's label may take, highest priority first;
  /// empty if there is only one.
  package func variants(_ feature: any LookFeature, of look: TextLook) -> [LabelVariant] {
    let size = look.style.size
    let padding = size > 0 ? max(padding(feature), 0) / size : 0
    let places = places(feature).map { $0.padded(by: padding) }
    let modes = writingModes(of: look.sections)
    guard modes.count > 1 else { return places }
    return modes.flatMap { mode in
      (places.isEmpty ? [LabelVariant(of: look.style)] : places).map { place in
        var variant = place
        variant.writingMode = mode
        return variant
      }
    }
  }

  /// Returns the places that a feature's label may take; empty if there is only one.
  private func places(_ feature: any LookFeature) -> [LabelVariant] {
    if case .anchorOffsets(let entries)? = values.value(.textVariableAnchorOffset, feature) {
      return entries.map { entry in
        LabelVariant(anchor: TextStyle.Anchor(named: entry.anchor), x: entry.x, y: entry.y)
      }
    }
    let anchors = values.strings(.textVariableAnchor, [], feature).map(
      TextStyle.Anchor.init(named:))
    if layer.properties[.textRadialOffset] != nil {
      let radius = values.number(.textRadialOffset, 0, feature)
      return anchors.map { LabelVariant(anchor: $0, radialOffset: radius) }
    }
    let away = values.offset(.textOffset, feature)
    return anchors.map { LabelVariant(anchor: $0, awayX: away.x, awayY: away.y) }
  }
}

extension TextStyle.Anchor {
  /// The horizontal side of the point on which a text with this anchor lies: 1 for right, −1 for
  /// left.
  var rightward: Double {
    switch self {
    case .left, .topLeft, .bottomLeft: 1
    case .right, .topRight, .bottomRight: -1
    case .center, .top, .bottom: 0
    }
  }

  /// The vertical side of the point on which the text lies: 1 for below, −1 for above.
  var downward: Double {
    switch self {
    case .top, .topLeft, .topRight: 1
    case .bottom, .bottomLeft, .bottomRight: -1
    case .center, .left, .right: 0
    }
  }
}
