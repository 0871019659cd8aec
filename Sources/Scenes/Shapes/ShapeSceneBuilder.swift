import Columns
import SpatialIndex
import Styling
import Tiling

/// A builder of the scenes of lines and polygons in every tile of a zoom.
struct ShapeSceneBuilder {
  let style: Style
  let grid: PixelGrid
  let range: TileRange

  /// Whether the run should stop; see ``SceneBuilder/isStopped``.
  var isStopped: @Sendable () -> Bool = { false }

  /// The draws of one layer's areas or lines, tile by tile.
  fileprivate struct LayerDraws {
    let layer: Int
    /// Whether the draws are lines, which cover the layer's areas.
    let isLine: Bool
    var keys = Column<UInt64>()
    var draws = Column<ShapeDraw>()
    var next = 0
  }

  /// Returns the looks of a zoom's shapes: the part that depends on the zooms before, since looks
  /// are numbered in one table.
  ///
  /// - Complexity: O(shapes · layers).
  func resolve(_ sources: [ShapeSource], looks: inout ShapeLookTable) -> ResolvedShapes {
    var resolved: [ResolvedShapes.Source] = []
    let images = style.images.images(scale: grid.scale)
    var missing = MissingImages()
    for source in sources {
      var list = 0
      let resolvers = style.layers(of: source.id).compactMap { index -> ShapeLookResolver? in
        let layer = style.layers[index]
        guard layer.kind == .fill || layer.kind == .line, layer.shows(at: grid.styleZoom) else {
          return nil
        }
        return ShapeLookResolver(
          layer, index: index, zoom: grid.styleZoom, scale: grid.scale, images: images,
          nextList: &list)
      }
      guard !resolvers.isEmpty else { continue }
      resolved.append(
        ResolvedShapes.Source(
          source: source,
          layers: resolvers.map { ShapeLayerLooks($0, of: source, table: &looks, &missing) }))
    }
    looks.missingImages.formUnion(missing)
    return ResolvedShapes(builder: self, sources: resolved, looks: looks)
  }

  /// Returns the scenes of all tiles in which a shape may show a pixel.
  ///
  /// - Complexity: O(vertices · zoom + draws · layers).
  fileprivate func scenes(of resolved: ResolvedShapes) throws(TileExcess) -> ShapeScenes {
    var scenes = ShapeScenes()
    var lists: [LayerDraws] = []
    for (source, layers) in resolved.sources.map({ ($0.source, $0.layers) }) {
      let pieces = try pieces(of: source, layers, resolved.looks)
      for layer in layers {
        lists.append(draws(of: layer, isLine: false, pieces, set: scenes.pieces.count))
        lists.append(draws(of: layer, isLine: true, pieces, set: scenes.pieces.count))
      }
      scenes.pieces.append(ShapePieceSet(pieces))
    }
    scenes.looks = resolved.looks
    lists.sort { ($0.layer, $0.isLine ? 1 : 0) < ($1.layer, $1.isLine ? 1 : 0) }
    merge(&lists, into: &scenes)
    return scenes
  }

  /// Returns the pieces of a source's drawn shapes in each tile.
  private func pieces(
    of source: ShapeSource, _ layers: [ShapeLayerLooks], _ looks: ShapeLookTable
  ) throws(TileExcess) -> ShapePieces {
    let shapes = ZoomShapes(
      grid.scaling.map(source.world.scaled) ?? source.world, zoom: grid.zoom,
      tilePixels: grid.tilePixels, shiftX: grid.shiftX,
      shiftY: grid.shiftY)
    var (areaReach, lineReach) = (0.0, 0.0)
    for layer in layers {
      areaReach = max(areaReach, ShapeLayerLooks.reach(layer.areas, looks, scale: grid.scale))
      lineReach = max(lineReach, ShapeLayerLooks.reach(layer.lines, looks, scale: grid.scale))
    }
    var covered = 0.0
    for shape in 0..<shapes.count where layers.contains(where: { $0.area(shape) != nil }) {
      covered += source.world.tilesCovered(by: shape, in: range)
    }
    try TileExcess.check(.polygons, zoom: grid.zoom, tiles: Int(covered))
    let hasCaps = looks.looks.map(\.hasCaps)
    return ShapeTiler.pieces(
      of: shapes, areaReach: Int(areaReach.rounded(.up)), lineReach: Int(lineReach.rounded(.up)),
      window: range, isStopped: isStopped
    ) { shape in
      var use = ShapeUse(rawValue: 0)
      for layer in layers {
        if layer.area(shape) != nil { use.formUnion(.area) }
        if let line = layer.line(shape) {
          use.formUnion(hasCaps[Int(line)] ? [.line, .point] : .line)
        }
      }
      return use
    }
  }

  private func draws(
    of layer: ShapeLayerLooks, isLine: Bool, _ pieces: ShapePieces, set: Int
  ) -> LayerDraws {
    var list = LayerDraws(layer: layer.layer, isLine: isLine)
    guard !(isLine ? layer.lines : layer.areas).isEmpty else { return list }
    for tile in 0..<pieces.count {
      if isStopped() { break }
      let first = list.draws.count
      for piece in pieces.pieceRange(tile) where (pieces.kinds[piece] == .line) == isLine {
        list.append(
          UInt32(piece), of: Int(pieces.shapes[piece]), in: pieces.tileKeys[tile], layer, set: set)
      }
      if !isLine {
        for speck in pieces.dustRange(tile) {
          list.append(
            UInt32(speck) | ShapeDraw.dustFlag, of: Int(pieces.dustShapes[speck]),
            in: pieces.tileKeys[tile], layer, set: set)
        }
      }
      let hasDust = !isLine && !pieces.dustRange(tile).isEmpty
      if hasDust || layer.ranks != nil {
        list.sort(from: first) { draw in
          let shape = draw.dust.map { pieces.dustShapes[$0] } ?? pieces.shapes[Int(draw.piece)]
          return layer.ranks?[Int(shape)] ?? shape
        }
      }
    }
    return list
  }

  /// Stacks the layers of each tile in drawing order.
  private func merge(_ lists: inout [LayerDraws], into scenes: inout ShapeScenes) {
    var description = ShapeTileDescription(grid: grid, looks: scenes.looks)
    while let key = lists.compactMap({ $0.next < $0.keys.count ? $0.keys[$0.next] : nil }).min(),
      !isStopped()
    {
      description.begin(TileCoord(TileKey(rawValue: key), z: grid.zoom))
      let first = scenes.draws.count
      for index in lists.indices {
        while lists[index].next < lists[index].keys.count,
          lists[index].keys[lists[index].next] == key
        {
          let draw = lists[index].draws[lists[index].next]
          if description.add(draw, of: scenes) { scenes.draws.append(draw) }
          lists[index].next += 1
        }
      }
      guard scenes.draws.count > first else { continue }
      scenes.tileKeys.append(key)
      scenes.drawEnds.append(UInt32(scenes.draws.count))
      scenes.hashes.append(description.hash)
      scenes.quadrants.append(description.quadrants)
    }
  }
}

extension ShapeSceneBuilder.LayerDraws {
  /// Adds a piece or speck of a shape to the tile, if the layer draws it.
  fileprivate mutating func append(
    _ piece: UInt32, of shape: Int, in tile: UInt64, _ layer: ShapeLayerLooks, set: Int
  ) {
    guard let look = isLine ? layer.line(shape) : layer.area(shape) else { return }
    keys.append(tile)
    draws.append(
      ShapeDraw(layer: UInt32(layer.layer), look: look, set: UInt32(set), piece: piece))
  }

  /// Sorts the last draws, all of one tile, by rank; ties keep their order.
  fileprivate mutating func sort(from first: Int, by rank: (ShapeDraw) -> UInt32) {
    let sorted = draws[first...].map { (rank: rank($0), draw: $0) }.enumerated().sorted {
      ($0.element.rank, $0.offset) < ($1.element.rank, $1.offset)
    }
    for (offset, item) in sorted.enumerated() { draws[first + offset] = item.element.draw }
  }
}

/// The lines and polygons of a zoom that have their looks and are not yet assigned to tiles.
struct ResolvedShapes: Sendable {
  /// The shapes of a source, and the looks that its layers give them.
  struct Source: Sendable {
    let source: ShapeSource
    let layers: [ShapeLayerLooks]
  }

  fileprivate let builder: ShapeSceneBuilder

  /// The sources of which a layer shows something at this zoom.
  let sources: [Source]

  /// The looks that were known when the zoom was resolved.
  fileprivate let looks: ShapeLookTable

  /// Returns the scenes of the zoom's tiles; may be called on any thread.
  func scenes() throws(TileExcess) -> ShapeScenes { try builder.scenes(of: self) }
}
