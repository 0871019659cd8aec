import Tiling

/// The totals of the points of one cell; totals of cells add up to the total of the cell that they
/// form.
struct CellTotal: QuadTreeNode {
  /// The number of units per degree: sums are in units of 10⁻⁹°, 0.1 mm on the ground, so that
  /// coordinates of up to nine decimals are summed exactly and in any order.
  static let unitsPerDegree = 1e9

  var key: UInt64
  private(set) var start: UInt32
  private(set) var count: UInt32

  /// The sums of longitude and latitude. 2³² points of 180° in these units need 70 bits.
  private var longitudeSum: Int128
  private var latitudeSum: Int128

  /// The tight box of the points.
  private(set) var box: WorldBox

  /// Creates a cell with one point. Longitudes are wrapped to −180 ..< 180, so that they are
  /// contiguous within a cell.
  init(key: UInt64, start: UInt32, position: WorldPoint, longitude: Double, latitude: Double) {
    self.key = key
    self.start = start
    count = 1
    let wrapped = LngLat(longitude: longitude, latitude: latitude).wrappedLongitude
    longitudeSum = Int128(Self.units(wrapped))
    latitudeSum = Int128(Self.units(latitude))
    box = WorldBox(position)
  }

  mutating func add(_ other: CellTotal) {
    count &+= other.count
    longitudeSum &+= other.longitudeSum
    latitudeSum &+= other.latitudeSum
    box.formUnion(other.box)
  }

  /// The mean of the points' degrees. Rounding moves each point by at most 0.5 · 10⁻⁹°, and so the
  /// mean; for coordinates of up to nine decimals it is exact except for the rounding of a
  /// division.
  var mean: LngLat {
    let units = Double(count) * Self.unitsPerDegree
    return LngLat(
      longitude: Self.double(longitudeSum) / units, latitude: Self.double(latitudeSum) / units)
  }

  /// Returns the position at which a cluster with this mean is drawn. Rounding may move the mean
  /// one unit out of the points' box.
  func position(_ mean: LngLat) -> WorldPoint {
    guard let point = WorldPoint(mean) else { return WorldPoint(x: box.west, y: box.north) }
    return WorldPoint(
      x: min(max(point.x, box.west), box.east), y: min(max(point.y, box.north), box.south))
  }

  private static func units(_ degrees: Double) -> Int64 {
    guard degrees.isFinite else { return 0 }
    return Int64((min(max(degrees, -360), 360) * unitsPerDegree).rounded())
  }

  /// Returns the nearest double; conversion from 64 bits is a single instruction.
  private static func double(_ sum: Int128) -> Double {
    Int64(exactly: sum).map { Double($0) } ?? Double(sum)
  }
}
