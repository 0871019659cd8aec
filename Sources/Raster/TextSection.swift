/// A run of a text with a face, a size and a colour of its own: a section of MapLibre's `format`.
package struct TextSection: Hashable, Sendable {
  /// Where a section stands that is smaller than the largest one of its line.
  package enum VerticalAlign: UInt8, Hashable, Sendable {
    /// On the common baseline.
    case bottom
    case center, top

    /// The share of the free height that lies below the section.
    var shareBelow: Double {
      switch self {
      case .bottom: 0
      case .center: 0.5
      case .top: 1
      }
    }
  }

  package var text: String

  /// A factor on the style's size; 1 stands in for what is not above 0.
  package var scale: Double

  /// Font names, most wanted first; the style's own where it is nil.
  package var fontStack: [String]?

  /// The text's own colour where it is nil.
  package var color: Color?

  package var verticalAlign: VerticalAlign

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
}
