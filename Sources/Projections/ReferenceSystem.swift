/// The coordinate reference system of positions that are not longitude and latitude.
package enum ReferenceSystem: Hashable, Sendable {
  /// EPSG:4326: longitude and latitude in degrees, in this order.
  case degrees

  /// EPSG:3857: metres of Web Mercator.
  case webMercator

  /// Any other, by the name or definition that PROJ knows.
  case named(String)

  /// The most characters of a name or definition.
  private static let limit = 4096

  /// Creates the system of a name such as `EPSG:25832`; `nil` for a text that cannot be one.
  package init?(_ text: String) {
    guard !text.isEmpty, text.utf8.count <= Self.limit, text.utf8.allSatisfy({ $0 >= 0x20 }) else {
      return nil
    }
    switch text.uppercased() {
    case "EPSG:4326", "OGC:CRS84", "CRS84", "WGS84": self = .degrees
    case "EPSG:3857", "EPSG:900913", "EPSG:102100", "ESRI:102100": self = .webMercator
    default:
      // PROJ also opens files, and would take a text without a colon, plus sign or bracket for a
      // file name.
      guard text.contains(where: { ":+[".contains($0) }) else { return nil }
      self = .named(text)
    }
  }
}
