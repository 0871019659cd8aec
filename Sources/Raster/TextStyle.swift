/// How a text is set: MapLibre's `text-*` layout properties, resolved, with its defaults.
package struct TextStyle: Hashable, Sendable {
  /// Which edges of the lines meet.
  package enum Justify: UInt8, Hashable, Sendable {
    /// Toward the anchor.
    case auto
    case left, center, right
  }

  /// The part of the text that lies at the anchor point.
  package enum Anchor: UInt8, Hashable, Sendable, CaseIterable {
    case center, left, right, top, bottom, topLeft, topRight, bottomLeft, bottomRight

    /// 0 where the anchor is the left edge, ½ the centre, 1 the right edge.
    var horizontal: Double {
      switch self {
      case .left, .topLeft, .bottomLeft: 0
      case .center, .top, .bottom: 0.5
      case .right, .topRight, .bottomRight: 1
      }
    }

    /// 0 where the anchor is the top edge, ½ the middle, 1 the bottom edge.
    var vertical: Double {
      switch self {
      case .top, .topLeft, .topRight: 0
      case .center, .left, .right: 0.5
      case .bottom, .bottomLeft, .bottomRight: 1
      }
    }
  }

  /// Font names, most wanted first.
  package var fontStack: [String]

  /// px per em, at most ``maxSize``; nothing is drawn where it is not positive.
  package var size: Double

  /// Added after each character, em.
  package var letterSpacing: Double

  /// From one line to the next, em.
  package var lineHeight: Double

  /// Where lines are broken, em; 0 or less never breaks but at newlines.
  package var maxWidth: Double

  package var justify: Justify
  package var anchor: Anchor

  /// How far the text is moved from its anchor, em; y downward; turned with the text.
  package var offsetX: Double
  package var offsetY: Double

  /// Clockwise about the anchor, degrees.
  package var rotate: Double

  /// The largest ``size``, px.
  package static let maxSize = 1000.0

  package init(
    fontStack: [String] = ["Open Sans Regular", "Arial Unicode MS Regular"], size: Double = 16,
    letterSpacing: Double = 0, lineHeight: Double = 1.2, maxWidth: Double = 10,
    justify: Justify = .center, anchor: Anchor = .center, offsetX: Double = 0,
    offsetY: Double = 0, rotate: Double = 0
  ) {
    self.fontStack = fontStack
    self.size = size
    self.letterSpacing = letterSpacing
    self.lineHeight = lineHeight
    self.maxWidth = maxWidth
    self.justify = justify
    self.anchor = anchor
    self.offsetX = offsetX
    self.offsetY = offsetY
    self.rotate = rotate
  }

  /// The share of the text's free width on the left of a line.
  var justifyShare: Double {
    switch justify {
    case .auto: anchor.horizontal
    case .left: 0
    case .center: 0.5
    case .right: 1
    }
  }

  /// ``size`` within its limits; 0 where nothing is to be drawn.
  var drawnSize: Double { size > 0 ? min(size, TextStyle.maxSize) : 0 }

  /// What lines of a size take up around the anchor, px; where they are turned, the box around them.
  ///
  /// - Parameters:
  ///   - width: of the longest line, px.
  ///   - height: of all lines, px.
  ///   - scale: px of the picture for each px of the style's own.
  package func box(width: Double, height: Double, scale: Double) -> ShapedText.Box {
    var scaled = self
    scaled.size *= scale
    let left = scaled.pixels(offsetX) - anchor.horizontal * width
    let top = scaled.pixels(offsetY) - anchor.vertical * height
    let flat = ShapedText.Box(minX: left, minY: top, maxX: left + width, maxY: top + height)
    return rotate == 0 || !rotate.isFinite ? flat : flat.turned(degrees: rotate)
  }

  /// A length in em as px, held within what paths can express; 0 for what is no number.
  func pixels(_ ems: Double) -> Double {
    ems.isNaN ? 0 : min(max(ems, -1000), 1000) * drawnSize
  }
}
