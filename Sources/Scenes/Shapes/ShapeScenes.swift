package import Columns
import Features
package import SpatialIndex
package import Styling

/// One shape in one layer of one tile.
package struct ShapeDraw: BitwiseCopyable, Sendable {
  /// The index of the layer in the style.
  package var layer: UInt32

  /// The number of the look in the build's ``ShapeLookTable``.
  package var look: UInt32

  /// The index into ``ShapeScenes/pieces``: the source that the shape comes from.
  package var set: UInt32

  /// The index of the piece in its set, the part of the shape in the tile; or of a speck of dust,
  /// marked by ``dustFlag``.
  package var piece: UInt32

  @inlinable package static var dustFlag: UInt32 { 1 << 31 }

  /// The index of the speck; `nil` for a piece.
  @inlinable package var dust: Int? {
    piece & Self.dustFlag != 0 ? Int(piece & ~Self.dustFlag) : nil
  }
}

/// The pieces of one source, held by one reference: retaining their dozens of columns one by one
/// would make copies expensive.
package final class ShapePieceSet: Sendable {
  package let pieces: ShapePieces

  init(_ pieces: ShapePieces) {
    self.pieces = pieces
  }
}

/// The lines and polygons that the tiles of one zoom show, as columns in archive order.
package struct ShapeScenes: Sendable {
  /// The pieces of each source, tile by tile.
  package var pieces: [ShapePieceSet] = []

  /// The raw ``TileKey`` of each tile that shows a shape, ascending.
  var tileKeys = Column<UInt64>()

  /// The end of each tile's draws in ``draws``.
  package var drawEnds = Column<UInt32>()

  /// The draws of all tiles, in drawing order within each tile.
  package var draws = Column<ShapeDraw>()

  /// The hash of the shapes that each tile shows.
  var hashes = Column<StableHash>()

  /// The quadrants of each tile with a visible pixel: bit 0 NW, 1 NE, 2 SW, 3 SE.
  var quadrants = Column<UInt8>()

  /// The looks that were known when the scenes were made.
  package var looks = ShapeLookTable()

  var count: Int { tileKeys.count }

  /// Returns the draws of a tile, as indexes into ``draws``.
  @inlinable
  package func drawRange(_ tile: Int) -> Range<Int> {
    (tile == 0 ? 0 : Int(drawEnds[tile - 1]))..<Int(drawEnds[tile])
  }

  /// Returns the look of a draw.
  @inlinable
  package func look(_ draw: Int) -> ShapeLook { looks.looks[Int(draws[draw].look)] }
}
