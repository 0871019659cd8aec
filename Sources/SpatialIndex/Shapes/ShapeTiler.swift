package import Tiling

/// The parts of a shape that are needed.
@usableFromInline
package struct ShapeUse: OptionSet, Sendable {
  @usableFromInline package let rawValue: UInt8

  @inlinable
  package init(rawValue: UInt8) {
    self.rawValue = rawValue
  }

  /// The polygons, to be filled.
  package static let area = ShapeUse(rawValue: 1)

  /// The lines and outlines, to be stroked.
  package static let line = ShapeUse(rawValue: 2)

  /// The caps of lines so short that they are points, as well.
  package static let point = ShapeUse(rawValue: 4)
}

/// A divider of the shapes of a zoom into the pieces that each tile shows.
///
/// The block of tiles that a shape touches is halved repeatedly, until a block is one tile or
/// entirely inside or outside. Pieces are not cut: edges that come near a tile keep their ends, so
/// that all tiles together show exactly one large picture.
package struct ShapeTiler {
  /// The maximum reach, in device pixels.
  package static let reachLimit = 1 << 14

  let zoomShapes: ZoomShapes
  let areaReach: Int
  let lineReach: Int
  let columns: [Range<Int>]
  let rows: Range<Int>
  let isStopped: () -> Bool

  var areas = AreaReducer()
  var lines = LineReducer()
  var collector = PieceCollector()

  /// - Parameters:
  ///   - areaReach: the distance around a tile, in device pixels, within which areas must be right.
  ///   - lineReach: the distance around a tile, in device pixels, within which lines must be right.
  private init(
    _ shapes: ZoomShapes, areaReach: Int, lineReach: Int, window: TileRange,
    isStopped: @escaping () -> Bool
  ) {
    self.isStopped = isStopped
    zoomShapes = shapes
    self.areaReach = min(max(areaReach, 0), Self.reachLimit) * ZoomShapes.unitsPerPixel
    self.lineReach = min(max(lineReach, 0), Self.reachLimit) * ZoomShapes.unitsPerPixel
    columns = window.columns
    rows = window.rows
  }

  /// Returns the pieces of shapes that the tiles of a window need.
  ///
  /// - Parameters:
  ///   - areaReach: the distance around a tile, in device pixels, within which areas must be
  ///     right, up to ``reachLimit``: the reach of their edges plus the distance by which the
  ///     style moves them.
  ///   - lineReach: the same for lines: the reach of their strokes.
  ///   - isStopped: whether the run should stop; the pieces are then meaningless.
  ///   - uses: returns the needed parts of a shape; called once for each, in order.
  /// - Complexity: O(vertices · log tiles + pieces) for every shape.
  package static func pieces(
    of shapes: ZoomShapes, areaReach: Int, lineReach: Int, window: TileRange,
    isStopped: @escaping () -> Bool = { false }, uses: (_ shape: Int) -> ShapeUse
  ) -> ShapePieces {
    var tiler = ShapeTiler(
      shapes, areaReach: areaReach, lineReach: lineReach, window: window, isStopped: isStopped)
    var speck = 0
    for shape in 0..<shapes.count {
      let use = uses(shape)
      if use.contains(.area) { tiler.addArea(shape) }
      if use.contains(.line) { tiler.addLines(shape, withPoints: use.contains(.point)) }
      while speck < shapes.dust.count, shapes.dust.shapes[speck] == UInt32(shape) {
        if use.contains(.area) { tiler.addDust(speck) }
        speck += 1
      }
    }
    return tiler.collector.sorted()
  }

  /// Calls the body for each block of wanted tiles that a box touches, in each world copy.
  ///
  /// - Parameters:
  ///   - shape: the shape; blocks outside of its source tile are left out.
  ///   - bordersBelong: whether touching a tile's extended border counts.
  mutating func forEachBlock(
    of box: PlaneBox, _ shape: Int, reach: Int, bordersBelong: Bool,
    _ body: (inout ShapeTiler, TileBlock) -> Void
  ) {
    let division = zoomShapes.division
    let slack = bordersBelong ? 0 : 1
    // From the first tile whose far border lies beyond the box's near side, to the last tile whose
    // near border lies before the box's far side.
    func tiles(_ low: Int, _ high: Int) -> Range<Int> {
      let first = division.tile(low - reach + slack - 1)
      let last = division.tile(high + reach - slack)
      return first..<max(first, last + 1)
    }
    let source = zoomShapes.window(of: shape)
    func within(_ tiles: Range<Int>, _ low: Int?, _ high: Int?) -> Range<Int> {
      guard let low, let high else { return tiles }
      return tiles.clamped(to: division.tile(low)..<division.tile(high - 1) + 1)
    }
    let tileRows = within(tiles(box.minY, box.maxY), source?.minY, source?.maxY)
      .clamped(to: rows)
    guard !tileRows.isEmpty else { return }
    let turn = zoomShapes.worldUnits
    for copy in copies(from: box.minX - reach, to: box.maxX + reach) {
      let shift = copy * turn
      let tileColumns = within(
        tiles(box.minX + shift, box.maxX + shift), source.map { $0.minX + shift },
        source.map { $0.maxX + shift })
      for wanted in columns {
        let touched = tileColumns.clamped(to: wanted)
        guard !touched.isEmpty else { continue }
        body(&self, TileBlock(columns: touched, rows: tileRows, shape: 0, copy: copy))
      }
    }
  }

  /// Returns the numbers of turns eastward for which an item from `west` to `east` lies in the
  /// square of all tiles; both ends are in 1/256 pixels.
  func copies(from west: Int, to east: Int) -> Range<Int> {
    let turns = TileDivision(side: zoomShapes.worldUnits)
    let first = -turns.tile(east)
    return first..<max(turns.tile(zoomShapes.squareUnits - 1 - west) + 1, first)
  }

  /// Returns the block and the reach around it, in the coordinates of the shape.
  func window(of block: TileBlock, reach: Int) -> PlaneBox {
    let side = zoomShapes.division.side
    let shift = block.copy * zoomShapes.worldUnits
    return PlaneBox(
      minX: block.columns.lowerBound * side - reach - shift,
      minY: block.rows.lowerBound * side - reach,
      maxX: block.columns.upperBound * side + reach - shift,
      maxY: block.rows.upperBound * side + reach)
  }

  /// Returns the north-west corner of a block, in the coordinates of the shape.
  func origin(of block: TileBlock) -> (x: Int, y: Int) {
    let side = zoomShapes.division.side
    let shift = block.copy * zoomShapes.worldUnits
    return (block.columns.lowerBound * side - shift, block.rows.lowerBound * side)
  }

  /// Returns the pixels in which the source tile of a block's shape is drawn in the block's only
  /// tile; `nil` if there are none.
  func sourceWindow(of tile: TileBlock) -> SourceWindow? {
    guard let box = zoomShapes.window(of: tile.shape) else { return .all }
    let (originX, originY) = origin(of: tile)
    return SourceWindow(box, fromX: originX, y: originY, side: zoomShapes.tilePixels)
  }

  func key(column: Int, row: Int) -> UInt64 {
    TileKey(TileCoord(z: zoomShapes.zoom, x: column, y: row)).rawValue
  }

  /// Returns the key of a block's only tile.
  func key(of tile: TileBlock) -> UInt64 {
    key(column: tile.columns.lowerBound, row: tile.rows.lowerBound)
  }
}
