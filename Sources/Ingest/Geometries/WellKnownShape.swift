import Features

/// The types of simple features, by their numbers in well-known binary (OGC 06-103r4).
enum WellKnownShape: UInt32, CaseIterable {
  case point = 1
  case lineString, polygon, multiPoint, multiLineString, multiPolygon, collection

  /// The shape with a name in well-known text, such as `POINT`.
  init?(name: String) {
    guard let shape = Self.allCases.first(where: { $0.name == name }) else { return nil }
    self = shape
  }

  /// The name in well-known text.
  private var name: String {
    switch self {
    case .point: "POINT"
    case .lineString: "LINESTRING"
    case .polygon: "POLYGON"
    case .multiPoint: "MULTIPOINT"
    case .multiLineString: "MULTILINESTRING"
    case .multiPolygon: "MULTIPOLYGON"
    case .collection: "GEOMETRYCOLLECTION"
    }
  }

  /// The type in a column of geometries.
  var kind: GeometryColumn.Kind {
    switch self {
    case .point: .point
    case .lineString: .lineString
    case .polygon: .polygon
    case .multiPoint: .multiPoint
    case .multiLineString: .multiLineString
    case .multiPolygon: .multiPolygon
    case .collection: .collection
    }
  }

  /// The names of types with curves or solids, which are refused, by their numbers.
  static let curves: [UInt32: String] = [
    8: "CIRCULARSTRING", 9: "COMPOUNDCURVE", 10: "CURVEPOLYGON", 11: "MULTICURVE",
    12: "MULTISURFACE", 13: "CURVE", 14: "SURFACE", 15: "POLYHEDRALSURFACE", 16: "TIN",
    17: "TRIANGLE",
  ]
}
