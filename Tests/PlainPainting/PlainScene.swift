import Columns
package import Raster
package import Scenes
package import Styling
import Tiling

/// The symbols of one tile as a value that holds their looks.
package struct PlainScene: Hashable, Sendable {
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

extension PlainScene {
  /// The symbols of a drawn tile.
  package init(_ tile: Int, of scenes: ZoomScenes) {
    let coord = scenes.tile(tile)
    let side = scenes.grid.tilePixels
    let symbols = scenes.entryRange(tile).map { index in
      let entry = scenes.entries[index]
      let (stack, phaseX, phaseY) = scenes.stack(ofSymbol: Int(entry >> 2))
      let place = scenes.place(of: entry, originX: coord.x * side, originY: coord.y * side)
      return Symbol(
        stack: scenes.looks.stacks[Int(stack)], x: place.x << 4 | Int(phaseX),
        y: place.y << 4 | Int(phaseY))
    }
    self.init(
      size: side, scale: scenes.grid.scale,
      background: PremultipliedColor(bits: scenes.background), symbols: symbols,
      layersFromNorth: scenes.layersFromNorth)
  }
}
