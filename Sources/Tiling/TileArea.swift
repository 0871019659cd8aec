/// An area of the world that selects tiles.
///
/// Areas are half-open like tiles: a tile that owns its west and north edge does not meet an area
/// that ends there.
package protocol TileArea {
  /// The box around the area, in degrees; west > east crosses the antimeridian.
  var bounds: GeoBounds { get }

  /// Whether a tile's square shares more than an edge with the area.
  ///
  /// Fastest in archive order, zoom by zoom and column by column; any order is correct.
  mutating func meets(_ tile: TileCoord) -> Bool
}

/// A box in degrees as an area.
package struct BoxArea: TileArea, Hashable {
  package let bounds: GeoBounds

  /// Column ranges of the world in 2⁻³², each half-open; two where the box crosses the
  /// antimeridian.
  private let columns: [Range<UInt64>]

  /// Row range of the world in 2⁻³², half-open.
  private let rows: Range<UInt64>

  /// Creates the area; a box without width or height counts as the point or line that it is.
  package init(_ bounds: GeoBounds) {
    self.bounds = bounds
    let box = WorldBox(bounds)
    let (west, end) = (UInt64(box.west), UInt64(box.east) + 1)
    rows = UInt64(box.north)..<UInt64(box.south) + 1
    columns = west < end ? [west..<end] : [west..<1 << 32, 0..<end]
  }

  package func meets(_ tile: TileCoord) -> Bool {
    let shift = UInt64(32 - tile.z)
    let square = (
      columns: (UInt64(tile.x) << shift)..<(UInt64(tile.x + 1) << shift),
      rows: (UInt64(tile.y) << shift)..<(UInt64(tile.y + 1) << shift)
    )
    return square.rows.overlaps(rows) && columns.contains { $0.overlaps(square.columns) }
  }
}
