/// The pose of one glyph of a text along a line: the position of its middle, and its direction.
///
/// In pixels around the text's anchor, x rightward and y downward.
package struct GlyphPose: Hashable, Sendable {
  package var x: Float
  package var y: Float

  /// The direction of the text there: a vector of length 1, (1, 0) for upright text.
  package var cosine: Float
  package var sine: Float

  package init(x: Float, y: Float, cosine: Float = 1, sine: Float = 0) {
    self.x = x
    self.y = y
    self.cosine = cosine
    self.sine = sine
  }
}
