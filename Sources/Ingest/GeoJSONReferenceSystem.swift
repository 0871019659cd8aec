import Features
import JSON
import OrderedCollections

/// The `crs` member of GeoJSON before RFC 7946: only longitude and latitude on WGS 84 are read.
enum GeoJSONReferenceSystem {
  /// Names of WGS 84 that occur in files, in lower case; GeoJSON has longitude first under all of
  /// them.
  private static let accepted = [
    "urn:ogc:def:crs:ogc:1.3:crs84", "urn:ogc:def:crs:ogc::crs84", "urn:ogc:def:crs:ogc:2:84",
    "http://www.opengis.net/def/crs/ogc/1.3/crs84", "ogc:crs84", "crs84", "epsg:4326",
    "urn:ogc:def:crs:epsg::4326", "urn:ogc:def:crs:epsg:4326", "urn:x-ogc:def:crs:epsg:4326",
    "http://www.opengis.net/def/crs/epsg/0/4326",
  ]

  /// Returns the reason why a `crs` value cannot be read, `nil` if it can.
  static func refusal(of value: PropertyValue) -> String? {
    if value == .null { return nil }
    guard case .object(let crs) = value, case .object(let properties) = crs["properties"],
      case .string(let name) = properties["name"]
    else {
      return "'crs' does not name a reference system; remove it if the coordinates are "
        + "longitude and latitude (WGS 84)"
    }
    if accepted.contains(name.lowercased()) { return nil }
    return
      "the coordinates are in \(JSONFailure.quoted(name)), and only longitude and latitude (WGS 84, EPSG:4326) "
      + "is read without 'crs:'; name it there, such as 'crs: EPSG:3857'"
  }
}
