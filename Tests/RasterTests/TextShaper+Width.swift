import Raster

extension TextShaper {
  /// Returns the width of the longest line of a text, in pixels.
  ///
  /// - Throws: ``FontError`` if a font's file cannot be read.
  func advanceWidth(of text: String, style: TextStyle) throws -> Double {
    try advanceWidth(of: [TextSection(text)], style: style)
  }
}
