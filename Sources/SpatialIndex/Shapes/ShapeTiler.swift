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
  ///   - areaReach: the distance around a tile, in device pixels, within which areas must be right,
  ///     up to ``reachLimit``: as far as their edges reach and a style moves them.
  ///   - lineReach: the same for lines: the distance that their strokes reach.
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
  /// - Parameter bordersBelong: whether touching a tile's extended border counts.
  mutating func forEachBlock(
    of box: PlaneBox, reach: Int, bordersBelong: Bool,
    _ body: (inout ShapeTiler, TileBlock) -> Void
  ) {
    let division = zoomShapes.division
    let slack = bordersBelong ? 0 : 1
    // The first tile whose far border is beyond the box's near one, and the last the other way.
    func tiles(_ low: Int, _ high: Int) -> Range<Int> {
      let first = division.tile(low - reach + slack - 1)
      let last = division.tile(high + reach - slack)
      return first..<max(first, last + 1)
    }
    let tileRows = tiles(box.minY, box.maxY).clamped(to: rows)
    guard !tileRows.isEmpty else { return }
    let turn = zoomShapes.worldUnits
    for copy in copies(from: box.minX - reach, to: box.maxX + reach) {
      let tileColumns = tiles(box.minX + copy * turn, box.maxX + copy * turn)
      for wanted in columns {
        let touched = tileColumns.clamped(to: wanted)
        guard !touched.isEmpty else { continue }
        body(&self, TileBlock(columns: touched, rows: tileRows, shape: 0, copy: copy))
      }
    }
  }

  /// Returns the numbers of turns eastward at which something from `west` to `east` lies in the square
  /// of all tiles; both ends are in 1/256 pixels.
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

  func key(column: Int, row: Int) -> UInt64 {
    TileKey(TileCoord(z: zoomShapes.zoom, x: column, y: row)).rawValue
  }
}
