import Features
import JSON

/// The values of `type` in RFC 7946.
package enum GeoJSONType: String {
  case point = "Point"
  case multiPoint = "MultiPoint"
  case lineString = "LineString"
  case multiLineString = "MultiLineString"
  case polygon = "Polygon"
  case multiPolygon = "MultiPolygon"
  case geometryCollection = "GeometryCollection"
  case feature = "Feature"
  case featureCollection = "FeatureCollection"

  /// Creates the type with this name; names are case-sensitive.
  init?(name: UnsafeRawBufferPointer) {
    switch name.count {
    case 5 where name.holds("Point"): self = .point
    case 7 where name.holds("Feature"): self = .feature
    case 7 where name.holds("Polygon"): self = .polygon
    case 10 where name.holds("LineString"): self = .lineString
    case 10 where name.holds("MultiPoint"): self = .multiPoint
    case 12 where name.holds("MultiPolygon"): self = .multiPolygon
    case 15 where name.holds("MultiLineString"): self = .multiLineString
    case 17 where name.holds("FeatureCollection"): self = .featureCollection
    case 18 where name.holds("GeometryCollection"): self = .geometryCollection
    default: return nil
    }
  }

  /// The kind of a record with a geometry of this type; `nil` for features and collections of them.
  var kind: GeometryColumn.Kind? {
    switch self {
    case .point: .point
    case .multiPoint: .multiPoint
    case .lineString: .lineString
    case .multiLineString: .multiLineString
    case .polygon: .polygon
    case .multiPolygon: .multiPolygon
    case .geometryCollection: .collection
    case .feature, .featureCollection: nil
    }
  }

  /// The nesting depth of arrays in `coordinates`: 1 for a position, 4 for polygons.
  var levels: Int? {
    switch self {
    case .point: 1
    case .multiPoint, .lineString: 2
    case .multiLineString, .polygon: 3
    case .multiPolygon: 4
    case .geometryCollection, .feature, .featureCollection: nil
    }
  }
}

/// The members that RFC 7946 defines, and the `crs` of its predecessor.
struct GeoJSONMembers: OptionSet, Hashable {
  let rawValue: UInt16

  static let type = Self(rawValue: 1 << 0)
  static let coordinates = Self(rawValue: 1 << 1)
  static let geometries = Self(rawValue: 1 << 2)
  static let geometry = Self(rawValue: 1 << 3)
  static let properties = Self(rawValue: 1 << 4)
  static let features = Self(rawValue: 1 << 5)
  static let id = Self(rawValue: 1 << 6)
  static let crs = Self(rawValue: 1 << 7)

  private static let names: [(Self, StaticString)] = [
    (.type, "type"), (.coordinates, "coordinates"), (.geometries, "geometries"),
    (.geometry, "geometry"), (.properties, "properties"), (.features, "features"), (.id, "id"),
    (.crs, "crs"),
  ]

  init(rawValue: UInt16) { self.rawValue = rawValue }

  /// Creates the set of the member with this name; empty for a foreign one.
  init(name: UnsafeRawBufferPointer) {
    switch name.count {
    case 2 where name.holds("id"): self = .id
    case 3 where name.holds("crs"): self = .crs
    case 4 where name.holds("type"): self = .type
    case 8 where name.holds("geometry"): self = .geometry
    case 8 where name.holds("features"): self = .features
    case 10 where name.holds("properties"): self = .properties
    case 10 where name.holds("geometries"): self = .geometries
    case 11 where name.holds("coordinates"): self = .coordinates
    default: self = []
    }
  }

  /// The name of the first of these members.
  var firstName: String {
    Self.names.first { contains($0.0) }.map { "\($0.1)" } ?? ""
  }
}
