import SpatialIndex

/// One shape in one layer of one tile.
struct ShapeDraw: BitwiseCopyable, Sendable {
  /// Index of the layer in the style.
  var layer: UInt32

  /// Number of the look in the build's ``ShapeLookTable``.
  var look: UInt32

  /// Index into ``ShapeScenes/pieces``: the source that the shape comes from.
  var set: UInt32

  /// Index of the piece in its set: what of the shape lies in the tile; or of a speck of dust, marked
  /// by ``dustFlag``.
  var piece: UInt32

  static let dustFlag: UInt32 = 1 << 31

  /// The index of the speck, `nil` for a piece.
  var dust: Int? { piece & Self.dustFlag != 0 ? Int(piece & ~Self.dustFlag) : nil }
}

/// The pieces of one source behind one reference: they are dozens of columns, which a copy would have
/// to retain one by one.
final class ShapePieceSet: Sendable {
  let pieces: ShapePieces

  init(_ pieces: ShapePieces) {
    self.pieces = pieces
  }
}

/// What the tiles of one zoom show of lines and polygons, as columns in archive order.
package struct ShapeScenes: Sendable {
  /// The pieces of each source, tile by tile.
  var pieces: [ShapePieceSet] = []

  /// `column << 22 | TMS row` of each tile that shows a shape, ascending.
  var tileKeys = ContiguousArray<UInt64>()

  /// The end of each tile's draws in ``draws``.
  var drawEnds = ContiguousArray<UInt32>()

  /// In drawing order within each tile.
  var draws = ContiguousArray<ShapeDraw>()

  /// The hash of what each tile shows of shapes.
  var hashes = ContiguousArray<StableHash>()

  /// Quadrants with a visible pixel: bit 0 NW, 1 NE, 2 SW, 3 SE.
  var quadrants = ContiguousArray<UInt8>()

  /// The looks that were known when the scenes were made.
  var looks = ShapeLookTable()

  init() {}

  var count: Int { tileKeys.count }

  /// The draws of a tile, as indexes into ``draws``.
  func drawRange(_ tile: Int) -> Range<Int> {
    (tile == 0 ? 0 : Int(drawEnds[tile - 1]))..<Int(drawEnds[tile])
  }

  /// The look of a draw.
  func look(_ draw: Int) -> ShapeLook { looks.looks[Int(draws[draw].look)] }
}
