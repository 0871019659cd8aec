/// The projection in which the rows of an image are evenly spaced.
package enum ImageProjection: String, Hashable, Sendable, CaseIterable {
  /// Evenly spaced in Mercator, as in MapLibre and ground overlays.
  case mercator

  /// Evenly spaced in latitude.
  case equirectangular

  /// Returns y in the image's plane of a world y.
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

  /// Returns the world y of a y in the plane; if rows are evenly spaced in latitude, clamped to the
  /// edges of the Mercator square, beyond which lie the poles.
  func worldY(planeY: Double) -> Double {
    switch self {
    case .mercator: planeY
    case .equirectangular: MercatorScale.edgeY(latitude: 90 - 180 * planeY)
    }
  }

  /// Returns the world y of a latitude, clamped as in ``worldY(planeY:)``.
  func worldY(latitude: Double) -> Double {
    switch self {
    case .mercator: MercatorScale.y(latitude: latitude)
    case .equirectangular: MercatorScale.edgeY(latitude: latitude)
    }
  }

  /// Returns y in the plane of a latitude; for a Mercator image it must lie between the poles.
  func planeY(latitude: Double) -> Double {
    switch self {
    case .mercator: MercatorScale.y(latitude: latitude)
    case .equirectangular: 0.5 - latitude / 180
    }
  }
}
