package import Styling
package import Tiling

/// The scenes of all drawn tiles of one zoom, as columns in archive order: which looks stand where in
/// which tile, and no pixel of them.
///
/// A tile is drawn if it has a background or a visible pixel of a symbol, a shape, heat or an image
/// lies in it. Its bytes follow from its scene, the fonts and the style's palette alone. Tiles with
/// equal ``hashes`` have equal scenes, so they are painted once.
package struct ZoomScenes: Sendable {
  package let grid: PixelGrid

  /// Background of every tile, as straight as the palette needs it; transparent without a layer.
  package let background: UInt32

  /// Backgrounds of every tile that lie over other layers, back to front.
  package let veils: [BackgroundVeil]

  /// The layers whose symbols are drawn from north to south instead of in the order of ``entries``;
  /// ascending.
  package var layersFromNorth: [Int] = []

  /// Whether every tile shows something.
  var hasBackground: Bool { background >> 24 != 0 || !veils.isEmpty }

  /// `column << 22 | TMS row` of each drawn tile, ascending.
  package var tileKeys = ContiguousArray<UInt64>()

  /// The end of each tile's entries in ``entries``.
  package var entryEnds = ContiguousArray<UInt32>()

  /// `symbol << 2 | world copy + 1`: the symbols of each tile in drawing order. The world copy is
  /// −1, 0 or +1 where a symbol near the antimeridian is seen from the other side.
  package var entries = ContiguousArray<UInt32>()

  /// Quadrants with a visible pixel: bit 0 NW, 1 NE, 2 SW, 3 SE.
  package var quadrants = ContiguousArray<UInt8>()

  /// The hash of each scene.
  package var hashes = ContiguousArray<StableHash>()

  /// The feature of each symbol; empty where no taps are wanted.
  package var symbolFeatures = ContiguousArray<TapFeature>()

  /// For each set of ``ShapeScenes/pieces`` the index of its source among those of the build.
  var shapeSources: [UInt32] = []

  /// Number of each symbol's sprite, an index into ``sprites``.
  package var symbolSprites = ContiguousArray<UInt32>()

  /// Anchor pixel of each symbol, eastward from the world's west edge. Of the 2³² px that zoom 22
  /// has at most, the one at the far edge is the first one again.
  package var anchorXs = ContiguousArray<UInt32>()

  /// Anchor pixel of each symbol, southward from the world's north edge.
  package var anchorYs = ContiguousArray<UInt32>()

  /// The measures of the sprites that were known when the scenes were made, by number.
  package var sprites: [SpriteMeasure] = []

  /// The look stacks that were known when the scenes were made.
  package var looks = LookTable()

  /// What the tiles show of lines and polygons.
  package var shapes = ShapeScenes()

  /// What the tiles show of each heatmap layer, back to front.
  package var heats: [HeatScenes] = []

  /// What the tiles show of each raster layer, back to front.
  package var rasters: [RasterScenes] = []

  /// For each tile its place in ``shapes``, −1 without one; empty where no tile shows more than
  /// symbols.
  var shapeTiles = ContiguousArray<Int32>()

  /// For each tile its place in each of ``heats`` and then of ``rasters``, as ``shapeTiles``.
  var layerTiles = ContiguousArray<Int32>()

  init(grid: PixelGrid, background: UInt32, veils: [BackgroundVeil] = []) {
    self.grid = grid
    self.background = background
    self.veils = veils
  }

  /// The number of drawn tiles.
  @inlinable package var count: Int { tileKeys.count }

  /// The coordinate of a drawn tile.
  @inlinable
  package func tile(_ index: Int) -> TileCoord {
    Self.tile(key: tileKeys[index], zoom: grid.zoom)
  }

  /// The tile of a key as in ``tileKeys``.
  @inlinable
  package static func tile(key: UInt64, zoom: Int) -> TileCoord {
    TileCoord(TileKey(rawValue: key), z: zoom)
  }

  /// The entries of a tile, as indexes into ``entries``.
  @inlinable
  package func entryRange(_ tile: Int) -> Range<Int> {
    (tile == 0 ? 0 : Int(entryEnds[tile - 1]))..<Int(entryEnds[tile])
  }

  /// The place of an entry's anchor pixel in a tile whose north-west pixel is given.
  @inlinable @inline(__always)
  package func place(of entry: UInt32, originX: Int, originY: Int) -> (x: Int, y: Int) {
    let symbol = Int(entry >> 2)
    let copy = Int(entry & 3) - 1
    return (
      Int(anchorXs[symbol]) + copy * grid.worldPixels - originX, Int(anchorYs[symbol]) - originY
    )
  }

  /// How far south of the world's north edge the middle of an entry's symbol lies, in 1/16 px.
  @inlinable @inline(__always)
  package func southing(of entry: UInt32) -> Int {
    let symbol = Int(entry >> 2)
    return Int(anchorYs[symbol]) * PixelGrid.phases + Int(stack(ofSymbol: symbol).phaseY)
  }

  /// The look stack of a symbol, and the place of its centre inside the anchor pixel in 1/16 px.
  @inlinable @inline(__always)
  package func stack(ofSymbol symbol: Int) -> (stack: UInt32, phaseX: UInt8, phaseY: UInt8) {
    sprites.withUnsafeBufferPointer { sprites in
      let index = Int(symbolSprites[symbol])
      return (sprites[index].key.stack, sprites[index].key.phaseX, sprites[index].key.phaseY)
    }
  }

  /// The keys of the tiles one zoom down that need the shared transparent tile: children of drawn
  /// tiles whose quadrant shows pixels, without those that are drawn themselves; ascending.
  ///
  /// - Complexity: O(tiles of both zooms).
  /// - Parameter drawn: the drawn tiles of the next zoom, ascending.
  package func transparentChildren(
    without drawn: ContiguousArray<UInt64>, inside bounds: TileRange
  ) -> ContiguousArray<UInt64> {
    var result = ContiguousArray<UInt64>()
    var next = 0
    var start = 0
    while start < count {
      // Tiles of one column have children in two, and the first column's come before the second's.
      let column = tileKeys[start] >> 22
      var end = start + 1
      while end < count, tileKeys[end] >> 22 == column { end += 1 }
      for side in 0...1 {
        for index in start..<end where quadrants[index] != 0 {
          let parent = tile(index)
          // Southern children first: TMS rows count northward.
          for south in [1, 0] where quadrants[index] & UInt8(1 << (2 * south + side)) != 0 {
            let child = TileCoord(
              z: parent.z + 1, x: 2 * parent.x + side, y: 2 * parent.y + south)
            guard bounds.contains(child) else { continue }
            let key = TileKey(child).rawValue
            while next < drawn.count, drawn[next] < key { next += 1 }
            if next == drawn.count || drawn[next] != key { result.append(key) }
          }
        }
      }
      start = end
    }
    return result
  }
}

extension Sequence {
  /// The elements from north to south, ties as they stand.
  ///
  /// - Parameter southing: how far south an element lies, in any unit.
  @inlinable
  package func fromNorth(_ southing: (Element) -> Int) -> [Element] {
    enumerated().map { (southing: southing($0.element), offset: $0.offset, element: $0.element) }
      .sorted { ($0.southing, $0.offset) < ($1.southing, $1.offset) }.map(\.element)
  }
}
