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

  /// World y of a y in the plane; of one that is even in latitude cut at the edges of the Mercator
  /// square, beyond which lie the poles.
  func worldY(planeY: Double) -> Double {
    switch self {
    case .mercator: planeY
    case .equirectangular: MercatorScale.edgeY(latitude: 90 - 180 * planeY)
    }
  }

  /// World y of a latitude, cut where ``worldY(planeY:)`` cuts.
  func worldY(latitude: Double) -> Double {
    switch self {
    case .mercator: MercatorScale.y(latitude: latitude)
    case .equirectangular: MercatorScale.edgeY(latitude: latitude)
    }
  }

  /// Y in the plane of a latitude; for a Mercator image it lies between the poles.
  func planeY(latitude: Double) -> Double {
    switch self {
    case .mercator: MercatorScale.y(latitude: latitude)
    case .equirectangular: 0.5 - latitude / 180
    }
  }
}
