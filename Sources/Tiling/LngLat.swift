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

  /// The multiples of 360° by which two notations of one longitude may differ, such as 190° and
  /// −170°. Comparisons of positions try no others.
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
