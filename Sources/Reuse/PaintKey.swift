/// A hash of everything but the scene and the program that determines a tile's bytes: equal scenes
/// under equal keys have equal bytes, regardless of the other tiles.
///
/// A scene holds colours, shapes and positions, all resolved. The key covers the rest: the
/// picture's size, the palette and the codes that the style trained, and the files that glyphs come
/// from.
package struct PaintKey: Hashable, Sendable {
  /// The hash, 64 hexadecimal digits.
  package let text: String

  package init(text: String) {
    self.text = text
  }
}
