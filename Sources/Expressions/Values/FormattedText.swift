package import Raster

/// The result of `format`: text in sections, each with its own appearance.
package struct FormattedText: Hashable, Sendable {
  package struct Section: Hashable, Sendable {
    package var text: String
    /// The image that stands instead of text.
    package var image: ResolvedImage?
    /// A factor on the layer's `text-size`.
    package var scale: Double?
    /// Font names joined by commas.
    package var fontStack: String?
    package var textColor: Color?
    /// `bottom`, `center` or `top`.
    package var verticalAlign: String?

    package init(
      text: String, image: ResolvedImage? = nil, scale: Double? = nil, fontStack: String? = nil,
      textColor: Color? = nil,
      verticalAlign: String? = nil
    ) {
      self.text = text
      self.image = image
      self.scale = scale
      self.fontStack = fontStack
      self.textColor = textColor
      self.verticalAlign = verticalAlign
    }
  }

  package var sections: [Section]

  package init(sections: [Section]) {
    self.sections = sections
  }

  /// Creates one section without an appearance of its own.
  package init(_ text: String) {
    sections = [Section(text: text)]
  }

  /// The text of all sections, joined.
  package var text: String {
    sections.count == 1 ? sections[0].text : sections.map(\.text).joined()
  }
}
