package import Tiling

/// The box of an image in the world: x east from 180° W, y south from 85.0511° N, 1 = the world.
///
/// `west` lies in 0 ..< 1 and `east` up to one world beyond it: over 1 it crosses the antimeridian.
package struct ImageExtent: Hashable, Sendable {
  package let west: Double
  package let north: Double
  package let east: Double
  package let south: Double

  /// The box of the whole world.
  package static let world = ImageExtent(west: 0, north: 0, east: 1, south: 1)

  /// Creates the box of a box in degrees, as far as it lies on the map.
  package init(_ bounds: GeoBounds) {
    let box = WorldBox(bounds)
    func place(_ coordinate: UInt32) -> Double { Double(coordinate) / 0x1p32 }
    let isWorld = bounds.east - bounds.west >= 360
    let west = isWorld ? 0 : place(box.west)
    let east = isWorld ? 1 : place(box.east)
    self.init(
      west: west, north: place(box.north), east: east < west ? east + 1 : east,
      south: place(box.south))
  }

  /// Creates the box of positions, both corners of which belong to it.
  package init(_ box: WorldBox) {
    func place(_ coordinate: UInt32, _ units: Double = 0) -> Double {
      (Double(coordinate) + units) / 0x1p32
    }
    self.init(
      west: place(box.west), north: place(box.north),
      east: place(box.east, 1) + (box.east < box.west ? 1 : 0), south: place(box.south, 1))
  }

  init(west: Double, north: Double, east: Double, south: Double) {
    self.west = west
    self.north = north
    self.east = east
    self.south = south
  }

  /// The box in degrees; `east` lies beyond 180 where it crosses the antimeridian.
  package var degrees: (west: Double, south: Double, east: Double, north: Double) {
    (
      west * 360 - 180, MercatorScale.latitude(y: south), east * 360 - 180,
      MercatorScale.latitude(y: north)
    )
  }

  /// Returns the columns of tiles that the box reaches at a zoom, as one range or two, ascending.
  package func tileColumns(zoom: Int) -> [Range<Int>] {
    let count = 1 << zoom
    let first = Int((west * Double(count)).rounded(.down))
    let end = max(Int((east * Double(count)).rounded(.up)), first + 1)
    if end - first >= count { return [0..<count] }
    if end <= count { return [first..<end] }
    return [0..<end - count, first..<count]
  }

  /// Returns the rows of tiles, southward, that the box reaches at a zoom.
  package func tileRows(zoom: Int) -> Range<Int> {
    let count = 1 << zoom
    let first = min(max(Int((north * Double(count)).rounded(.down)), 0), count - 1)
    let end = min(max(Int((south * Double(count)).rounded(.up)), first + 1), count)
    return first..<end
  }

  /// Returns the number of tiles of a range that the box reaches.
  package func tileCount(in range: TileRange) -> Int {
    let columns = tileColumns(zoom: range.zoom).reduce(0) { count, reached in
      count + range.columns.reduce(0) { $0 + $1.clamped(to: reached).count }
    }
    return columns * range.rows.clamped(to: tileRows(zoom: range.zoom)).count
  }
}
