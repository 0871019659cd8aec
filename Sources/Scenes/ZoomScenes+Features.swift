import SpatialIndex
import Styling

// Which features a tile shows, and which tiles show a feature. Both need scenes that keep features.
extension ZoomScenes {
  /// All that the symbolic and shape layers draw in a tile, the topmost first; a feature that a layer
  /// draws there several times stands once.
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

  /// The tiles in which one of some features is drawn, in archive order, and the layers that draw it
  /// there, ascending.
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

  /// The layers of heatmaps and images that show in a tile, the topmost first: they draw no feature
  /// alone.
  package func featurelessLayers(of tile: Int) -> [Int] {
    let shown =
      heats.indices.filter { heatTile(tile, of: $0) != nil }.map { heats[$0].points.layer }
      + rasters.indices.filter { rasterTile(tile, of: $0) != nil }.map { rasters[$0].layer.index }
    return Set(shown).sorted(by: >)
  }

  /// Calls `body` for what each look and each shape of a tile draws; within a layer in drawing order.
  private func forEachDraw(of tile: Int, _ body: (TapHit) -> Void) {
    if let shapes = shapeTile(tile) {
      for index in self.shapes.drawRange(shapes) {
        let draw = self.shapes.draws[index]
        let pieces = self.shapes.pieces[Int(draw.set)].pieces
        let shape = draw.dust.map { pieces.dustShapes[$0] } ?? pieces.shapes[Int(draw.piece)]
        body(
          TapHit(
            layer: Int(draw.layer),
            feature: TapFeature(
              source: Int(shapeSources[Int(draw.set)]), row: Int(shape), isShape: true)))
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
