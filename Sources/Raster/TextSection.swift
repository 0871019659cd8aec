/// A run of a text with its own face, size and colour, or an image: a section of MapLibre's `format`.
package struct TextSection: Hashable, Sendable {
  /// The vertical alignment of a section that is smaller than the largest one of its line.
  package enum VerticalAlign: UInt8, Hashable, Sendable {
    /// On the common baseline.
    case bottom
    case center, top

    /// The share of the free height below the section.
    var shareBelow: Double {
      switch self {
      case .bottom: 0
      case .center: 0.5
      case .top: 1
      }
    }
  }

  package var text: String

  /// A factor on the style's size; values not above 0 count as 1.
  package var scale: Double

  /// The font names, most wanted first; nil for the fonts of the style.
  package var fontStack: [String]?

  /// The colour; nil for the colour of the text.
  package var color: Color?

  package var verticalAlign: VerticalAlign

  /// The image that stands instead of the text, which then is the sign for an object, U+FFFC.
  package private(set) var image: InlineImage?

  package init(
    _ text: String, scale: Double = 1, fontStack: [String]? = nil, color: Color? = nil,
    verticalAlign: VerticalAlign = .bottom
  ) {
    self.text = text
    self.scale = scale > 0 && scale.isFinite ? scale : 1
    self.fontStack = fontStack
    self.color = color
    self.verticalAlign = verticalAlign
  }

  /// Creates a section of one image.
  package init(_ image: InlineImage, verticalAlign: VerticalAlign = .bottom) {
    self.init("\u{FFFC}", verticalAlign: verticalAlign)
    self.image = image
  }
}
