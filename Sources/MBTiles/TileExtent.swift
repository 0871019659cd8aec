package import Tiling

/// The columns and rows of the tiles of one zoom, from the first to the last.
package struct TileExtent: Codable, Hashable, Sendable {
  package let zoom: Int
  package private(set) var columns: ClosedRange<Int>

  /// The rows, numbered southward (XYZ).
  package private(set) var rows: ClosedRange<Int>

  /// Creates the extent of one tile.
  package init(_ tile: TileCoord) {
    zoom = tile.z
    columns = tile.x...tile.x
    rows = tile.y...tile.y
  }

  /// Extends the range to include a tile of its zoom.
  package mutating func include(_ tile: TileCoord) {
    if !columns.contains(tile.x) {
      columns = min(columns.lowerBound, tile.x)...max(columns.upperBound, tile.x)
    }
    if !rows.contains(tile.y) {
      rows = min(rows.lowerBound, tile.y)...max(rows.upperBound, tile.y)
    }
  }
}
