import SpatialIndex
import Tiling

/// The box around the polygons of a region.
struct RegionBox: Sendable {
  /// The columns of its polygons, in units of ``WorldVertex``: each begins in the world and may end
  /// beyond it.
  private var columns: [ClosedRange<Int>] = []
  private var north = Int.max
  private var south = Int.min

  mutating func include(_ box: Box<Int>) {
    columns.append(box.minX...box.maxX)
    north = min(north, box.minY)
    south = max(south, box.maxY)
  }

  /// The narrowest box in degrees; west > east crosses the antimeridian.
  ///
  /// - Complexity: O(n log n) for n polygons.
  var narrowest: GeoBounds {
    let turn = WorldVertex.turn
    // A polygon that ends beyond the world's east edge covers the west of the world as well.
    var reach = (columns.map(\.upperBound).max() ?? turn) - turn
    var (gap, edges) = (0, (west: 0, east: turn))
    for next in columns.sorted(by: { $0.lowerBound < $1.lowerBound }) {
      if next.lowerBound - reach > gap {
        gap = next.lowerBound - reach
        edges = (next.lowerBound, reach + turn)
      }
      reach = max(reach, next.upperBound)
    }
    return bounds(edges.west, edges.east > turn ? edges.east - turn : edges.east)
  }

  /// The box in degrees that does not cross the antimeridian.
  var uncrossed: GeoBounds {
    let (west, east) = (
      columns.map(\.lowerBound).min() ?? 0, columns.map(\.upperBound).max() ?? WorldVertex.turn
    )
    return east > WorldVertex.turn ? bounds(0, WorldVertex.turn) : bounds(west, east)
  }

  private func bounds(_ west: Int, _ east: Int) -> GeoBounds {
    let northWest = Self.place(west, north, roundingUp: false)
    let southEast = Self.place(east, south, roundingUp: true)
    return GeoBounds(
      west: northWest.longitude, south: southEast.latitude,
      east: east == WorldVertex.turn ? 180 : southEast.longitude, north: northWest.latitude)
  }

  /// Returns the position of a vertex, rounded outward to the units of a world point.
  private static func place(_ x: Int, _ y: Int, roundingUp: Bool) -> LngLat {
    let more = roundingUp ? 1023 : 0
    return LngLat(
      WorldPoint(x: UInt32(clamping: (x + more) >> 10), y: UInt32(clamping: (y + more) >> 10)))
  }
}
