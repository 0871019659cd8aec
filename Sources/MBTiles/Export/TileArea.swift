package import Tiling

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
    let world = UInt64(1) << 32
    let limit = WorldPoint.maxLatitude
    func row(_ latitude: Double) -> UInt64 {
      if latitude <= -limit { return world }
      let held = LngLat(longitude: 0, latitude: min(latitude, limit))
      return Self.onEdge(WorldPoint(held).map { UInt64($0.y) } ?? 0)
    }
    let north = min(row(bounds.north), world - 1)
    rows = north..<max(row(bounds.south), north + 1)
    guard bounds.east - bounds.west < 360 else {
      columns = [0..<world]
      return
    }
    func column(_ longitude: Double) -> UInt64 {
      let wrapped = LngLat(longitude: longitude, latitude: 0).wrappedLongitude
      return Self.onEdge(UInt64(WorldPoint.fixed((wrapped + 180) / 360))) & (world - 1)
    }
    let west = column(bounds.west)
    var east = column(bounds.east)
    if east == 0, bounds.west != bounds.east { east = world }
    if west < east {
      columns = [west..<east]
    } else if bounds.west == bounds.east {
      columns = [west..<(west + 1)]
    } else {
      columns = [west..<world, 0..<east].filter { !$0.isEmpty }
    }
  }

  /// Returns a position, moved to the nearest edge of the tiles of zoom 22 if it lies two units (2
  /// cm) or less from it: the box of a tile in degrees means that tile and not a sliver of its
  /// neighbour.
  private static func onEdge(_ place: UInt64) -> UInt64 {
    let size = UInt64(1) << UInt64(32 - TileCoord.maxZoom)
    let nearest = (place + size / 2) / size * size
    return max(nearest, place) - min(nearest, place) <= 2 ? nearest : place
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
