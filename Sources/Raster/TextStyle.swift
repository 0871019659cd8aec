/// The typesetting style of a text: MapLibre's `text-*` layout properties, resolved, with its
/// defaults.
package struct TextStyle: Hashable, Sendable {
  /// The edges at which the lines are aligned.
  package enum Justify: UInt8, Hashable, Sendable {
    /// Toward the anchor.
    case auto
    case left, center, right
  }

  /// The part of the text that lies at the anchor point.
  package enum Anchor: UInt8, Hashable, Sendable, CaseIterable {
    case center, left, right, top, bottom, topLeft, topRight, bottomLeft, bottomRight

    /// The horizontal position: 0 where the anchor is the left edge, ½ the centre, 1 the right
    /// edge.
    var horizontal: Double {
      switch self {
      case .left, .topLeft, .bottomLeft: 0
      case .center, .top, .bottom: 0.5
      case .right, .topRight, .bottomRight: 1
      }
    }

    /// The vertical position: 0 where the anchor is the top edge, ½ the middle, 1 the bottom edge.
    var vertical: Double {
      switch self {
      case .top, .topLeft, .topRight: 0
      case .center, .left, .right: 0.5
      case .bottom, .bottomLeft, .bottomRight: 1
      }
    }
  }

  /// The direction of the lines.
  package enum WritingMode: UInt8, Hashable, Sendable {
    /// Rightward and leftward.
    case horizontal
    /// Downward, from right to left: characters of East Asia stand upright, others lie on their
    /// side, as in MapLibre's labels along lines.
    case vertical
    /// Downward, from right to left: all characters stand upright except for those of scripts that
    /// join their letters, as in MapLibre's labels at points.
    case stacked
  }

  /// The font names, most wanted first.
  package var fontStack: [String]

  /// Size in pixels per em, at most ``maxSize``; nothing is drawn if it is not positive.
  package var size: Double

  /// Spacing added after each character, in em.
  package var letterSpacing: Double

  /// Distance from one line to the next, in em.
  package var lineHeight: Double

  /// Width at which lines are broken, in em; 0 or less breaks only at newlines.
  package var maxWidth: Double

  package var justify: Justify
  package var anchor: Anchor

  /// The offset of the text from its anchor, in em; y downward; rotated with the text.
  package var offsetX: Double
  package var offsetY: Double

  /// The rotation clockwise about the anchor, in degrees.
  package var rotate: Double

  package var writingMode: WritingMode

  /// Maximum ``size``, in pixels.
  package static let maxSize = 1000.0

  package init(
    fontStack: [String] = ["Open Sans Regular", "Arial Unicode MS Regular"], size: Double = 16,
    letterSpacing: Double = 0, lineHeight: Double = 1.2, maxWidth: Double = 10,
    justify: Justify = .center, anchor: Anchor = .center, offsetX: Double = 0,
    offsetY: Double = 0, rotate: Double = 0, writingMode: WritingMode = .horizontal
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
    self.writingMode = writingMode
  }

  /// The fraction of a line's free width that lies at its left; vertical lines begin at the top.
  var justifyShare: Double {
    guard writingMode == .horizontal else { return 0 }
    return switch justify {
    case .auto: anchor.horizontal
    case .left: 0
    case .center: 0.5
    case .right: 1
    }
  }

  /// The ``size`` within its limits; 0 if nothing is drawn.
  var drawnSize: Double { size > 0 ? min(size, TextStyle.maxSize) : 0 }

  /// Returns the box around the lines of a text, relative to the anchor, in pixels of the picture;
  /// for a rotated text, the box around the rotated lines.
  ///
  /// - Parameters:
  ///   - width: the width of the longest line, in pixels.
  ///   - height: the height of all lines, in pixels.
  ///   - scale: pixels of the picture per pixel of the style.
  package func box(width: Double, height: Double, scale: Double) -> ShapedText.Box {
    var scaled = self
    scaled.size *= scale
    let left = scaled.pixels(offsetX) - anchor.horizontal * width
    let top = scaled.pixels(offsetY) - anchor.vertical * height
    let flat = ShapedText.Box(minX: left, minY: top, maxX: left + width, maxY: top + height)
    let turn = (rotate.isFinite ? rotate : 0) + (writingMode == .horizontal ? 0 : 90)
    return turn == 0 ? flat : flat.turned(degrees: turn)
  }

  /// Returns a length in em as pixels, clamped to the range of paths; 0 for NaN.
  func pixels(_ ems: Double) -> Double {
    ems.isNaN ? 0 : min(max(ems, -1000), 1000) * drawnSize
  }
}
