package import Features
package import Raster
package import Tiling

/// The content of one heatmap layer in the tiles of one zoom, as columns in archive order.
///
/// A tile's pixels are determined by its entries and the layer's ramp, so tiles with equal
/// ``hashes`` look alike.
package struct HeatScenes: Sendable {
  package let points: HeatPoints

  /// The raw ``TileKey`` of each tile in which the layer shows a pixel, ascending.
  package internal(set) var tileKeys: Column<UInt64>

  /// The end of each tile's entries in ``rows`` and ``copies``.
  package internal(set) var entryEnds: Column<UInt32>

  /// The points whose kernels reach each tile, as rows of ``points``, ascending within a tile.
  package internal(set) var rows: Column<UInt32>

  /// The number of worlds by which the point is moved eastward for this tile: not 0 if its kernel
  /// crosses the antimeridian, or goes around a world smaller than the kernel.
  package internal(set) var copies: Column<Int16>

  /// The hash of each tile's content.
  package internal(set) var hashes: Column<StableHash>

  /// The quadrants of each tile with a visible pixel: bit 0 NW, 1 NE, 2 SW, 3 SE.
  package internal(set) var quadrants: Column<UInt8>

  init(_ points: HeatPoints) {
    self.points = points
    let scratch = points.xs.scratch
    tileKeys = Column(in: scratch)
    entryEnds = Column(in: scratch)
    rows = Column(in: scratch)
    copies = Column(in: scratch)
    hashes = Column(in: scratch)
    quadrants = Column(in: scratch)
  }

  /// The number of tiles.
  package var count: Int { tileKeys.count }

  /// Returns the coordinate of a tile.
  package func tile(_ index: Int) -> TileCoord {
    TileCoord(TileKey(rawValue: tileKeys[index]), z: points.grid.zoom)
  }

  /// Returns the entries of a tile, as indexes into ``rows`` and ``copies``.
  package func entryRange(_ tile: Int) -> Range<Int> {
    (tile == 0 ? 0 : Int(entryEnds[tile - 1]))..<Int(entryEnds[tile])
  }

  /// Returns the position of a point in a tile, in 1/16 device px from the tile's north-west
  /// corner.
  @inline(__always)
  func place(row: Int, copy: Int, in tile: TileCoord) -> (x: Int, y: Int) {
    let side = points.grid.tilePixels * PixelGrid.phases
    let world = points.grid.worldPixels * PixelGrid.phases
    return (points.xs[row] + copy * world - tile.x * side, points.ys[row] - tile.y * side)
  }

  /// Adds the points of entries to a canvas of the tile's size.
  package func add(_ entries: Range<Int>, of tile: TileCoord, to canvas: HeatmapCanvas) {
    for entry in entries {
      let row = Int(rows[entry])
      guard let kernel = points.kernel(row) else { continue }
      let (x, y) = place(row: row, copy: Int(copies[entry]), in: tile)
      canvas.add(kernel, x: x, y: y)
    }
  }
}
