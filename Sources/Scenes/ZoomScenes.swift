package import Features
package import Styling
package import Tiling

/// The scenes of all drawn tiles of one zoom, as columns in archive order: the places of looks in
/// each tile, without any pixels.
///
/// A tile is drawn if it has a background or if a visible pixel of a symbol, a shape, heat or an
/// image lies in it. Its bytes are determined by its scene, the fonts and the style's palette
/// alone. Tiles with equal ``hashes`` have equal scenes, so they are painted once.
package struct ZoomScenes: Sendable {
  package let grid: PixelGrid

  /// The background of every tile, as the bits of a premultiplied colour; transparent without a
  /// background layer.
  package let background: UInt32

  /// The backgrounds of every tile that lie over other layers, back to front.
  package let veils: [BackgroundVeil]

  /// The layers whose symbols are drawn from north to south instead of in the order of ``entries``;
  /// ascending.
  package var layersFromNorth: [Int] = []

  /// Whether every tile shows something.
  var hasBackground: Bool { background >> 24 != 0 || !veils.isEmpty }

  /// Whether the background fills the whole range of tiles. If it does not, clients may enlarge
  /// tiles into areas without background.
  var fillsRange = true

  /// The quadrants of any tile in which the background shows, as in ``quadrants``.
  var backgroundQuadrants: UInt8 { hasBackground && fillsRange ? 15 : 0 }

  /// The raw ``TileKey`` of each drawn tile, ascending.
  package var tileKeys: Column<UInt64>

  /// The end of each tile's entries in ``entries``.
  package var entryEnds: Column<UInt32>

  /// `symbol << 2 | world copy + 1`: the symbols of each tile in drawing order. The world copy is
  /// 0, or −1 or +1 for a symbol near the antimeridian that is seen from the other side.
  package var entries: Column<UInt32>

  /// The quadrants of each tile with a visible pixel: bit 0 NW, 1 NE, 2 SW, 3 SE.
  package var quadrants: Column<UInt8>

  /// The hash of each scene.
  package var hashes: Column<StableHash>

  /// The hashes of the symbols by blocks; `nil` if they are not wanted, or if tiles show more than
  /// symbols.
  package var symbolBlocks: SymbolBlocks?

  /// Whether the entries of all tiles are known. If not, tiles without entries are taken from an
  /// earlier run and cannot be painted; see ``CachedScenes``.
  package var isWhole = true

  /// The feature of each symbol; empty if taps are not needed.
  package var symbolFeatures: Column<TapFeature>

  /// The source of each set of ``ShapeScenes/pieces``.
  var shapeSources: [ShapeOrigin] = []

  /// The number of each symbol's sprite, an index into ``sprites``.
  package var symbolSprites: Column<UInt32>

  /// The anchor pixel of each symbol, eastward from the world's west edge. The world has at most
  /// 2³² px at zoom 22; the pixel beyond its far edge is the first one again.
  package var anchorXs: Column<UInt32>

  /// The anchor pixel of each symbol, southward from the world's north edge.
  package var anchorYs: Column<UInt32>

  /// The measures of the sprites that were known when the scenes were made, by number.
  package var sprites: [SpriteMeasure] = []

  /// The look stacks that were known when the scenes were made.
  package var looks = LookTable()

  /// The lines and polygons that the tiles show.
  package var shapes = ShapeScenes()

  /// The content of each heatmap layer in the tiles, back to front.
  package var heats: [HeatScenes] = []

  /// The content of each raster layer in the tiles, back to front.
  package var rasters: [RasterScenes] = []

  /// The index of each tile in ``shapes``, or −1 for none; empty if no tile shows more than
  /// symbols.
  var shapeTiles: Column<Int32>

  /// The index of each tile in each of ``heats`` and then of ``rasters``, in the form of
  /// ``shapeTiles``.
  var layerTiles: Column<Int32>

  init(
    grid: PixelGrid, background: UInt32, veils: [BackgroundVeil] = [], in scratch: Scratch? = nil
  ) {
    tileKeys = Column(in: scratch)
    entryEnds = Column(in: scratch)
    entries = Column(in: scratch)
    quadrants = Column(in: scratch)
    hashes = Column(in: scratch)
    symbolFeatures = Column(in: scratch)
    symbolSprites = Column(in: scratch)
    anchorXs = Column(in: scratch)
    anchorYs = Column(in: scratch)
    shapeTiles = Column(in: scratch)
    layerTiles = Column(in: scratch)
    self.grid = grid
    self.background = background
    self.veils = veils
  }

  /// The scratch of the columns, and of those that are made from them; `nil` for memory.
  var scratch: Scratch? { tileKeys.scratch }

  /// The number of drawn tiles.
  @inlinable package var count: Int { tileKeys.count }

  /// Returns the coordinate of a drawn tile.
  @inlinable
  package func tile(_ index: Int) -> TileCoord {
    TileCoord(TileKey(rawValue: tileKeys[index]), z: grid.zoom)
  }

  /// Returns the entries of a tile, as indexes into ``entries``.
  @inlinable
  package func entryRange(_ tile: Int) -> Range<Int> {
    (tile == 0 ? 0 : Int(entryEnds[tile - 1]))..<Int(entryEnds[tile])
  }

  /// Returns the position of an entry's anchor pixel in a tile whose north-west pixel is given.
  @inlinable @inline(__always)
  package func place(of entry: UInt32, originX: Int, originY: Int) -> (x: Int, y: Int) {
    let symbol = Int(entry >> 2)
    let copy = Int(entry & 3) - 1
    return (
      Int(anchorXs[symbol]) + copy * grid.worldPixels - originX, Int(anchorYs[symbol]) - originY
    )
  }

  /// Returns the distance of the middle of an entry's symbol south of the world's north edge, in
  /// 1/16 px.
  @inlinable @inline(__always)
  package func southing(of entry: UInt32) -> Int {
    let symbol = Int(entry >> 2)
    return Int(anchorYs[symbol]) * PixelGrid.phases + Int(stack(ofSymbol: symbol).phaseY)
  }

  /// Returns the look stack of a symbol, and the position of its centre inside the anchor pixel in
  /// 1/16 px.
  @inlinable @inline(__always)
  package func stack(ofSymbol symbol: Int) -> (stack: UInt32, phaseX: UInt8, phaseY: UInt8) {
    sprites.withUnsafeBufferPointer { sprites in
      let index = Int(symbolSprites[symbol])
      return (sprites[index].key.stack, sprites[index].key.phaseX, sprites[index].key.phaseY)
    }
  }

  /// Returns the keys of the tiles one zoom down that need the shared transparent tile, ascending:
  /// the tiles under a visible quadrant of a drawn tile that are not drawn themselves.
  ///
  /// - Complexity: O(tiles of both zooms).
  /// - Parameters:
  ///   - drawn: the drawn tiles of the next zoom, ascending.
  ///   - isStopped: whether the run should stop; the result is then meaningless.
  package func transparentChildren(
    without drawn: Column<UInt64>, inside bounds: TileRange, isStopped: () -> Bool = { false }
  ) -> Column<UInt64> {
    var result = Column<UInt64>(in: tileKeys.scratch)
    var next = 0
    let zoom = grid.zoom + 1
    for index in 0..<count where quadrants[index] != 0 {
      if isStopped() { break }
      let parent = TileKey(rawValue: tileKeys[index])
      for quadrant in 0..<4 where quadrants[index] & UInt8(1 << quadrant) != 0 {
        let child = parent.child(quadrant)
        guard bounds.contains(TileCoord(child, z: zoom)) else { continue }
        while next < drawn.count, drawn[next] < child.rawValue { next += 1 }
        if next == drawn.count || drawn[next] != child.rawValue { result.append(child.rawValue) }
      }
    }
    return result
  }

  /// Returns the key of a tile one zoom down whose parent shows nothing there; if there is none,
  /// of a tile whose parent shows something, and `nil` if there are no tiles.
  ///
  /// - Parameter blank: a transparent tile of this zoom; `nil` if there is none.
  /// - Complexity: O(tiles).
  package func undrawnChild(or blank: UInt64?, inside bounds: TileRange) -> UInt64? {
    func children(_ key: UInt64, _ quadrants: UInt8) -> [TileCoord] {
      let parent = TileCoord(TileKey(rawValue: key), z: grid.zoom)
      let all = (0..<4).filter { quadrants & UInt8(1 << $0) != 0 }.map {
        TileCoord(z: parent.z + 1, x: 2 * parent.x + $0 % 2, y: 2 * parent.y + $0 / 2)
      }
      return all.filter { bounds.contains($0) }
    }
    if let child = blank.flatMap({ children($0, 15).first }) { return TileKey(child).rawValue }
    for (key, quadrants) in zip(tileKeys, quadrants) where quadrants != 15 {
      if let child = children(key, ~quadrants).first { return TileKey(child).rawValue }
    }
    return tileKeys.first.flatMap { children($0, 15).first }.map { TileKey($0).rawValue }
  }
}

extension Sequence {
  /// Returns the elements from north to south; ties keep their order.
  ///
  /// - Parameter southing: the distance of an element southward, in any unit.
  @inlinable
  package func fromNorth(_ southing: (Element) -> Int) -> [Element] {
    enumerated().map { (southing: southing($0.element), offset: $0.offset, element: $0.element) }
      .sorted { ($0.southing, $0.offset) < ($1.southing, $1.offset) }.map(\.element)
  }
}
