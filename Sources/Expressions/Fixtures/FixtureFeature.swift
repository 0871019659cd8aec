import Features
import OrderedCollections
import Tiling

/// The feature of a fixture's input.
struct FixtureFeature: PropertySource {
  private let names: [String]
  private let properties: OrderedDictionary<String, PropertyValue>
  let id: PropertyValue?
  let geometryType: String?
  let geometry: RecordGeometry

  /// - Parameter inTile: whether the geometry is that of a tile, where there are no Multi types;
  ///   without a tile MapLibre has the type but not the positions.
  init(_ members: OrderedDictionary<String, PropertyValue>, names: [String], inTile: Bool) {
    self.names = names
    if case .object(let properties)? = members["properties"] {
      self.properties = properties
    } else {
      properties = [:]
    }
    id = members["id"]
    guard let json = members["geometry"], case .object(let object) = json,
      case .string(let type)? = object["type"]
    else {
      geometryType = nil
      geometry = .none
      return
    }
    geometryType = inTile && type.hasPrefix("Multi") ? String(type.dropFirst(5)) : type
    geometry = inTile ? RecordGeometry(geoJSON: json) : .none
  }

  func property(_ slot: Int) -> PropertyValue? {
    names.indices.contains(slot) ? properties[names[slot]] : nil
  }

  var allProperties: PropertyValue { .object(properties) }
}

extension RecordGeometry {
  /// Creates the geometry of a GeoJSON object, empty where it is malformed.
  fileprivate init(geoJSON: PropertyValue) {
    var argument = GeometryArgument()
    guard let shapes = argument.shapes(of: geoJSON), !shapes.isEmpty else {
      self = .none
      return
    }
    var column = GeometryColumn()
    func add(_ positions: [PlanarPoint], _ part: GeometryColumn.Part) {
      for position in positions { column.add(LngLat(longitude: position.x, latitude: position.y)) }
      column.endPart(part)
    }
    for shape in shapes {
      switch shape {
      case .points(let points): for point in points { add([point], .point) }
      case .line(let line): add(line, .line)
      case .polygon(let rings):
        for (index, ring) in rings.enumerated() { add(ring, index == 0 ? .outerRing : .innerRing) }
      }
    }
    column.endRecord(.collection)
    self = .shape(column, record: 0)
  }
}
