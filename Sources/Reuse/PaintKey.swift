/// A hash of all that decides a tile's bytes besides its scene and the program: scenes that are equal
/// under equal keys have equal bytes, whatever else is drawn.
package struct PaintKey: Hashable, Sendable {
  /// 64 hexadecimal digits.
  let text: String

  package init(text: String) {
    self.text = text
  }
}
