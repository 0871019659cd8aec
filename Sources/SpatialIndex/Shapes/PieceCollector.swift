import Columns

/// A collector that receives pieces in the order of the shapes and returns them in the order of the
/// tiles.
struct PieceCollector {
  /// The tile of each piece; ``pieces`` has the other columns.
  private var keys = Column<UInt64>()
  private var pieces = ShapePieces()
  private var dustKeys = Column<UInt64>()

  /// The start of the piece that is being built.
  private var vertexStart = 0
  private var contourStart = 0

  init() {}

  mutating func beginArea() {
    vertexStart = pieces.areaVertices.count
    contourStart = pieces.areaEnds.count
  }

  mutating func beginLine() {
    vertexStart = pieces.lineVertices.count
    contourStart = pieces.lineEnds.count
  }

  @inline(__always)
  mutating func addArea(x: Int, y: Int) {
    pieces.areaVertices.append(
      ShapeVertex(x: Int32(truncatingIfNeeded: x), y: Int32(truncatingIfNeeded: y)))
  }

  mutating func endContour() {
    pieces.areaEnds.append(UInt32(truncatingIfNeeded: pieces.areaVertices.count - vertexStart))
  }

  @inline(__always)
  mutating func addLine(x: Int, y: Int, distance: Int) {
    pieces.lineVertices.append(
      ShapeVertex(x: Int32(truncatingIfNeeded: x), y: Int32(truncatingIfNeeded: y)))
    pieces.lineDistances.append(Int64(distance))
  }

  mutating func endRun(_ flags: LineRunFlags, length: Int) {
    pieces.lineEnds.append(UInt32(truncatingIfNeeded: pieces.lineVertices.count - vertexStart))
    pieces.lineFlags.append(flags)
    pieces.lineLengths.append(Int64(length))
  }

  /// Ends a piece: all contours or runs since its start.
  ///
  /// - Parameters:
  ///   - block: the block of its tile.
  ///   - window: the pixels in which it is drawn.
  mutating func end(
    _ kind: ShapePieceKind, of block: TileBlock, key: UInt64, _ window: SourceWindow
  ) {
    let contours = kind == .line ? pieces.lineEnds.count : pieces.areaEnds.count
    keys.append(key)
    if window != .all {
      pieces.windows.append(
        contentsOf: repeatElement(.all, count: pieces.shapes.count - pieces.windows.count))
      pieces.windows.append(window)
    }
    pieces.shapes.append(UInt32(truncatingIfNeeded: block.shape))
    pieces.kinds.append(kind)
    pieces.copies.append(Int16(truncatingIfNeeded: block.copy))
    pieces.vertexStarts.append(vertexStart)
    pieces.contourStarts.append(contourStart)
    pieces.contourCounts.append(UInt32(truncatingIfNeeded: contours - contourStart))
  }

  mutating func addDust(key: UInt64, shape: UInt32, x: Int, y: Int, area: UInt32) {
    dustKeys.append(key)
    pieces.dustShapes.append(shape)
    pieces.dustXs.append(Int32(truncatingIfNeeded: x))
    pieces.dustYs.append(Int32(truncatingIfNeeded: y))
    pieces.dustAreas.append(area)
  }

  /// Returns all pieces, sorted by tile and, within each, in the order of collection.
  ///
  /// - Complexity: O(pieces + sub-pixel polygons).
  consuming func sorted() -> ShapePieces {
    var sorter = RadixSorter()
    var order = Column(0..<UInt32(clamping: keys.count))
    var pieces = pieces
    sorter.sort(&keys, &order)
    if !pieces.windows.isEmpty {
      pieces.windows.append(
        contentsOf: repeatElement(.all, count: pieces.shapes.count - pieces.windows.count))
      pieces.windows = Self.gather(pieces.windows, order)
    }
    pieces.shapes = Self.gather(pieces.shapes, order)
    pieces.kinds = Self.gather(pieces.kinds, order)
    pieces.copies = Self.gather(pieces.copies, order)
    pieces.vertexStarts = Self.gather(pieces.vertexStarts, order)
    pieces.contourStarts = Self.gather(pieces.contourStarts, order)
    pieces.contourCounts = Self.gather(pieces.contourCounts, order)
    var dustOrder = Column(0..<UInt32(clamping: dustKeys.count))
    sorter.sort(&dustKeys, &dustOrder)
    pieces.dustShapes = Self.gather(pieces.dustShapes, dustOrder)
    pieces.dustXs = Self.gather(pieces.dustXs, dustOrder)
    pieces.dustYs = Self.gather(pieces.dustYs, dustOrder)
    pieces.dustAreas = Self.gather(pieces.dustAreas, dustOrder)
    Self.setTiles(of: &pieces, keys: keys, dustKeys: dustKeys)
    return pieces
  }

  /// Merges the two sorted lists of keys into a list of tiles.
  private static func setTiles(
    of pieces: inout ShapePieces, keys: Column<UInt64>, dustKeys: Column<UInt64>
  ) {
    var piece = 0
    var speck = 0
    while piece < keys.count || speck < dustKeys.count {
      let key = min(
        piece < keys.count ? keys[piece] : .max, speck < dustKeys.count ? dustKeys[speck] : .max)
      while piece < keys.count, keys[piece] == key { piece += 1 }
      while speck < dustKeys.count, dustKeys[speck] == key { speck += 1 }
      pieces.tileKeys.append(key)
      pieces.pieceEnds.append(UInt32(truncatingIfNeeded: piece))
      pieces.dustEnds.append(UInt32(truncatingIfNeeded: speck))
    }
  }

  private static func gather<Value>(
    _ column: ContiguousArray<Value>, _ order: Column<UInt32>
  ) -> ContiguousArray<Value> {
    ContiguousArray(order.lazy.map { column[Int($0)] })
  }
}
