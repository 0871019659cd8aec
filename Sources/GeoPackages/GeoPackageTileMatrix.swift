import Ingest
package import Tiling

/// A box in metres of Web Mercator.
package struct MercatorBox: Hashable, Sendable {
  package var west: Double
  package var south: Double
  package var east: Double
  package var north: Double

  /// The box in degrees.
  package var bounds: GeoBounds {
    let southWest = LngLat(MercatorMetres(x: west, y: south))
    let northEast = LngLat(MercatorMetres(x: east, y: north))
    return GeoBounds(
      west: southWest.longitude, south: southWest.latitude, east: northEast.longitude,
      north: northEast.latitude)
  }
}

/// One zoom of a table of tiles: a grid whose row 0 is the northernmost.
package struct GeoPackageTileMatrix: Hashable, Sendable {
  package var zoom: Int
  /// The number of tiles from west to east.
  package var columns: Int
  /// The number of tiles from north to south.
  package var rows: Int
  /// Width of a tile in pixels.
  package var tileWidth: Int
  /// Height of a tile in pixels.
  package var tileHeight: Int
  /// Width of a pixel in metres at the equator.
  package var pixelWidth: Double
  /// Height of a pixel in metres.
  package var pixelHeight: Double
  /// The northwest corner of the grid, in metres.
  package var west: Double
  package var north: Double

  /// Returns the box of a block of tiles; the ends of the ranges are included.
  package func box(columns: ClosedRange<Int>, rows: ClosedRange<Int>) -> MercatorBox {
    let width = pixelWidth * Double(tileWidth)
    let height = pixelHeight * Double(tileHeight)
    return MercatorBox(
      west: west + Double(columns.lowerBound) * width,
      south: north - Double(rows.upperBound + 1) * height,
      east: west + Double(columns.upperBound + 1) * width,
      north: north - Double(rows.lowerBound) * height)
  }

  /// Returns the blocks of the grid that reach into bounds, from west to east; two where they cross
  /// the antimeridian.
  package func blocks(in bounds: GeoBounds) -> [GeoPackageTileBlock] {
    let ranges: [(Double, Double)] =
      bounds.crossesAntimeridian
      ? [(-180, bounds.east), (bounds.west, 180)] : [(bounds.west, bounds.east)]
    let north = MercatorMetres(LngLat(longitude: 0, latitude: bounds.north)).y
    let south = MercatorMetres(LngLat(longitude: 0, latitude: bounds.south)).y
    guard
      let rows = Self.range(
        (self.north - north) / (pixelHeight * Double(tileHeight)),
        (self.north - south) / (pixelHeight * Double(tileHeight)), count: rows)
    else { return [] }
    return ranges.compactMap { range in
      let first = MercatorMetres(LngLat(longitude: range.0, latitude: 0)).x
      let last = MercatorMetres(LngLat(longitude: range.1, latitude: 0)).x
      let width = pixelWidth * Double(tileWidth)
      return Self.range((first - west) / width, (last - west) / width, count: columns).map {
        GeoPackageTileBlock(columns: $0, rows: rows)
      }
    }
  }

  /// Returns the cells between two positions, of `count` cells; a position on an edge belongs to
  /// the cell after it, except at the end.
  private static func range(_ start: Double, _ end: Double, count: Int) -> ClosedRange<Int>? {
    guard start < Double(count), end >= 0, start <= end else { return nil }
    let first = Int(max(0, start.rounded(.down)))
    let last = Int(min(Double(count - 1), max(end.rounded(.up) - 1, 0)))
    return first...max(first, last)
  }
}

/// A block of tiles of one zoom; the ends of the ranges are included.
package struct GeoPackageTileBlock: Hashable, Sendable {
  package var columns: ClosedRange<Int>
  package var rows: ClosedRange<Int>

  package init(columns: ClosedRange<Int>, rows: ClosedRange<Int>) {
    self.columns = columns
    self.rows = rows
  }
}

/// One existing tile and its position; ``GeoPackageTiles/picture(of:)`` reads its picture.
package struct GeoPackageTile: Hashable, Sendable {
  package var zoom: Int
  package var column: Int
  /// The row, counted from the north.
  package var row: Int
  /// The rowid in the table.
  let key: Int64
}
