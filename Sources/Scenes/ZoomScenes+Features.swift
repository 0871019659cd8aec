import Columns
import SpatialIndex
import Styling

// The features that a tile shows, and the tiles that show a feature. Both need scenes that keep
// features.
extension ZoomScenes {
  /// Returns everything that the symbol and shape layers draw in a tile, the topmost first; a
  /// feature that a layer draws there several times occurs once.
  ///
  /// - Complexity: O(draws of the tile · log draws).
  package func features(of tile: Int) -> [TapHit] {
    var draws: [TapHit] = []
    forEachDraw(of: tile) { draws.append($0) }
    let order = draws.indices.sorted {
      (draws[$0].layer, $0) > (draws[$1].layer, $1)
    }
    var seen: Set<TapHit> = []
    return order.map { draws[$0] }.filter { seen.insert($0).inserted }
  }

  /// Returns the tiles in which one of some features is drawn, in archive order, and the layers
  /// that draw it there, ascending.
  ///
  /// - Complexity: O(draws of all tiles).
  package func tiles(
    showing isWanted: (TapFeature) -> Bool
  ) -> [(tile: Int, layers: [Int])] {
    var tiles: [(tile: Int, layers: [Int])] = []
    for tile in 0..<count {
      var layers: Set<Int> = []
      forEachDraw(of: tile) { hit in
        if isWanted(hit.feature) { layers.insert(hit.layer) }
      }
      if !layers.isEmpty { tiles.append((tile, layers.sorted())) }
    }
    return tiles
  }

  /// Returns the layers of heatmaps and images that show in a tile, the topmost first: they draw no
  /// single feature.
  package func featurelessLayers(of tile: Int) -> [Int] {
    let shown =
      heats.indices.filter { heatTile(tile, of: $0) != nil }.map { heats[$0].points.layer }
      + rasters.indices.filter { rasterTile(tile, of: $0) != nil }.map { rasters[$0].layer.index }
    return Set(shown).sorted(by: >)
  }

  /// Calls `body` for each drawing of a look or a shape in a tile; within a layer in drawing order.
  private func forEachDraw(of tile: Int, _ body: (TapHit) -> Void) {
    if let shapes = shapeTile(tile) {
      for index in self.shapes.drawRange(shapes) {
        let draw = self.shapes.draws[index]
        body(TapHit(layer: Int(draw.layer), feature: tapFeature(of: draw)))
      }
    }
    guard !symbolFeatures.isEmpty else { return }
    for entry in entryRange(tile) {
      let symbol = Int(entries[entry] >> 2)
      for look in looks.stacks[Int(stack(ofSymbol: symbol).stack)] {
        body(TapHit(layer: look.layer, feature: symbolFeatures[symbol]))
      }
    }
  }
}
