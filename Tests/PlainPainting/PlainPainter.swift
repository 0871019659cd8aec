import Painting
package import Raster
import Styling

/// Paints symbols the plain way: every look drawn by itself, layer by layer, into RGBA.
///
/// The oracle that the painter of builds is compared with.
package final class PlainPainter {
  private let fonts: FontLibrary
  private var factories: [Int: SpriteFactory] = [:]

  package init(fonts: FontLibrary) {
    self.fonts = fonts
  }

  /// The scene's pixels, with their edges.
  ///
  /// - Complexity: O(pixels + symbols · their pixels).
  package func paint(_ scene: PlainScene) throws -> Pixmap {
    let pixmap = Pixmap(width: scene.size, height: scene.size, tracksEdges: true)
    try paint(scene, into: pixmap)
    return pixmap
  }

  /// Paints into a picture that may be larger or smaller than a tile: its top left corner is the
  /// scene's.
  package func paint(_ scene: PlainScene, into pixmap: Pixmap) throws {
    pixmap.clear(to: scene.background)
    let factory = factories[scene.scale] ?? SpriteFactory(scale: scene.scale, fonts: fonts)
    factories[scene.scale] = factory
    for layer in Set(scene.symbols.flatMap { $0.stack.map(\.layer) }).sorted() {
      for symbol in scene.symbols(drawnBy: layer) {
        for entry in symbol.stack where entry.layer == layer {
          try factory.draw(
            entry.look, phaseX: symbol.x & 15, phaseY: symbol.y & 15, onto: pixmap,
            x: symbol.x >> 4, y: symbol.y >> 4)
        }
      }
    }
  }
}
