package import Raster
import Scenes
package import Styling

extension SpriteFactory {
  /// Draws a look over a picture, with its anchor at a pixel.
  ///
  /// - Complexity: O(pixels of the look); for a vast look, O(pixels of the picture).
  package func draw(
    _ look: Look, phaseX: Int, phaseY: Int, onto picture: Pixmap, x: Int, y: Int
  ) throws {
    guard try vast.isVast(look) else {
      return picture.blend(try sprite(of: look, phaseX: phaseX, phaseY: phaseY), x: x, y: y)
    }
    let window = PixelBox(left: -x, top: -y, right: picture.width - x, bottom: picture.height - y)
    if let color = geometry.onlyColor(of: look, phaseX: phaseX, phaseY: phaseY, within: window) {
      return picture.blend(color)
    }
    let part = try sprite(of: look, phaseX: phaseX, phaseY: phaseY, within: window)
    picture.blend(part, x: x, y: y)
  }
}

extension Pixmap {
  /// Draws a colour over all pixels.
  func blend(_ color: PremultipliedColor) {
    guard color != .transparent else { return }
    for index in pixels.indices { pixels[index] = sourceOver(color.bits, pixels[index]) }
    if Int(color.alpha) >= Pixmap.hidingAlpha { edges.update(repeating: 0) }
  }
}
