package import Raster

/// What one tile shows, fully resolved: nothing is left to look up, and its pixels follow from it.
package struct TileScene: Hashable, Sendable {
  /// One feature's looks at one place.
  package struct Symbol: Hashable, Sendable {
    /// The looks, back to front.
    package var stack: LookStack
    /// The centre, in 1/16 device px eastward from the tile's west edge; may lie outside.
    package var x: Int
    /// The same southward from the north edge.
    package var y: Int

    package init(stack: LookStack, x: Int, y: Int) {
      self.stack = stack
      self.x = x
      self.y = y
    }
  }

  /// Side of the tile in device pixels.
  package var size: Int

  /// Device pixels a style pixel.
  package var scale: Int

  /// The colour of the `background` layer, transparent without one.
  package var background: PremultipliedColor

  /// The symbols in drawing order of their features; layers order their looks.
  package var symbols: [Symbol]

  /// The layers whose looks are drawn from north to south instead; ascending.
  package var layersFromNorth: [Int]

  package init(
    size: Int, scale: Int = 1, background: PremultipliedColor = .transparent, symbols: [Symbol],
    layersFromNorth: [Int] = []
  ) {
    self.size = size
    self.scale = scale
    self.background = background
    self.symbols = symbols
    self.layersFromNorth = layersFromNorth
  }

  /// The symbols in the order in which a layer draws them.
  func symbols(drawnBy layer: Int) -> [Symbol] {
    layersFromNorth.contains(layer) ? symbols.fromNorth(\.y) : symbols
  }
}

/// Paints scenes the plain way: every look drawn by itself, layer by layer, into RGBA.
///
/// The oracle of the sparse path in tests; tiles and views are painted by ``TilePainter``.
package final class ScenePainter {
  private let fonts: FontLibrary
  private var factories: [Int: SpriteFactory] = [:]

  package init(fonts: FontLibrary) {
    self.fonts = fonts
  }

  /// The scene's pixels, with their edges.
  ///
  /// - Complexity: O(pixels + symbols · their pixels).
  package func paint(_ scene: TileScene) throws -> Pixmap {
    let pixmap = Pixmap(width: scene.size, height: scene.size, tracksEdges: true)
    try paint(scene, into: pixmap)
    return pixmap
  }

  /// Paints into a picture that may be larger or smaller than a tile: its top left corner is the
  /// scene's.
  package func paint(_ scene: TileScene, into pixmap: Pixmap) throws {
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

extension Pixmap {
  /// Puts a sprite over the picture, its anchor at a pixel; clipped.
  func blend(_ sprite: SymbolSprite, x: Int, y: Int) {
    let left = x + sprite.originX
    let top = y + sprite.originY
    let firstRow = max(0, -top)
    let lastRow = min(sprite.height, height - top)
    guard firstRow < lastRow else { return }
    sprite.pixels.withUnsafeBufferPointer { source in
      sprite.edges.withUnsafeBufferPointer { marks in
        for row in firstRow..<lastRow {
          let first = max(Int(sprite.rowStarts[row]), -left)
          let last = min(Int(sprite.rowEnds[row]), width - left)
          guard first < last else { continue }
          let place = (top + row) * width + left
          let target = pixels.baseAddress.unsafelyUnwrapped + place
          let from = source.baseAddress.unsafelyUnwrapped + row * sprite.width
          for column in first..<last where from[column] >> 24 != 0 {
            target[column] = sourceOver(from[column], target[column])
          }
          guard let edges = edges.baseAddress, !self.edges.isEmpty else { continue }
          let below = edges + place
          let mark = marks.baseAddress.unsafelyUnwrapped + row * sprite.width
          for column in first..<last {
            below[column] = edge(mark[column], of: from[column], below[column])
          }
        }
      }
    }
  }
}
