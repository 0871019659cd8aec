import Tiling

/// The borders of the tiles from which a source's shapes come, one by one.
///
/// MapLibre places symbols in each source tile by itself, and a line's first vertex tells it
/// whether a tile has cut the line there.
package struct TileBorders: Hashable, Sendable {
  /// The zoom of the tiles.
  package let zoom: Int

  package init(zoom: Int) {
    self.zoom = zoom
  }

  /// The side of a tile as a share of the world's.
  var side: Double { 1 / Double(1 << zoom) }

  /// Returns the factor by which the tiles are magnified at a zoom of the map beyond their last one.
  func magnification(at zoom: Double) -> Double {
    Double(1 << max(Int(zoom) - self.zoom, 0))
  }
}

/// The tile from which a shape comes, in its own units of 1/8192 of its side, as in MapLibre. All
/// vertices and anchors are whole numbers of these units, which becomes visible at deeper zooms
/// than the tiles'.
struct SourceTile {
  /// The number of units of its side.
  private static let extent = 8192.0

  let borders: TileBorders
  let key: TileKey

  private let unit: Double
  private let west: Double
  private let north: Double

  init(_ tile: TileKey, _ borders: TileBorders) {
    self.borders = borders
    key = tile
    unit = borders.side / Self.extent
    west = Double(tile.column) * borders.side
    north = Double(tile.row) * borders.side
  }

  /// A place in the units of the tile, from its north-west corner.
  private struct Place: Hashable {
    var x: Double
    var y: Double
  }

  private func units(_ place: WorldPlace, _ round: (Double) -> Double) -> Place {
    Place(x: round((place.x - west) / unit), y: round((place.y - north) / unit))
  }

  private func world(_ place: Place) -> WorldPlace {
    WorldPlace(x: west + place.x * unit, y: north + place.y * unit)
  }

  private static func owns(_ place: Place) -> Bool {
    (0..<extent).contains(place.x) && (0..<extent).contains(place.y)
  }

  private static func nearest(_ value: Double) -> Double { (value + 0.5).rounded(.down) }

  /// Returns a vertex or an anchor on a line, rounded to whole units; `nil` outside the tile's own
  /// square, to which its north and west sides belong.
  func anchor(at place: WorldPlace) -> WorldPlace? {
    let place = units(place, Self.nearest)
    return Self.owns(place) ? world(place) : nil
  }

  /// Returns the anchor of a symbol at the pole of a polygon, which MapLibre rounds down; `nil`
  /// outside the tile's own square.
  func anchor(atPole place: WorldPlace) -> WorldPlace? {
    let place = units(place) { $0.rounded(.down) }
    return Self.owns(place) ? world(place) : nil
  }

  /// Whether a position lies on a side of the tile, where MapLibre assumes that a line continues
  /// in another tile.
  func isOnSide(_ place: WorldPlace) -> Bool {
    let place = units(place, Self.nearest)
    return [0, Self.extent].contains { $0 == place.x || $0 == place.y }
  }

  /// Returns the parts of a line within the tile's square, from end to end.
  ///
  /// - Complexity: O(vertices).
  func parts(of line: [WorldPlace]) -> [[WorldPlace]] {
    var parts: [[Place]] = []
    let places = line.map { units($0, Self.nearest) }
    for (start, end) in zip(places, places.dropFirst()) {
      guard let (start, end) = Self.part(start, end), start != end else { continue }
      if parts.last?.last == start {
        parts[parts.count - 1].append(end)
      } else {
        parts.append([start, end])
      }
    }
    return parts.map { $0.map(world) }
  }

  /// Returns the part of an edge in the square, with cut ends rounded to whole numbers; `nil` if
  /// there is none, and for an edge along the east or south side, which belongs to the next tile.
  private static func part(_ start: Place, _ end: Place) -> (Place, Place)? {
    guard let (a, b) = part(start, end, along: \.x, across: \.y) else { return nil }
    return part(a, b, along: \.y, across: \.x)
  }

  private static func part(
    _ start: Place, _ end: Place, along: WritableKeyPath<Place, Double>,
    across: WritableKeyPath<Place, Double>
  ) -> (Place, Place)? {
    let (first, last) = (start[keyPath: along], end[keyPath: along])
    guard max(first, last) >= 0, min(first, last) < extent else { return nil }
    func moved(_ place: Place) -> Place {
      let limit = place[keyPath: along] < 0 ? 0 : extent
      guard place[keyPath: along] < 0 || place[keyPath: along] > extent else { return place }
      let share = (limit - first) / (last - first)
      let (from, to) = (start[keyPath: across], end[keyPath: across])
      var cut = place
      cut[keyPath: along] = limit
      cut[keyPath: across] = nearest(from + share * (to - from))
      return cut
    }
    return (moved(start), moved(end))
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
      // Positions across the antimeridian lie some worlds before the first tile or after the last
      // one.
      let tile = ((Double(place) - origin) / side).rounded(.down)
      return UInt64(bitPattern: Int64(min(max(tile, -0x1p30), 0x1p30)) + 1 << 30)
    }
    return index(y, originY) << 32 | index(x, originX)
  }
}
