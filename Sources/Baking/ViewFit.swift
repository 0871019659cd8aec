import Platform
package import Tiling

extension MapView {
  /// The longer side in pixels of a view whose size is not given.
  private static let standardSide = 1024.0

  /// The longest side of a view in pixels.
  package static let longestSide = 8192

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
