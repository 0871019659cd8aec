/// The pixels of one look stack at one sub-pixel phase; immutable and shared by all workers.
package final class StackSprite: Sendable {
  /// One layer's part of the sprite.
  package struct Layer: Sendable {
    /// The index of the layer in the style, back to front.
    package let index: Int
    package let sprite: SymbolSprite
  }

  /// The parts, back to front, without empty ones.
  package let layers: [Layer]

  /// All parts drawn over one another: the pixels of a tile where nothing else overlaps.
  package let composite: SymbolSprite

  init(layers: [Layer]) {
    self.layers = layers
    if layers.count == 1 {
      composite = layers[0].sprite
    } else {
      var canvas = SpriteCanvas(
        covering: layers.map {
          ($0.sprite.originX, $0.sprite.originY, $0.sprite.width, $0.sprite.height)
        })
      for layer in layers { canvas.over(layer.sprite) }
      composite = canvas.sprite()
    }
  }

  /// Returns the pixels of ``composite`` over a background, blended layer by layer like tiles of
  /// overlapping symbols: combining translucent layers first may round to another colour.
  ///
  /// - Complexity: O(pixels · layers).
  func pixels(over background: UInt32) -> ContiguousArray<UInt32> {
    guard background != 0, layers.count > 1 else {
      var pixels = composite.pixels
      for index in pixels.indices where pixels[index] >> 24 != 0 {
        pixels[index] = sourceOver(pixels[index], background)
      }
      return pixels
    }
    var canvas = SpriteCanvas(
      covering: [(composite.originX, composite.originY, composite.width, composite.height)],
      background: background)
    for layer in layers { canvas.over(layer.sprite) }
    var pixels = canvas.pixels
    for index in pixels.indices where composite.pixels[index] >> 24 == 0 { pixels[index] = 0 }
    return pixels
  }

  /// Returns whether a visible pixel of this sprite overlaps one of another, so that the order of
  /// layers matters.
  ///
  /// - Parameters:
  ///   - dx: the other anchor's column minus this one's.
  ///   - dy: the other anchor's row minus this one's.
  func overlaps(_ other: StackSprite, dx: Int, dy: Int) -> Bool {
    let a = composite
    let b = other.composite
    let bx = b.originX + dx
    let by = b.originY + dy
    guard a.originX < bx + b.width, bx < a.originX + a.width else { return false }
    let top = max(a.originY, by)
    let bottom = min(a.originY + a.height, by + b.height)
    guard top < bottom else { return false }
    for y in top..<bottom {
      let ra = y - a.originY
      let rb = y - by
      let left = max(a.originX + Int(a.rowStarts[ra]), bx + Int(b.rowStarts[rb]))
      let right = min(a.originX + Int(a.rowEnds[ra]), bx + Int(b.rowEnds[rb]))
      let bothVisible = a.rowStarts[ra] < a.rowEnds[ra] && b.rowStarts[rb] < b.rowEnds[rb]
      if bothVisible, left < right { return true }
    }
    return false
  }

  /// The memory size of the sprite's pixels, in bytes.
  var byteCount: Int {
    // The composite of one part is that part.
    let parts = layers.count == 1 ? [] : layers
    return parts.reduce(composite.pixels.count) { $0 + $1.sprite.pixels.count } * 5
  }
}
