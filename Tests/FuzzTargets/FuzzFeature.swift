import Features
import OrderedCollections
import Tiling

/// A record with some properties of every type, for expressions and filters.
struct FuzzFeature: PropertySource {
  var names: [String] = []
  var properties: OrderedDictionary<String, PropertyValue>
  var id: PropertyValue?
  var geometryType: String?
  var geometry = RecordGeometry.none

  func property(_ slot: Int) -> PropertyValue? { properties[names[slot]] }
  var allProperties: PropertyValue { .object(properties) }

  /// The feature with the slots of an expression.
  func bound(to names: [String]) -> FuzzFeature {
    var bound = self
    bound.names = names
    return bound
  }

  /// Nothing at all; usual values in a point; the ends of what there can be in a square.
  static let all: [FuzzFeature] = [
    FuzzFeature(properties: [:]),
    FuzzFeature(
      properties: [
        "n": .number(5), "s": .string("red"), "b": .bool(true),
        "o": .object(["k": .number(1), "l": .array([.string("x"), .null])]),
      ], id: .number(7), geometryType: "Point",
      geometry: .points([LngLat(longitude: 8.5, latitude: 50.1)])),
    FuzzFeature(
      properties: [
        "n": .number(-1e300), "s": .string("\u{1F600}é"), "b": .null,
        "o": .array([.number(1), .number(.greatestFiniteMagnitude), .string("")]),
      ], id: .string("a"), geometryType: "Polygon", geometry: square),
  ]

  private static let square: RecordGeometry = {
    var column = GeometryColumn()
    for (longitude, latitude) in [(0.0, 0.0), (10, 0), (10, 10), (0, 10), (0, 0)] {
      column.add(LngLat(longitude: longitude, latitude: latitude))
    }
    column.endPart(.outerRing)
    column.endRecord(.polygon)
    return .shape(column, record: 0)
  }()
}
