import Tiling

/// The borders of the tiles from which a source's shapes come, one by one.
///
/// MapLibre places symbols in each source tile by itself, and tells by a line's first vertex whether a
/// tile has cut it there.
package struct TileBorders: Hashable, Sendable {
  /// The zoom of the tiles.
  package let zoom: Int

  package init(zoom: Int) {
    self.zoom = zoom
  }

  /// The side of a tile as a share of the world's.
  var side: Double { 1 / Double(1 << zoom) }

  /// Returns the anchor of a symbol on a line: MapLibre rounds it to 1/8192 of a tile, which shows
  /// beyond the zoom of the tiles.
  func anchor(onLine place: WorldPlace) -> WorldPlace {
    onUnits(place) { ($0 + 0.5).rounded(.down) }
  }

  /// Returns the anchor of a symbol at the pole of a polygon, which MapLibre rounds down.
  func anchor(atPole place: WorldPlace) -> WorldPlace { onUnits(place) { $0.rounded(.down) } }

  private func onUnits(_ place: WorldPlace, _ round: (Double) -> Double) -> WorldPlace {
    let unit = side / 8192
    return WorldPlace(x: round(place.x / unit) * unit, y: round(place.y / unit) * unit)
  }

  /// Whether a place lies on the border of a tile, where only cuts put a vertex.
  func contains(_ place: WorldPlace) -> Bool { isOnBorder(place.x) || isOnBorder(place.y) }

  private func isOnBorder(_ share: Double) -> Bool {
    // Positions are rounded to units of 2⁻³² of the world.
    abs(share - (share / side).rounded() * side) <= 0x1p-31
  }

  /// Returns the factor by which the tiles are magnified at a zoom of the map beyond their last one.
  func magnification(at zoom: Double) -> Double {
    Double(1 << max(Int(zoom) - self.zoom, 0))
  }
}

/// The division of a zoom's world into the tiles that features come from.
struct SourceTileRaster {
  /// The place of the world's north-west corner and the side of a tile, in 1/16 device px.
  private let originX: Double
  private let originY: Double
  private let side: Double

  init(_ borders: TileBorders, _ grid: PixelGrid) {
    let square = Double(grid.worldPixels * PixelGrid.phases)
    let shift = grid.symbolShift
    originX = (grid.scaling?.scaled(x: 0) ?? 0) * square + Double(shift.x)
    originY = (grid.scaling?.scaled(y: 0) ?? 0) * square + Double(shift.y)
    side = square * (grid.scaling?.factor ?? 1) * borders.side
  }

  /// Returns the number of the tile at a place, ascending from the north-west, row by row.
  ///
  /// - Parameters:
  ///   - x: the distance eastward from the west edge of the grid's world, in 1/16 device px.
  ///   - y: the same southward.
  func tile(x: Int, y: Int) -> UInt64 {
    func index(_ place: Int, _ origin: Double) -> UInt64 {
      // Places over the antimeridian are some worlds before the first tile or after the last.
      let tile = ((Double(place) - origin) / side).rounded(.down)
      return UInt64(bitPattern: Int64(min(max(tile, -0x1p30), 0x1p30)) + 1 << 30)
    }
    return index(y, originY) << 32 | index(x, originX)
  }
}
