import Expressions
import Features
import OrderedCollections
import Testing
import Tiling

/// A record that lies somewhere, bound to the names of one filter.
struct CQL2Record: PropertySource {
  var names: [String] = []
  var properties: OrderedDictionary<String, PropertyValue> = [:]
  var geometry = RecordGeometry.none
  var id: PropertyValue? { nil }
  var geometryType: String? { nil }
  var allProperties: PropertyValue { .object(properties) }

  func property(_ slot: Int) -> PropertyValue? { properties[names[slot]] }

  init(_ properties: OrderedDictionary<String, PropertyValue>) {
    self.properties = properties
  }

  /// A record with properties of JSON, quotes written as `'`.
  init(json: String = "{}", at geometry: RecordGeometry = .none) {
    if case .object(let members) = TestJSON.parse(json) { properties = members }
    self.geometry = geometry
  }

  /// Whether a filter passes the record.
  func passes(_ filter: CompiledFilter) -> Bool {
    var bound = self
    bound.names = filter.propertyNames
    return filter.matches(EvaluationContext(zoom: 0, feature: bound))
  }

  /// `T` if a condition holds, `F` if its opposite does, `U` if neither.
  func truth(of condition: String) throws -> String {
    let holds = passes(try CompiledFilter.compile(cql2: condition))
    let fails = passes(try CompiledFilter.compile(cql2: "NOT (\(condition))"))
    #expect(!(holds && fails), "\(condition)")
    return holds ? "T" : fails ? "F" : "U"
  }
}

extension RecordGeometry {
  /// A geometry of rings, lines or points, each a list of longitudes and latitudes in turn.
  static func shape(
    _ kind: GeometryColumn.Kind, _ parts: [(GeometryColumn.Part, [Double])]
  ) -> RecordGeometry {
    var column = GeometryColumn()
    // The record stands behind another, so that its ranges begin somewhere.
    column.add(LngLat(longitude: 99, latitude: 9))
    column.endPart(.point)
    column.endRecord(.point)
    for (part, numbers) in parts {
      for index in stride(from: 0, to: numbers.count - 1, by: 2) {
        column.add(LngLat(longitude: numbers[index], latitude: numbers[index + 1]))
      }
      column.endPart(part)
    }
    column.endRecord(kind)
    return .shape(column, record: 1)
  }

  static func point(_ longitude: Double, _ latitude: Double) -> RecordGeometry {
    .points([LngLat(longitude: longitude, latitude: latitude)])
  }

  static func polygon(_ ring: [Double]) -> RecordGeometry {
    .shape(.polygon, [(.outerRing, ring)])
  }
}
