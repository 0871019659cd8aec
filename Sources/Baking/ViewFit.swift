import Platform
package import Runs
package import Tiling

extension MapView {
  /// The longer side in pixels of a view whose size is not given.
  private static let standardSide = 1024.0

  /// The longest side of a view in pixels.
  package static let longestSide = 8192

  /// The device pixels per style pixel that a view may have.
  package static let ratios = 1...4

  /// The part of the map that a view shows.
  package enum Area: Hashable, Sendable {
    /// - Parameter zoom: `nil` for the one at which the box fits.
    case box(GeoBounds, zoom: Double?)
    case center(LngLat, zoom: Double)
  }

  /// Creates a view from what was asked for.
  ///
  /// - Parameters:
  ///   - size: width and height in style pixels; `nil` for the proportions of a box with 1,024 px on
  ///     the longer side, and for a square of this side around a centre.
  ///   - tileSize: the side of a tile in style pixels.
  /// - Throws: ``PipelineError`` with code `usage` for a value out of its range, or a view of more
  ///   than ``longestSide``.
  package init(
    _ area: Area, size: (width: Int, height: Int)?, ratio: Int, tileSize: Int
  ) throws(PipelineError) {
    try Self.check(area, size: size, ratio: ratio)
    switch area {
    case .center(let center, let zoom):
      let side = Int(Self.standardSide)
      let (width, height) = size ?? (side, side)
      self.init(center: center, zoom: zoom, width: width, height: height, ratio: ratio)
    case .box(let box, let zoom):
      guard
        let view = MapView(
          fitting: box, zoom: zoom, size: size, tileSize: tileSize, ratio: ratio)
      else {
        throw PipelineError(
          .usage,
          "at this zoom the box is more than \(Self.longestSide) px wide or high. Choose a lower "
            + "zoom, or none.")
      }
      self = view
    }
  }

  private static func check(
    _ area: Area, size: (width: Int, height: Int)?, ratio: Int
  ) throws(PipelineError) {
    func isPlace(_ longitude: Double, _ latitude: Double) -> Bool {
      longitude.isFinite && abs(longitude) <= 540 && abs(latitude) <= 90
    }
    let zoom: Double?
    let isOnMap: Bool
    switch area {
    case .center(let center, let given):
      (zoom, isOnMap) = (given, isPlace(center.longitude, center.latitude))
    case .box(let box, let given):
      zoom = given
      isOnMap =
        isPlace(box.west, box.south) && isPlace(box.east, box.north) && box.south <= box.north
    }
    guard isOnMap else {
      throw PipelineError(
        .usage,
        "a view lies within ±540° of longitude and ±90° of latitude, and its south is not north of its "
          + "north.")
    }
    if let zoom, !(zoom >= 0 && zoom <= Double(TileCoord.maxZoom)) {
      throw PipelineError(.usage, "the zoom of a view is a number from 0 to \(TileCoord.maxZoom).")
    }
    if let size,
      !(1...longestSide).contains(min(size.width, size.height))
        || max(size.width, size.height) > longestSide
    {
      throw PipelineError(
        .usage, "the sides of a view are from 1 to \(longestSide) style px long.")
    }
    guard ratios.contains(ratio) else {
      throw PipelineError(.usage, "a view has 1, 2, 3 or 4 device px per style px.")
    }
  }

  /// Creates the view of a box.
  ///
  /// With a size the view is zoomed so that the box just fits into it. Without one it has the box's
  /// own proportions: at the given zoom, otherwise with 1,024 px on the longer side.
  ///
  /// - Parameters:
  ///   - zoom: the zoom as in a tile's z; `nil` for the one at which the box fits.
  ///   - size: width and height in style pixels.
  ///   - tileSize: the side of a tile in style pixels.
  /// - Returns: `nil` where the view would be larger than ``longestSide``.
  package init?(
    fitting box: GeoBounds, zoom: Double? = nil, size: (width: Int, height: Int)? = nil,
    tileSize: Int, ratio: Int = 1
  ) {
    let limit = WorldPoint.maxLatitude
    func y(_ latitude: Double) -> Double {
      let sine = sin(min(max(latitude, -limit), limit) * .pi / 180)
      return 0.5 - log((1 + sine) / (1 - sine)) / (4 * .pi)
    }
    let east = box.crossesAntimeridian ? box.east + 360 : box.east
    let (top, bottom) = (y(box.north), y(box.south))
    // A point is shown like a box of some metres.
    let (wide, high) = (max((east - box.west) / 360, 1e-6), max(bottom - top, 1e-6))
    func scale(_ zoom: Double) -> Double { Double(tileSize) * exp2(zoom) }
    func fit(_ width: Double, _ height: Double) -> Double {
      let zoom = log2(min(width / wide, height / high) / Double(tileSize))
      return min(max(zoom, 0), Double(TileCoord.maxZoom))
    }
    let chosen =
      zoom ?? size.map { fit(Double($0.width), Double($0.height)) }
      ?? fit(Self.standardSide, Self.standardSide)
    // Rounding of the logarithm must not add a pixel.
    func side(_ length: Double) -> Double { max((length * scale(chosen) - 1e-6).rounded(.up), 1) }
    let (width, height) =
      size.map { (Double($0.width), Double($0.height)) } ?? (side(wide), side(high))
    guard max(width, height) <= Double(Self.longestSide) else { return nil }
    let middle = WorldPoint(x: 0, y: WorldPoint.fixed((top + bottom) / 2))
    let longitude = LngLat(longitude: (box.west + east) / 2, latitude: 0).wrappedLongitude
    self.init(
      center: LngLat(longitude: longitude, latitude: LngLat(middle).latitude), zoom: chosen,
      width: Int(width), height: Int(height), ratio: ratio)
  }
}
