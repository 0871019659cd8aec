/// A supported reference system: degrees on WGS 84, or metres of Web Mercator.
///
/// Geometries have x before y in both, whatever the authority says (OGC 12-128r19, clause 2.1.3).
package enum GeometrySystem: Hashable, Sendable {
  /// EPSG:4326: longitude and latitude in degrees.
  case degrees
  /// EPSG:3857: metres east and north.
  case mercator

  /// Creates the system with a number of EPSG or ESRI; 900913 and the like are what Web Mercator
  /// was called before it had a number.
  package init?(authority: String, number: Int64) {
    switch (authority.lowercased(), number) {
    case ("epsg", 4326), ("ogc", 84), ("ogc", 4326): self = .degrees
    case ("epsg", 3857), ("epsg", 900_913), ("epsg", 3785), ("epsg", 102_100), ("epsg", 102_113),
      ("esri", 102_100), ("esri", 102_113), ("google", 900_913):
      self = .mercator
    default: return nil
    }
  }

  /// Creates the system that a geometry itself names by a number of EPSG; 0 names none, and is taken
  /// for degrees.
  ///
  /// - Throws: ``GeometryRefusal`` for any other system.
  init(named number: Int64) throws(GeometryRefusal) {
    guard let system = number == 0 ? .degrees : Self(authority: "EPSG", number: number) else {
      throw GeometryRefusal(
        "the geometry is in EPSG:\(number), and only EPSG:4326 and EPSG:3857 can be read; convert it "
          + "(ogr2ogr -t_srs EPSG:4326)")
    }
    self = system
  }
}
