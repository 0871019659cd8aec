import Columns
package import Features
package import Raster
package import Scenes
import SpatialIndex
import Styling
import Tiling

/// A maker of the hashes of what the grids of tiles are made from; one per worker.
package final class TapGridHasher {
  private let layers: Set<Int>
  private var prints: SymbolPrints

  /// The hash of each stack's prints, and whether it is known.
  private var stacks = ContiguousArray<(hash: UInt64, isKnown: Bool)>()

  /// - Parameters:
  ///   - layers: the indexes of the layers that answer taps.
  ///   - scale: device pixels per style pixel.
  package init(layers: Set<Int>, scale: Int, fonts: FontLibrary) {
    self.layers = layers
    prints = SymbolPrints(scale: scale, fonts: fonts, layers: layers)
  }

  /// Returns a hash of everything that determines the grid of a drawn tile (``TapPainter``), except
  /// the layers and the version of the program.
  ///
  /// - Parameter key: returns the hash of the key of a feature.
  /// - Complexity: O(draws of the tile).
  package func hash(
    _ tile: Int, of scenes: borrowing ZoomScenes, key: (TapFeature) -> UInt64
  ) throws -> StableHash {
    // The scene holds the vertices and the order.
    var hash = scenes.hashes[tile]
    if !scenes.symbolFeatures.isEmpty {
      let coord = scenes.tile(tile)
      let side = scenes.grid.tilePixels
      for index in scenes.entryRange(tile) {
        let entry = scenes.entries[index]
        let symbol = Int(entry >> 2)
        let (stack, phaseX, phaseY) = scenes.stack(ofSymbol: symbol)
        let place = scenes.place(of: entry, originX: coord.x * side, originY: coord.y * side)
        hash.combine(try self.hash(ofStack: stack, in: scenes.looks))
        hash.combine(place.x * PixelGrid.phases + Int(phaseX))
        hash.combine(place.y * PixelGrid.phases + Int(phaseY))
        hash.combine(key(scenes.symbolFeatures[symbol]))
      }
    }
    guard let shapes = scenes.shapeTile(tile) else { return hash }
    for draw in scenes.shapes.drawRange(shapes) {
      let draw = scenes.shapes.draws[draw]
      guard layers.contains(Int(draw.layer)) else { continue }
      hash.combine(Int(draw.layer))
      hash.combine(key(scenes.tapFeature(of: draw)))
    }
    return hash
  }

  private func hash(ofStack stack: UInt32, in looks: LookTable) throws -> UInt64 {
    let index = Int(stack)
    if index >= stacks.count {
      let unknown = (hash: UInt64(0), isKnown: false)
      stacks.append(contentsOf: repeatElement(unknown, count: index + 1 - stacks.count))
    }
    if !stacks[index].isKnown {
      var hash = StableHash()
      for print in try prints.range(of: stack, in: looks).map({ prints[$0] }) {
        hash.combine(Int(print.layer) << 2 | (print.isDisc ? 1 : 0) | (print.isOnPixel ? 2 : 0))
        for edge in [print.left, print.top, print.right, print.bottom] { hash.combine(edge) }
      }
      stacks[index] = (hash.high, true)
    }
    return stacks[index].hash
  }
}
