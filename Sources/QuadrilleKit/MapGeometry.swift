/// A position in degrees on WGS 84.
public struct MapPosition: Hashable, Sendable {
  /// Degrees eastward, within ±540: beyond ±180 the world repeats.
  public var longitude: Double

  /// Degrees northward, within ±90; the map ends at ±85.0511.
  public var latitude: Double

  /// Creates a position.
  public init(longitude: Double, latitude: Double) {
    self.longitude = longitude
    self.latitude = latitude
  }
}

/// The place of a ``MapFeature``.
public enum MapGeometry: Hashable, Sendable {
  /// A point.
  case point(MapPosition)

  /// Points of one feature, each drawn.
  case points([MapPosition])

  /// A line of at least two positions.
  case line([MapPosition])

  /// Lines of at least two positions each.
  case lines([[MapPosition]])

  /// The outer ring and then the holes. A ring has at least three positions; the first may be
  /// repeated at the end.
  case polygon([[MapPosition]])

  /// Polygons, each as in ``polygon(_:)``.
  case polygons([[[MapPosition]]])
}
