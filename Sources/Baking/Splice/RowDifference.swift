import Columns
import Features
import MBTiles
import Reuse
import Tiling

/// The difference between the rows of the last archive and those of the next one, by their scenes and
/// what their UTFGrids are made from.
struct RowDifference {
  /// The indexes of the last archive's tiles that the next one does not have, or not with this
  /// scene; ascending.
  private(set) var removed: Column<UInt32>

  /// The next archive's rows that the last one does not have, or not with this scene; in archive
  /// order.
  private(set) var added: Column<PlannedRowCursor.Row>

  /// Compares; `nil` if more rows differ than the limit.
  ///
  /// - Parameter grids: what the grids are made from; `nil` for an archive without.
  /// - Complexity: O(rows of both).
  init?(from state: TileState, to rows: PlannedRows, _ grids: GridHashes?, limit: Int) {
    let (numbers, scenes) = (state.contents.tiles, state.scenes)
    let known = state.grids?.hashes
    removed = Column(in: numbers.scratch)
    added = Column(in: numbers.scratch)
    var cursor = PlannedRowCursor(rows)
    var old = 0
    while let row = cursor.next() {
      while old < numbers.count, numbers[old] < row.number {
        removed.append(UInt32(truncatingIfNeeded: old))
        old += 1
      }
      let isThere = old < numbers.count && numbers[old] == row.number
      if isThere, scenes[old] == row.scene, grids.map({ $0[row] }) == known?[old] {
        old += 1
        continue
      }
      if isThere {
        removed.append(UInt32(truncatingIfNeeded: old))
        old += 1
      }
      added.append(row)
      if added.count > limit || removed.count > limit { return nil }
    }
    guard removed.count + numbers.count - old <= limit else { return nil }
    removed.append(contentsOf: UInt32(clamping: old)..<UInt32(clamping: numbers.count))
  }

  /// Returns the index of the first added row with a number or a greater one.
  func firstAdded(from number: UInt64) -> Int {
    added.bisectedIndex(notBefore: { $0.number < number })
  }

  /// Returns the index of the first removed tile with an index or a greater one.
  func firstRemoved(from index: Int) -> Int {
    removed.bisectedIndex(notBefore: { Int($0) < index })
  }
}
