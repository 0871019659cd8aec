import PMTiles
import Tiling

/// The PMTiles numbers of the tiles of a range, as intervals.
///
/// The descendants of a tile are consecutive along the curve, so a range takes a few intervals
/// instead of a number per tile.
enum HilbertIntervals {
  /// The number of intervals from which on a tile that is partly in the range counts as a whole.
  private static let limit = 1 << 16

  /// Returns the intervals, ascending; for a range with a long border they include some tiles
  /// outside.
  ///
  /// - Complexity: O(zoom · border of the range).
  static func of(_ range: TileRange) -> [Range<UInt64>] {
    var intervals: [Range<UInt64>] = []
    visit(TileKey(rawValue: 0), level: 0, range, &intervals)
    intervals.sort { $0.lowerBound < $1.lowerBound }
    var joined: [Range<UInt64>] = []
    for interval in intervals {
      if let last = joined.last, last.upperBound == interval.lowerBound {
        joined[joined.count - 1] = last.lowerBound..<interval.upperBound
      } else {
        joined.append(interval)
      }
    }
    return joined
  }

  private static func visit(
    _ key: TileKey, level: Int, _ range: TileRange, _ intervals: inout [Range<UInt64>]
  ) {
    let shift = range.zoom - level
    let columns = (key.column << shift)..<((key.column + 1) << shift)
    let rows = (key.row << shift)..<((key.row + 1) << shift)
    let shared = range.columns.map { $0.clamped(to: columns) }.filter { !$0.isEmpty }
    let sharedRows = range.rows.clamped(to: rows)
    guard !shared.isEmpty, !sharedRows.isEmpty else { return }
    let isWhole = shared.contains(columns) && sharedRows == rows
    if isWhole || shift == 0 || intervals.count >= limit {
      let place = HilbertTile(TileCoord(key, z: level)).rawValue - HilbertTile.first(of: level)
      let start = HilbertTile.first(of: range.zoom) + (place << UInt64(2 * shift))
      intervals.append(start..<(start + (1 << UInt64(2 * shift))))
      return
    }
    for quadrant in 0..<4 { visit(key.child(quadrant), level: level + 1, range, &intervals) }
  }
}
