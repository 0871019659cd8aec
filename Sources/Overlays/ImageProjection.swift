/// In what the rows of an image are even.
package enum ImageProjection: String, Hashable, Sendable, CaseIterable {
  /// Even on the Mercator screen, as MapLibre and ground overlays have it.
  case mercator

  /// Even in latitude.
  case equirectangular

  /// Y in the image's plane of a world y.
  ///
  /// The plane's x is the world's. Its y is the world's too, or runs from the north pole (0) to the
  /// south pole (1) in proportion to latitude.
  @inline(__always)
  func planeY(worldY: Double) -> Double {
    switch self {
    case .mercator: worldY
    case .equirectangular: 0.5 - MercatorScale.latitude(y: worldY) / 180
    }
  }

  /// World y of a y in the plane, cut at the edges of the Mercator square.
  func worldY(planeY: Double) -> Double {
    switch self {
    case .mercator: planeY
    case .equirectangular: MercatorScale.y(latitude: 90 - 180 * planeY)
    }
  }

  /// Y in the plane of a latitude; the poles of a Mercator image lie at 85.0511°.
  func planeY(latitude: Double) -> Double {
    switch self {
    case .mercator: MercatorScale.y(latitude: latitude)
    case .equirectangular: 0.5 - latitude / 180
    }
  }
}
