import Definition
import Features
import Inputs
import MBTiles
import Overlays
import Platform
import Scenes
import SourceStages
import Tiling

extension [ClusteredSource] {
  /// The box of all used positions and images, in degrees; the whole world without any.
  ///
  /// - Complexity: O(positions).
  var dataBounds: GeoBounds {
    var box = (
      west: Double.infinity, south: Double.infinity, east: -Double.infinity,
      north: -Double.infinity
    )
    func add(_ longitude: Double, _ latitude: Double) {
      box.west = Swift.min(box.west, longitude)
      box.south = Swift.min(box.south, latitude)
      box.east = Swift.max(box.east, longitude)
      box.north = Swift.max(box.north, latitude)
    }
    for source in map(\.source) {
      if let box = source.resolved.tilesBox {
        add(box.west, box.south)
        add(box.east, box.north)
        continue
      }
      for (longitude, latitude) in zip(source.points.longitudes, source.points.latitudes) {
        add(longitude, latitude)
      }
      let geometry = source.shapes.geometry
      guard let zoom = source.definition.vectorTiles?.part?.zoom, !geometry.tiles.isEmpty else {
        for position in geometry.positions { add(position.longitude, position.latitude) }
        continue
      }
      // Features in a tile's buffer belong to the neighbouring tile.
      for record in 0..<geometry.count {
        guard let key = geometry.tile(of: record) else { continue }
        let tile = TileCoord(TileKey(rawValue: key), z: zoom).degrees
        let part = geometry.box(of: record)
        guard part.minX <= tile.east, part.maxX >= tile.west, part.minY <= tile.north,
          part.maxY >= tile.south
        else { continue }
        add(Swift.max(part.minX, tile.west), Swift.max(part.minY, tile.south))
        add(Swift.min(part.maxX, tile.east), Swift.min(part.maxY, tile.north))
      }
    }
    for image in compactMap(\.source.image?.source) {
      let box = image.extent.degrees
      add(box.west, box.north)
      add(box.east, box.south)
    }
    guard box.west <= box.east else { return .world }
    // Shapes may extend across the antimeridian and beyond the Mercator square.
    let runsOver = box.west < -180 || box.east > 180
    let limit = WorldPoint.maxLatitude
    return GeoBounds(
      west: runsOver ? -180 : box.west, south: Swift.max(box.south, -limit),
      east: runsOver ? 180 : box.east, north: Swift.min(box.north, limit))
  }

  /// The longitude of the middle of data that lie together across the antimeridian; `nil` for other
  /// data, whose middle is that of their box.
  ///
  /// - Complexity: O(positions).
  var middleLongitude: Double? {
    let box = dataBounds
    guard box.east - box.west > 180, allSatisfy({ $0.source.resolved.tilesBox == nil }) else {
      return nil
    }
    var ranges: [ClosedRange<Double>] = []
    for source in map(\.source) {
      ranges += source.points.longitudes.map { $0...$0 }
      let geometry = source.shapes.geometry
      ranges += (0..<geometry.count).compactMap { record in
        let part = geometry.box(of: record)
        return part.minX <= part.maxX ? part.minX...part.maxX : nil
      }
      if let box = source.image?.source.extent.degrees {
        ranges.append(box.west...Swift.max(box.west, box.east))
      }
    }
    let shares = ranges.map { $0.lowerBound / 360 + 0.5...$0.upperBound / 360 + 0.5 }
    var occupied = OccupiedLongitudes()
    for range in shares { occupied.insert(range) }
    guard let start = occupied.start else { return nil }
    var (west, east) = (2.0, 0.0)
    for range in shares {
      let turn =
        range.lowerBound.rounded(.down)
        - (range.lowerBound - range.lowerBound.rounded(.down) < start ? 1 : 0)
      (west, east) = (
        Swift.min(west, range.lowerBound - turn), Swift.max(east, range.upperBound - turn)
      )
    }
    return LngLat(longitude: (west + east) * 180 - 180, latitude: 0).wrappedLongitude
  }

  /// Returns the box that a background fills around the data; `nil` where tiles have bounds of
  /// their own or all are filled.
  func backgroundBox(_ tiles: TilesDefinition) -> BackgroundBox? {
    guard tiles.backgroundAwaitsData else { return nil }
    return BackgroundBox(around: WorldBox(dataBounds), last: tiles.maxZoom)
  }
}

extension TileCoord {
  /// The box of the tile, in degrees.
  fileprivate var degrees: GeoBounds {
    let side = Double(1 << z)
    func latitude(_ row: Int) -> Double {
      atan(sinh(.pi * (1 - 2 * Double(row) / side))) * 180 / .pi
    }
    return GeoBounds(
      west: Double(x) / side * 360 - 180, south: latitude(y + 1),
      east: Double(x + 1) / side * 360 - 180, north: latitude(y))
  }
}

extension GeoBounds {
  /// Returns the part of a box of data within the requested bounds; the whole box if there are no
  /// bounds, if they do not overlap, or if the requested ones cross the antimeridian.
  func part(within bounds: GeoBounds?) -> GeoBounds {
    guard let bounds, !bounds.crossesAntimeridian else { return self }
    let part = GeoBounds(
      west: max(bounds.west, west), south: max(bounds.south, south),
      east: min(bounds.east, east), north: min(bounds.north, north))
    return part.west <= part.east && part.south <= part.north ? part : self
  }
}
