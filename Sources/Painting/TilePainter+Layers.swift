import Columns
import PNG
import Raster
import Scenes
import Styling
import TileCodecs
import Tiling

// Tiles in pixels: all layers blended back to front.

extension TilePainter {
  /// Draws all layers of a tile back to front: areas, lines, heat, images and symbols.
  func paintLayers(_ tile: Int, of scenes: borrowing ZoomScenes) throws {
    pixmap.clear(to: PremultipliedColor(bits: scenes.background))
    cleared = nil
    let range = scenes.entryRange(tile)
    sprites.removeAll(keepingCapacity: true)
    for index in range { sprites.append(try sprite(ofEntry: index, scenes)) }
    let coord = scenes.tile(tile)
    for layer in layers(of: tile, range, scenes) {
      if let place = scenes.shapeTile(tile) {
        shapes.draw(
          layer: layer, of: place, coord, scenes.grid, scenes.shapes, onto: pixmap)
      }
      for (index, heat) in scenes.heats.enumerated() where heat.points.layer == layer {
        if let place = scenes.heatTile(tile, of: index) {
          heat.draw(place, onto: pixmap, using: heatmap)
        }
      }
      for (index, raster) in scenes.rasters.enumerated() where raster.layer.index == layer {
        guard scenes.rasterTile(tile, of: index) != nil else { continue }
        painter(of: raster).draw(coord, paint: raster.layer.paint, onto: pixmap)
      }
      for veil in scenes.veils where veil.layer == layer {
        if let pattern = veil.pattern {
          shapes.drawAll(pattern, coord, scenes.grid, onto: pixmap)
        } else {
          pixmap.blend(veil.color)
        }
      }
      try blend(layer: layer, range, of: scenes, coord.x * side, coord.y * side)
    }
  }

  /// Blends all symbols layer by layer, then writes the rows in palette indexes if 256 are enough,
  /// otherwise in true colour.
  func paintPixels(
    _ range: Range<Int>, of scenes: borrowing ZoomScenes, _ originX: Int, _ originY: Int,
    into bytes: inout [UInt8]
  ) throws {
    prepare(scenes.background)
    try blend(range, of: scenes, originX, originY)
    if let sparse, writeIndexes(sparse) {
      let straight = extras.map { PremultipliedColor(bits: $0).straightBits }
      append(to: &bytes, sparse) {
        sparse.encoder.encode(canvas, extras: straight, into: $0)
      }
    } else {
      if sparse != nil { exactTiles += 1 }
      touched.forEach { y, columns in
        roundEdges((y * side + columns.lowerBound)..<(y * side + columns.upperBound))
      }
      bytes.append(contentsOf: try encoder.encode(pixmap, showing: .symbols))
    }
    if sparse != nil { canvas.clear() }
    touched.forEach { y, columns in
      let pixels = (y * side + columns.lowerBound)..<(y * side + columns.upperBound)
      pixmap.pixels[pixels].update(repeating: scenes.background)
      pixmap.edges[pixels].update(repeating: 0)
    }
    touched.reset()
  }

  /// Clears the picture to the zoom's background; afterwards only touched pixels are cleared.
  func prepare(_ background: UInt32) {
    guard background != cleared else { return }
    pixmap.clear(to: PremultipliedColor(bits: background))
    cleared = background
  }

  /// Replaces the colours of antialiased edges by those that the archive uses.
  func roundEdges(_ pixels: Range<Int>) {
    var own = matcher.take()
    defer { matcher = own }
    pixmap.replaceMixedEdges(in: pixels) { color in
      own?.edgeColor(for: color) ?? EdgeLattice.nearest(to: color)
    }
  }

  /// Returns the layers that show anything in a tile, back to front.
  func layers(
    of tile: Int, _ range: Range<Int>, _ scenes: borrowing ZoomScenes
  ) -> [Int] {
    var layers: Set<Int> = []
    for (entry, sprite) in zip(range, sprites) {
      if let sprite {
        layers.formUnion(sprite.layers.lazy.map(\.index))
      } else {
        layers.formUnion(stack(ofEntry: entry, scenes).looks.lazy.map(\.layer))
      }
    }
    if let place = scenes.shapeTile(tile) {
      // Draws are grouped by layer.
      var last = UInt32.max
      for draw in scenes.shapes.drawRange(place) where scenes.shapes.draws[draw].layer != last {
        last = scenes.shapes.draws[draw].layer
        layers.insert(Int(last))
      }
    }
    for heat in scenes.heats { layers.insert(heat.points.layer) }
    for raster in scenes.rasters { layers.insert(raster.layer.index) }
    for veil in scenes.veils { layers.insert(veil.layer) }
    return layers.sorted()
  }

  /// Returns the painter of an image; its tables and rows are kept from tile to tile.
  func painter(of raster: RasterScenes) -> RasterPainter {
    let key = RasterPainter.Key(raster)
    if let known = rasters[key] { return known }
    let painter = RasterPainter(
      raster.source, kernel: raster.kernel, grid: raster.grid, picture: overlay)
    rasters[key] = painter
    return painter
  }

  /// Blends one layer of the sprites that represent entries.
  func blend(
    layer: Int, _ range: Range<Int>, of scenes: borrowing ZoomScenes, _ originX: Int,
    _ originY: Int
  ) throws {
    func blend(_ offset: Int) throws {
      let entry = scenes.entries[range.lowerBound + offset]
      guard let sprite = sprites[offset] else {
        let place = scenes.place(of: entry, originX: originX, originY: originY)
        let (stack, phaseX, phaseY) = self.stack(ofEntry: range.lowerBound + offset, scenes)
        for part in stack where part.layer == layer {
          try factory.draw(
            part.look, phaseX: phaseX, phaseY: phaseY, onto: pixmap, x: place.x, y: place.y)
        }
        return
      }
      for part in sprite.layers where part.index == layer {
        let place = scenes.place(of: entry, originX: originX, originY: originY)
        pixmap.blend(part.sprite, x: place.x, y: place.y)
      }
    }
    guard scenes.layersFromNorth.contains(layer), sprites.count > 1 else {
      for offset in sprites.indices { try blend(offset) }
      return
    }
    let order = sprites.indices.fromNorth { offset in
      scenes.southing(of: scenes.entries[range.lowerBound + offset])
    }
    for offset in order { try blend(offset) }
  }

  /// Returns the looks of an entry's symbol, and the position of its centre inside the anchor
  /// pixel.
  func stack(
    ofEntry index: Int, _ scenes: borrowing ZoomScenes
  ) -> (looks: LookStack, phaseX: Int, phaseY: Int) {
    let (stack, phaseX, phaseY) = scenes.stack(ofSymbol: Int(scenes.entries[index] >> 2))
    return (scenes.looks.stacks[Int(stack)], Int(phaseX), Int(phaseY))
  }

  func blend(
    _ range: Range<Int>, of scenes: borrowing ZoomScenes, _ originX: Int, _ originY: Int
  ) throws {
    sprites.removeAll(keepingCapacity: true)
    var lastLayer = 0
    for index in range {
      if let sprite = try sprite(ofEntry: index, scenes) {
        let place = scenes.place(of: scenes.entries[index], originX: originX, originY: originY)
        touched.mark(sprite.composite, x: place.x, y: place.y)
        lastLayer = max(lastLayer, sprite.layers.last?.index ?? 0)
        sprites.append(sprite)
      } else {
        touched.markAll()
        lastLayer = max(lastLayer, stack(ofEntry: index, scenes).looks.last?.layer ?? 0)
        sprites.append(nil)
      }
    }
    for layer in 0...lastLayer { try blend(layer: layer, range, of: scenes, originX, originY) }
  }
}
