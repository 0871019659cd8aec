/// A position in degrees, as in files: WGS 84 longitude and latitude, longitude first.
@usableFromInline
package struct LngLat: BitwiseCopyable, Hashable, Sendable {
  /// The longitude in degrees east of Greenwich; any finite value, wrapped when it becomes a
  /// ``WorldPoint``.
  @usableFromInline
  package var longitude: Double

  /// The latitude in degrees north of the equator.
  @usableFromInline
  package var latitude: Double

  /// The whole turns, in degrees, by which one longitude may be written instead of another: as 190° or
  /// -170°, say. Comparisons of positions go no further.
  package static let turns: [Double] = [0, 360, -360, 720, -720]

  @inlinable
  package init(longitude: Double, latitude: Double) {
    self.longitude = longitude
    self.latitude = latitude
  }

  /// The longitude wrapped to −180 ..< 180 by whole turns; values already inside are returned
  /// unchanged, to the last bit.
  @inlinable
  package var wrappedLongitude: Double {
    if longitude >= -180, longitude < 180 { return longitude }
    let turns = ((longitude + 180) / 360).rounded(.down)
    let wrapped = longitude - turns * 360
    return wrapped >= 180 ? wrapped - 360 : wrapped
  }
}
