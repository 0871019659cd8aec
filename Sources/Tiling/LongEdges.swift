/// The edges of a line or ring that are more than 270° long on the flat map.
///
/// Edges are straight on the flat map (RFC 7946, 3.1.1), but files that were not cut at the
/// antimeridian mean the short way across it. They are taken to mean that, unless a ring would
/// become a strip more than 30° high and more than four times as high as wide: such a ring is
/// rather a box around most of the world.
package struct LongEdges: Sendable {
  /// Whether the edges lead the short way, across the antimeridian.
  package private(set) var areTurned: Bool

  /// Whether the file may also have meant straight edges: the short way is longer than 1°, and the
  /// ring does not enclose a pole.
  package private(set) var areAmbiguous: Bool

  /// Whether an edge is longer than 270° and may cross the antimeridian. Edges along the border of
  /// a flat map of the world do not count: both ends lie on the ±180° meridian, or both lie beyond
  /// the north edge or both beyond the south edge (Natural Earth's Antarctica).
  @inlinable
  package static func contain(from: LngLat, to: LngLat) -> Bool {
    abs(to.longitude - from.longitude) > 270 && !isFlat(from, to)
  }

  @usableFromInline
  package static func isFlat(_ from: LngLat, _ to: LngLat) -> Bool {
    if isOnBorder(from), isOnBorder(to) { return true }
    let edge = WorldPoint.maxLatitude
    return min(from.latitude, to.latitude) > edge || max(from.latitude, to.latitude) < -edge
  }

  /// Whether a position is on the ±180° meridian, except for rounding: Natural Earth has
  /// 180.00000000000014.
  private static func isOnBorder(_ position: LngLat) -> Bool {
    abs(abs(position.longitude) - 180) < 1e-9
  }

  /// Decides about the long edges of a line, or of a ring, which may repeat its first position.
  ///
  /// - Returns: `nil` without any.
  /// - Complexity: O(positions).
  package init?(of positions: some Sequence<LngLat>, isRing: Bool) {
    var run = Run()
    for position in positions { run.append(position) }
    if isRing { run.close() }
    guard run.longest > 0 else { return nil }
    let (width, height) = (run.east - run.west, run.north - run.south)
    let isAroundPole = isRing && abs(run.turn) > 180
    let isStrip = isRing && !isAroundPole && height > 30 && width < height / 4
    areTurned = !isStrip
    areAmbiguous = areTurned && !isAroundPole && run.longest > 1
  }

  /// The extent of positions whose long edges lead the short way, in degrees.
  private struct Run {
    private var first: LngLat?
    private var last = LngLat(longitude: 0, latitude: 0)
    private var x = 0.0
    private(set) var (west, east, south, north) = (0.0, 0.0, 0.0, 0.0)

    /// The length of the longest turned edge eastward or westward.
    private(set) var longest = 0.0

    /// The distance eastward from the first position.
    var turn: Double { x - (first?.longitude ?? 0) }

    mutating func append(_ position: LngLat) {
      guard first != nil else {
        (first, last, x) = (position, position, position.longitude)
        (west, east) = (x, x)
        (south, north) = (position.latitude, position.latitude)
        return
      }
      var step = position.longitude - last.longitude
      if LongEdges.contain(from: last, to: position) {
        step = step.remainder(dividingBy: 360)
        longest = max(longest, abs(step))
      }
      x += step
      last = position
      (west, east) = (min(west, x), max(east, x))
      (south, north) = (min(south, position.latitude), max(north, position.latitude))
    }

    mutating func close() {
      if let first { append(first) }
    }
  }
}
