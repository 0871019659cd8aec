/// A vertex in 1/256 device pixels from a tile's north-west corner, |x| and |y| below 2²⁹.
@usableFromInline
package struct ShapeVertex: BitwiseCopyable, Hashable, Sendable {
  @usableFromInline package var x: Int32
  @usableFromInline package var y: Int32

  @inlinable
  package init(x: Int32, y: Int32) {
    self.x = x
    self.y = y
  }
}

/// The kinds of ends of a run of vertices of a line.
@usableFromInline
package struct LineRunFlags: OptionSet, BitwiseCopyable, Hashable, Sendable {
  @usableFromInline package let rawValue: UInt8

  @inlinable
  package init(rawValue: UInt8) {
    self.rawValue = rawValue
  }

  /// The first vertex is the line's own end.
  package static let startsLine = LineRunFlags(rawValue: 1)

  /// The last vertex is the line's own end.
  package static let endsLine = LineRunFlags(rawValue: 2)

  /// The run is a whole ring, whose last vertex is joined to its first.
  package static let isClosed = LineRunFlags(rawValue: 4)
}

/// The kind of a piece of a shape.
package enum ShapePieceKind: UInt8, Sendable {
  /// Contours to be filled by the even-odd rule.
  case area
  /// A filled area: all of the tile, and of the reach around it, is inside; it has no contours.
  case fullArea
  /// Runs of vertices to be stroked.
  case line
}

/// The pieces of a source's shapes that the tiles of one zoom need, as columns: tiles in archive
/// order, in each the pieces in the order of the shapes.
///
/// Pieces are pure functions of the shape and the tile. The area of a shape comes before its lines.
/// A shape that appears twice in a tile, from both sides of the antimeridian, has two pieces there.
package struct ShapePieces: Sendable {
  /// The rawValue of the ``TileKey`` of each tile that has a piece or a sub-pixel polygon,
  /// ascending.
  package var tileKeys = ContiguousArray<UInt64>()

  /// The end of each tile's pieces in ``shapes``.
  package var pieceEnds = ContiguousArray<UInt32>()

  /// The end of each tile's sub-pixel polygons in ``dustShapes``.
  package var dustEnds = ContiguousArray<UInt32>()

  /// The index of each piece's shape.
  package var shapes = ContiguousArray<UInt32>()

  /// The kind of each piece.
  package var kinds = ContiguousArray<ShapePieceKind>()

  /// The world copy of each piece: the number of world widths by which the shape is moved eastward.
  package var copies = ContiguousArray<Int16>()

  /// The window of each piece; empty if all are drawn in all pixels of their tiles.
  var windows = ContiguousArray<SourceWindow>()

  /// The start of the vertices and ends of each piece in the columns of its kind.
  var vertexStarts = ContiguousArray<Int>()
  var contourStarts = ContiguousArray<Int>()
  var contourCounts = ContiguousArray<UInt32>()

  /// The vertices and contours of all areas; ends count from the piece's first vertex.
  var areaVertices = ContiguousArray<ShapeVertex>()
  var areaEnds = ContiguousArray<UInt32>()

  /// The vertices and runs of all lines; ends count from the piece's first vertex.
  var lineVertices = ContiguousArray<ShapeVertex>()
  var lineDistances = ContiguousArray<Int64>()
  var lineEnds = ContiguousArray<UInt32>()
  var lineFlags = ContiguousArray<LineRunFlags>()
  var lineLengths = ContiguousArray<Int64>()

  /// The index of each sub-pixel polygon's shape (``ShapeDust``).
  package var dustShapes = ContiguousArray<UInt32>()

  /// The pixel of each sub-pixel polygon in its tile; may be outside the tile within the reach.
  package var dustXs = ContiguousArray<Int32>()
  package var dustYs = ContiguousArray<Int32>()

  /// The area of each sub-pixel polygon in 2⁻³² square pixels.
  package var dustAreas = ContiguousArray<UInt32>()

  init() {}

  /// The number of tiles.
  package var count: Int { tileKeys.count }

  /// Returns the pieces of a tile, as indexes into ``shapes``, ``kinds`` and ``copies``.
  package func pieceRange(_ tile: Int) -> Range<Int> {
    (tile == 0 ? 0 : Int(pieceEnds[tile - 1]))..<Int(pieceEnds[tile])
  }

  /// Returns the sub-pixel polygons of a tile, as indexes into their columns.
  package func dustRange(_ tile: Int) -> Range<Int> {
    (tile == 0 ? 0 : Int(dustEnds[tile - 1]))..<Int(dustEnds[tile])
  }

  /// Whether some pieces are not drawn in all pixels of their tiles.
  package var hasWindows: Bool { !windows.isEmpty }

  /// Returns the pixels in which a piece is drawn; `nil` for all of its tile.
  package func window(of piece: Int) -> SourceWindow? {
    windows.isEmpty || windows[piece] == .all ? nil : windows[piece]
  }

  /// The contours of an area.
  package struct Area {
    package let vertices: UnsafeBufferPointer<ShapeVertex>
    /// The end of each contour in ``vertices``; contours are closed implicitly.
    package let ends: UnsafeBufferPointer<UInt32>
  }

  /// Calls the body with the contours of an area piece; a full one has none.
  ///
  /// Not generic: a build calls it millions of times from another module.
  package func withArea(_ piece: Int, _ body: (Area) -> Void) {
    let contours = contourRange(piece)
    areaVertices.withUnsafeBufferPointer { vertices in
      areaEnds.withUnsafeBufferPointer { ends in
        let ends = UnsafeBufferPointer(rebasing: ends[contours])
        let vertices = UnsafeBufferPointer(rebasing: vertices[vertexRange(piece, ends)])
        body(Area(vertices: vertices, ends: ends))
      }
    }
  }

  /// The runs of a line.
  package struct Line {
    package let vertices: UnsafeBufferPointer<ShapeVertex>
    /// The distance along the line at which the edge that leaves each vertex begins, in 1/256
    /// pixels. A run that passes a ring's first vertex starts again at 0 there.
    package let distances: UnsafeBufferPointer<Int64>
    /// The end of each run in ``vertices``.
    package let ends: UnsafeBufferPointer<UInt32>
    package let flags: UnsafeBufferPointer<LineRunFlags>
    /// The length of the whole line that each run is a part of, in 1/256 pixels.
    package let lengths: UnsafeBufferPointer<Int64>
  }

  /// Calls the body with the runs of a line piece.
  package func withLine(_ piece: Int, _ body: (Line) -> Void) {
    lineVertices.withUnsafeBufferPointer { vertices in
      lineDistances.withUnsafeBufferPointer { distances in
        withRuns(piece) { ends, flags, lengths in
          let range = vertexRange(piece, ends)
          body(
            Line(
              vertices: UnsafeBufferPointer(rebasing: vertices[range]),
              distances: UnsafeBufferPointer(rebasing: distances[range]), ends: ends,
              flags: flags, lengths: lengths))
        }
      }
    }
  }

  private func withRuns(
    _ piece: Int,
    _ body: (
      _ ends: UnsafeBufferPointer<UInt32>, _ flags: UnsafeBufferPointer<LineRunFlags>,
      _ lengths: UnsafeBufferPointer<Int64>
    ) -> Void
  ) {
    let runs = contourRange(piece)
    lineEnds.withUnsafeBufferPointer { ends in
      lineFlags.withUnsafeBufferPointer { flags in
        lineLengths.withUnsafeBufferPointer { lengths in
          body(
            UnsafeBufferPointer(rebasing: ends[runs]), UnsafeBufferPointer(rebasing: flags[runs]),
            UnsafeBufferPointer(rebasing: lengths[runs]))
        }
      }
    }
  }

  private func contourRange(_ piece: Int) -> Range<Int> {
    contourStarts[piece]..<contourStarts[piece] + Int(contourCounts[piece])
  }

  private func vertexRange(_ piece: Int, _ ends: UnsafeBufferPointer<UInt32>) -> Range<Int> {
    vertexStarts[piece]..<vertexStarts[piece] + Int(ends.last ?? 0)
  }
}
