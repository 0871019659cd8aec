import Platform
package import Tiling

/// A position in metres of spherical Web Mercator (EPSG:3857), x east and y north of 0° 0°.
package struct MercatorMetres: Hashable, Sendable {
  package var x: Double
  package var y: Double

  package init(x: Double, y: Double) {
    self.x = x
    self.y = y
  }

  /// Half the width of the world: π times the radius of 6,378,137 m.
  package static let halfWorld = 20_037_508.342_789_244

  /// Creates the position of degrees; latitudes beyond ±89.99° count as that.
  ///
  /// Formula: y = R · atanh(sin φ) (J. P. Snyder, USGS Professional Paper 1395, 7-2).
  package init(_ position: LngLat) {
    let latitude = max(-89.99, min(89.99, position.latitude))
    x = position.longitude / 180 * Self.halfWorld
    y = atanh(sin(latitude * (Double.pi / 180))) / Double.pi * Self.halfWorld
  }
}

extension LngLat {
  /// Creates the degrees of a position in metres, the exact inverse: latitude = atan(sinh(y/R)).
  ///
  /// Files round the world's edge to the millimetre; positions beyond it by no more than that count
  /// as on the edge.
  package init(_ metres: MercatorMetres) {
    let half = MercatorMetres.halfWorld
    let edge = abs(metres.y) <= half + 0.001 ? WorldPoint.maxLatitude : 90
    let latitude = atan(sinh(metres.y / half * Double.pi)) * (180 / Double.pi)
    self.init(
      longitude: metres.x / half * 180, latitude: max(-edge, min(edge, latitude)))
  }
}
