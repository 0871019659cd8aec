import Tiling

/// What is wanted of a shape.
package struct ShapeUse: OptionSet, Sendable {
  package let rawValue: UInt8

  @inlinable
  package init(rawValue: UInt8) {
    self.rawValue = rawValue
  }

  /// Its polygons, to be filled.
  package static let area = ShapeUse(rawValue: 1)

  /// Its lines and outlines, to be stroked.
  package static let line = ShapeUse(rawValue: 2)
}

/// Brings the shapes of a zoom to the tiles that show them.
///
/// A shape is halved with the block of tiles that it touches, until a block is one tile or lies
/// wholly inside or outside. No piece is cut: edges that come near a tile keep their ends, so that
/// all tiles together show what one great picture would show.
package struct ShapeTiler {
  /// The greatest reach, in device px.
  package static let reachLimit = 1 << 14

  /// A block of tiles, seen from a world copy.
  private struct Block {
    var columns: Range<Int>
    var rows: Range<Int>
    var shape: Int
    /// Turns by which the shape is moved eastward.
    var copy: Int

    var isTile: Bool { columns.count == 1 && rows.count == 1 }

    /// The halves of the longer side.
    var halves: (Block, Block) {
      var first = self
      var second = self
      if columns.count >= rows.count {
        let middle = columns.lowerBound + columns.count / 2
        first.columns = columns.lowerBound..<middle
        second.columns = middle..<columns.upperBound
      } else {
        let middle = rows.lowerBound + rows.count / 2
        first.rows = rows.lowerBound..<middle
        second.rows = middle..<rows.upperBound
      }
      return (first, second)
    }
  }

  private let zoomShapes: ZoomShapes
  private let areaReach: Int
  private let lineReach: Int
  private let columns: [Range<Int>]
  private let rows: Range<Int>

  private var areas = AreaReducer()
  private var lines = LineReducer()
  private var collector = PieceCollector()

  /// - Parameters:
  ///   - areaReach: device px around a tile within which areas must be right.
  ///   - lineReach: device px around a tile within which lines must be right.
  private init(_ shapes: ZoomShapes, areaReach: Int, lineReach: Int, window: TileWindow) {
    zoomShapes = shapes
    self.areaReach = min(max(areaReach, 0), Self.reachLimit) * ZoomShapes.unitsPerPixel
    self.lineReach = min(max(lineReach, 0), Self.reachLimit) * ZoomShapes.unitsPerPixel
    columns = window.columns(zoom: shapes.zoom)
    rows = window.rows(zoom: shapes.zoom)
  }

  /// The pieces of shapes that the tiles of a window need.
  ///
  /// - Parameters:
  ///   - areaReach: device px around a tile within which areas must be right, up to
  ///     ``reachLimit``: 0 unless a style moves them.
  ///   - lineReach: the same for lines: how far their strokes reach.
  ///   - uses: what is wanted of a shape; asked once for each, in order.
  /// - Complexity: O(vertices · log tiles + pieces) for every shape.
  package static func pieces(
    of shapes: ZoomShapes, areaReach: Int, lineReach: Int, window: TileWindow,
    uses: (_ shape: Int) -> ShapeUse
  ) -> ShapePieces {
    var tiler = ShapeTiler(shapes, areaReach: areaReach, lineReach: lineReach, window: window)
    var speck = 0
    for shape in 0..<shapes.count {
      let use = uses(shape)
      if use.contains(.area) { tiler.addArea(shape) }
      if use.contains(.line) { tiler.addLines(shape) }
      while speck < shapes.dust.count, shapes.dust.shapes[speck] == UInt32(shape) {
        if use.contains(.area) { tiler.addDust(speck) }
        speck += 1
      }
    }
    return tiler.collector.sorted()
  }

  // MARK: Areas

  private mutating func addArea(_ shape: Int) {
    let box = zoomShapes.areaBoxes[shape]
    guard !box.isEmpty else { return }
    var isLoaded = false
    forEachBlock(of: box, reach: areaReach, bordersBelong: false) { tiler, block in
      var block = block
      block.shape = shape
      if !isLoaded { tiler.loadArea(shape) }
      isLoaded = true
      let window = tiler.window(of: block, reach: tiler.areaReach)
      if window.strictlyContains(box) {
        tiler.splitArea(tiler.areas.all, block)
      } else {
        tiler.descendArea(tiler.areas.all, block)
      }
    }
  }

  private mutating func loadArea(_ shape: Int) {
    areas.begin()
    zoomShapes.vertices.withUnsafeBufferPointer { vertices in
      for part in zoomShapes.partRange(shape) where zoomShapes.parts[part].isRing {
        areas.add(vertices[zoomShapes.vertexRange(part)])
      }
    }
  }

  private mutating func descendArea(_ contours: AreaReducer.Contours, _ block: Block) {
    let (reduced, isFull) = areas.reduce(contours, to: window(of: block, reach: areaReach))
    if isFull {
      for column in block.columns {
        for row in block.rows {
          collector.beginArea()
          collector.end(
            .fullArea, key: key(column: column, row: row), shape: block.shape, copy: block.copy)
        }
      }
    } else if !reduced.contours.isEmpty {
      splitArea(reduced, block)
    }
    areas.release(after: contours)
  }

  private mutating func splitArea(_ contours: AreaReducer.Contours, _ block: Block) {
    if block.isTile { return emitArea(contours, block) }
    let (first, second) = block.halves
    descendArea(contours, first)
    descendArea(contours, second)
  }

  private mutating func emitArea(_ contours: AreaReducer.Contours, _ block: Block) {
    let (originX, originY) = origin(of: block)
    collector.beginArea()
    var start = contours.firstVertex
    for contour in contours.contours {
      let end = areas.ends[contour]
      for index in start..<end {
        let vertex = areas.vertices[index]
        collector.addArea(x: vertex.x - originX, y: vertex.y - originY)
      }
      collector.endContour()
      start = end
    }
    collector.end(
      .area, key: key(column: block.columns.lowerBound, row: block.rows.lowerBound),
      shape: block.shape, copy: block.copy)
  }

  // MARK: Lines

  private mutating func addLines(_ shape: Int) {
    let box = zoomShapes.lineBoxes[shape]
    guard !box.isEmpty else { return }
    var isLoaded = false
    forEachBlock(of: box, reach: lineReach, bordersBelong: true) { tiler, block in
      var block = block
      block.shape = shape
      if !isLoaded { tiler.loadLines(shape) }
      isLoaded = true
      let window = tiler.window(of: block, reach: tiler.lineReach)
      if window.contains(box) {
        tiler.splitLines(tiler.lines.all, block)
      } else {
        tiler.descendLines(tiler.lines.all, block)
      }
    }
  }

  private mutating func loadLines(_ shape: Int) {
    lines.begin()
    zoomShapes.vertices.withUnsafeBufferPointer { vertices in
      for part in zoomShapes.partRange(shape) where zoomShapes.parts[part].isOutline {
        lines.add(vertices[zoomShapes.vertexRange(part)], as: zoomShapes.parts[part])
      }
    }
  }

  private mutating func descendLines(_ runs: LineReducer.Runs, _ block: Block) {
    let reduced = lines.reduce(runs, to: window(of: block, reach: lineReach))
    if !reduced.runs.isEmpty { splitLines(reduced, block) }
    lines.release(after: runs)
  }

  private mutating func splitLines(_ runs: LineReducer.Runs, _ block: Block) {
    if block.isTile { return emitLines(runs, block) }
    let (first, second) = block.halves
    descendLines(runs, first)
    descendLines(runs, second)
  }

  private mutating func emitLines(_ runs: LineReducer.Runs, _ block: Block) {
    let (originX, originY) = origin(of: block)
    collector.beginLine()
    var start = runs.firstVertex
    for run in runs.runs {
      let end = lines.runs[run].end
      for index in start..<end {
        let vertex = lines.vertices[index]
        collector.addLine(
          x: vertex.x - originX, y: vertex.y - originY, distance: vertex.distance)
      }
      collector.endRun(lines.runs[run].flags)
      start = end
    }
    collector.end(
      .line, key: key(column: block.columns.lowerBound, row: block.rows.lowerBound),
      shape: block.shape, copy: block.copy)
  }

  // MARK: Dust

  /// Brings a speck to its tile, and to those around within the reach.
  private mutating func addDust(_ speck: Int) {
    let dust = zoomShapes.dust
    let pixelBits = zoomShapes.tileBits - 8
    let reach = areaReach >> 8
    let (x, y) = (dust.xs[speck], dust.ys[speck])
    let tileRows = ((y - reach) >> pixelBits)...((y + reach) >> pixelBits)
    for column in ((x - reach) >> pixelBits)...((x + reach) >> pixelBits) {
      let wrapped = column & (1 << zoomShapes.zoom - 1)
      guard columns.contains(where: { $0.contains(wrapped) }) else { continue }
      for row in tileRows where rows.contains(row) {
        collector.addDust(
          key: key(column: wrapped, row: row), shape: dust.shapes[speck],
          x: x - column << pixelBits, y: y - row << pixelBits, area: dust.areas[speck])
      }
    }
  }

  // MARK: Tiles

  /// Calls the body for each block of wanted tiles that a box touches, in each world copy.
  ///
  /// - Parameter bordersBelong: whether touching a tile's grown border counts.
  private mutating func forEachBlock(
    of box: PlaneBox, reach: Int, bordersBelong: Bool,
    _ body: (inout ShapeTiler, Block) -> Void
  ) {
    let bits = zoomShapes.tileBits
    let slack = bordersBelong ? 0 : 1
    // The first tile whose far border lies beyond the box' near one, and the last the other way.
    func tiles(_ low: Int, _ high: Int) -> Range<Int> {
      let first = (low - reach + slack - 1) >> bits
      let last = (high + reach - slack) >> bits
      return first..<max(first, last + 1)
    }
    let tileRows = tiles(box.minY, box.maxY).clamped(to: rows)
    guard !tileRows.isEmpty else { return }
    let turnBits = bits + zoomShapes.zoom
    let firstCopy = -((box.maxX + reach) >> turnBits)
    let lastCopy = -((box.minX - reach) >> turnBits)
    for copy in firstCopy...lastCopy {
      let tileColumns = tiles(box.minX + copy << turnBits, box.maxX + copy << turnBits)
      for wanted in columns {
        let touched = tileColumns.clamped(to: wanted)
        guard !touched.isEmpty else { continue }
        body(&self, Block(columns: touched, rows: tileRows, shape: 0, copy: copy))
      }
    }
  }

  /// The block and what lies within the reach around it, in the coordinates of the shape.
  private func window(of block: Block, reach: Int) -> PlaneBox {
    let bits = zoomShapes.tileBits
    let shift = block.copy << (bits + zoomShapes.zoom)
    return PlaneBox(
      minX: block.columns.lowerBound << bits - reach - shift,
      minY: block.rows.lowerBound << bits - reach,
      maxX: block.columns.upperBound << bits + reach - shift,
      maxY: block.rows.upperBound << bits + reach)
  }

  /// The north-west corner of a block, in the coordinates of the shape.
  private func origin(of block: Block) -> (x: Int, y: Int) {
    let bits = zoomShapes.tileBits
    let shift = block.copy << (bits + zoomShapes.zoom)
    return (block.columns.lowerBound << bits - shift, block.rows.lowerBound << bits)
  }

  private func key(column: Int, row: Int) -> UInt64 {
    UInt64(column) << 22 | UInt64(TileCoord(z: zoomShapes.zoom, x: column, y: row).tmsRow)
  }
}
