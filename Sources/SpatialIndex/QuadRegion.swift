import Tiling

/// What a query asks for: a set of positions that can be compared with a quadrant.
protocol QuadRegion {
  /// Whether the region holds the position.
  func contains(_ point: WorldPoint) -> Bool

  /// How a quadrant lies to the region; `.partial` is always a safe answer.
  func relation(to cell: WorldBox) -> QuadRelation
}

enum QuadRelation {
  /// No position of the quadrant belongs to the region.
  case outside
  /// Positions must be looked at one by one.
  case partial
  /// Every position of the quadrant belongs to the region.
  case inside
}

/// A box, edges included; `west > east` crosses the antimeridian.
struct BoxRegion: QuadRegion {
  let box: WorldBox

  func contains(_ point: WorldPoint) -> Bool { box.contains(point) }

  func relation(to cell: WorldBox) -> QuadRelation {
    guard cell.south >= box.north, cell.north <= box.south else { return .outside }
    let insideRows = cell.north >= box.north && cell.south <= box.south
    if box.west <= box.east {
      guard cell.east >= box.west, cell.west <= box.east else { return .outside }
      return insideRows && cell.west >= box.west && cell.east <= box.east ? .inside : .partial
    }
    // The columns outside the box are those between its east and its west edge.
    if cell.west > box.east, cell.east < box.west { return .outside }
    return insideRows && (cell.west >= box.west || cell.east <= box.east) ? .inside : .partial
  }
}

/// A disc in the Mercator square, edge included, whose `x` axis wraps at the antimeridian.
///
/// Distances are compared as sums of squares in double precision. Rounding keeps the order of
/// sums, so a quadrant that is ruled out or taken whole by its nearest or farthest corner agrees
/// with the positions looked at one by one.
struct DiscRegion: QuadRegion {
  private let center: WorldPoint
  private let squaredRadius: Double

  /// A disc around a centre, or `nil` if the radius is negative or not a number.
  init?(center: WorldPoint, radius: Double) {
    guard radius >= 0 else { return nil }
    self.center = center
    squaredRadius = radius * radius
  }

  func contains(_ point: WorldPoint) -> Bool {
    holds(Self.span(center.x, point.x), Self.distance(center.y, point.y))
  }

  func relation(to cell: WorldBox) -> QuadRelation {
    let westSpan = Self.span(center.x, cell.west)
    let eastSpan = Self.span(center.x, cell.east)
    let inColumns = cell.west <= center.x && center.x <= cell.east
    let inRows = cell.north <= center.y && center.y <= cell.south
    let north = Self.distance(center.y, cell.north)
    let south = Self.distance(center.y, cell.south)
    guard holds(inColumns ? 0 : min(westSpan, eastSpan), inRows ? 0 : min(north, south)) else {
      return .outside
    }
    let antipode = center.x &+ 0x8000_0000
    let farthest =
      cell.west <= antipode && antipode <= cell.east ? 0x8000_0000 : max(westSpan, eastSpan)
    return holds(farthest, max(north, south)) ? .inside : .partial
  }

  private func holds(_ width: UInt32, _ height: UInt32) -> Bool {
    let dx = Double(width)
    let dy = Double(height)
    return dx * dx + dy * dy <= squaredRadius
  }

  /// The shorter way from one column to another, over the antimeridian if need be; at most 2³¹.
  private static func span(_ left: UInt32, _ right: UInt32) -> UInt32 {
    min(left &- right, right &- left)
  }

  private static func distance(_ left: UInt32, _ right: UInt32) -> UInt32 {
    left > right ? left - right : right - left
  }
}
