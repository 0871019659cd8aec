package import SpatialIndex
package import Styling

/// One shape in one layer of one tile.
package struct ShapeDraw: BitwiseCopyable, Sendable {
  /// Index of the layer in the style.
  package var layer: UInt32

  /// Number of the look in the build's ``ShapeLookTable``.
  package var look: UInt32

  /// Index into ``ShapeScenes/pieces``: the source that the shape comes from.
  package var set: UInt32

  /// Index of the piece in its set: what of the shape lies in the tile; or of a speck of dust, marked
  /// by ``dustFlag``.
  package var piece: UInt32

  @inlinable package static var dustFlag: UInt32 { 1 << 31 }

  /// The index of the speck, `nil` for a piece.
  @inlinable package var dust: Int? {
    piece & Self.dustFlag != 0 ? Int(piece & ~Self.dustFlag) : nil
  }
}

/// The pieces of one source behind one reference: they are dozens of columns, which a copy would have
/// to retain one by one.
package final class ShapePieceSet: Sendable {
  package let pieces: ShapePieces

  init(_ pieces: ShapePieces) {
    self.pieces = pieces
  }
}

/// What the tiles of one zoom show of lines and polygons, as columns in archive order.
package struct ShapeScenes: Sendable {
  /// The pieces of each source, tile by tile.
  package var pieces: [ShapePieceSet] = []

  /// `column << 22 | TMS row` of each tile that shows a shape, ascending.
  var tileKeys = ContiguousArray<UInt64>()

  /// The end of each tile's draws in ``draws``.
  package var drawEnds = ContiguousArray<UInt32>()

  /// In drawing order within each tile.
  package var draws = ContiguousArray<ShapeDraw>()

  /// The hash of what each tile shows of shapes.
  var hashes = ContiguousArray<StableHash>()

  /// Quadrants with a visible pixel: bit 0 NW, 1 NE, 2 SW, 3 SE.
  var quadrants = ContiguousArray<UInt8>()

  /// The looks that were known when the scenes were made.
  package var looks = ShapeLookTable()

  init() {}

  var count: Int { tileKeys.count }

  /// The draws of a tile, as indexes into ``draws``.
  @inlinable
  package func drawRange(_ tile: Int) -> Range<Int> {
    (tile == 0 ? 0 : Int(drawEnds[tile - 1]))..<Int(drawEnds[tile])
  }

  /// The look of a draw.
  @inlinable
  package func look(_ draw: Int) -> ShapeLook { looks.looks[Int(draws[draw].look)] }
}
