import Expressions
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
    guard case .object(let object)? = members["geometry"],
      case .string(let type)? = object["type"]
    else {
      geometryType = nil
      geometry = .none
      return
    }
    geometryType = inTile && type.hasPrefix("Multi") ? String(type.dropFirst(5)) : type
    geometry =
      inTile ? RecordGeometry(type: type, coordinates: object["coordinates"]) : .none
  }

  func property(_ slot: Int) -> PropertyValue? {
    names.indices.contains(slot) ? properties[names[slot]] : nil
  }

  var allProperties: PropertyValue { .object(properties) }
}

extension RecordGeometry {
  /// Creates the geometry of a GeoJSON object, empty where it is malformed.
  fileprivate init(type: String, coordinates: PropertyValue?) {
    self = .none
    var column = GeometryColumn()
    guard let coordinates, column.add(type, coordinates) else { return }
    if coordinates == .array([]), type != "MultiPoint" { return }
    column.endRecord(.collection)
    self = .shape(column, record: 0)
  }
}

extension GeometryColumn {
  /// Adds a geometry; returns whether it is well-formed.
  fileprivate mutating func add(_ type: String, _ json: PropertyValue) -> Bool {
    switch type {
    case "Point": add(line: .array([json]), as: .point)
    case "MultiPoint": addItems(of: json) { $0.add(line: .array([$1]), as: .point) }
    case "LineString": add(line: json, as: .line)
    case "MultiLineString": addItems(of: json) { $0.add(line: $1, as: .line) }
    case "Polygon": add(polygon: json)
    case "MultiPolygon": addItems(of: json) { $0.add(polygon: $1) }
    default: false
    }
  }

  private mutating func add(polygon json: PropertyValue) -> Bool {
    var part = Part.outerRing
    return addItems(of: json) { column, ring in
      defer { part = .innerRing }
      return column.add(line: ring, as: part)
    }
  }

  private mutating func add(line json: PropertyValue, as part: Part) -> Bool {
    let isLine = addItems(of: json) { column, position in
      guard case .array(let ordinates) = position, ordinates.count >= 2,
        case .number(let longitude) = ordinates[0], case .number(let latitude) = ordinates[1]
      else { return false }
      column.add(LngLat(longitude: longitude, latitude: latitude))
      return true
    }
    endPart(part)
    return isLine
  }

  private mutating func addItems(
    of json: PropertyValue, _ add: (inout GeometryColumn, PropertyValue) -> Bool
  ) -> Bool {
    guard case .array(let items) = json else { return false }
    return items.allSatisfy { add(&self, $0) }
  }
}
