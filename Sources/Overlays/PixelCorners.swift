import Tiling

/// The corners of a tile's pixels in the world: column and row of the pixel → world x and y.
struct PixelCorners {
  /// Side of the tile in pixels.
  let side: Int

  /// The first column and row, counted from the world's corner.
  let firstColumn: Int
  let firstRow: Int

  /// Side of the world in pixels.
  let total: Int

  /// The shift of the world in pixels; 0 for tiles of an archive.
  let shift: PlanePoint

  init(tile: TileCoord, tilePixels: Int, shift: PlanePoint) {
    self.shift = shift
    side = tilePixels
    firstColumn = tile.x * tilePixels
    firstRow = tile.y * tilePixels
    total = tilePixels << tile.z
  }

  /// Returns the world x at an offset of columns, in worlds.
  @inline(__always)
  func worldX(_ column: Double) -> Double {
    (Double(firstColumn) + column - shift.x) / Double(total)
  }

  /// Returns the world y at an offset of rows, in worlds.
  @inline(__always)
  func worldY(_ row: Double) -> Double {
    (Double(firstRow) + row - shift.y) / Double(total)
  }

  /// Returns the tile's columns that a span of the world reaches.
  func columns(west: Double, east: Double) -> Range<Int> {
    offsets(from: west, to: east, first: firstColumn, shift: shift.x)
  }

  /// Returns the tile's rows that a span of the world reaches.
  func rows(north: Double, south: Double) -> Range<Int> {
    offsets(from: north, to: south, first: firstRow, shift: shift.y)
  }

  private func offsets(
    from low: Double, to high: Double, first: Int, shift: Double
  ) -> Range<Int> {
    // The world has at most 2^38 pixels per side, and spans lie within three worlds of it.
    let start = Int((low * Double(total) + shift).rounded(.down)) - first
    let end = Int((high * Double(total) + shift).rounded(.up)) - first
    let lower = min(max(start, 0), side)
    return lower..<min(max(end, lower), side)
  }
}
