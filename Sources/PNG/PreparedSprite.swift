/// A sprite whose tokens are coded for the tiles of one ``SparseIndexedEncoder``.
///
/// Wherever the sprite stands alone inside a tile its bits are the same: only the blank stretches
/// before and after it change.
package struct PreparedSprite: Sendable {
  package let sprite: IndexedSprite

  /// The coded tokens from the first index that is no background to the last.
  let bits: BitString

  let sums: IndexedRows.Sums

  /// Columns and rows inside the sprite that hold more than background.
  let columns: Range<Int>
  let rows: Range<Int>
}
