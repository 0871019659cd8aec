import Features
import OrderedCollections

/// A reader of the GeoJSON arguments of `within` and `distance`: a geometry, a feature or a
/// collection.
struct GeometryArgument {
  typealias Members = OrderedDictionary<String, PropertyValue>

  /// Maximum number of positions; a country's border in detail has some ten thousand.
  static let positionLimit = 65_536

  /// The number of positions read so far in all shapes together.
  private(set) var positionCount = 0

  /// Returns the shapes of a document, `nil` if it is not GeoJSON or a geometry in it is malformed.
  ///
  /// - Complexity: O(positions).
  mutating func shapes(of json: PropertyValue) -> [PlanarShape]? {
    guard case .object(let members) = json, case .string(let type)? = members["type"] else {
      return nil
    }
    switch type {
    case "FeatureCollection":
      guard case .array(let features)? = members["features"] else { return nil }
      var shapes: [PlanarShape] = []
      for feature in features {
        guard case .object(let members) = feature, let more = geometry(of: members) else {
          return nil
        }
        shapes += more
      }
      return shapes
    case "Feature": return geometry(of: members)
    default: return geometry(type, members["coordinates"])
    }
  }

  /// Returns the shapes of a feature; empty where its geometry is null.
  private mutating func geometry(of feature: Members) -> [PlanarShape]? {
    switch feature["geometry"] {
    case .null?: return []
    case .object(let geometry)?:
      guard case .string(let type)? = geometry["type"] else { return nil }
      return self.geometry(type, geometry["coordinates"])
    default: return nil
    }
  }

  private mutating func geometry(
    _ type: String, _ coordinates: PropertyValue?
  ) -> [PlanarShape]? {
    guard let coordinates else { return nil }
    switch type {
    case "Point": return position(coordinates).map { [.points([$0])] }
    case "MultiPoint": return line(coordinates).map { [.points($0)] }
    case "LineString": return line(coordinates).map { [.line($0)] }
    case "Polygon": return rings(coordinates).map { [.polygon($0)] }
    case "MultiLineString": return rings(coordinates)?.map { .line($0) }
    case "MultiPolygon":
      return list(coordinates) { reader, item in reader.rings(item) }?.map { .polygon($0) }
    default: return nil
    }
  }

  private mutating func rings(_ json: PropertyValue) -> [[PlanarPoint]]? {
    list(json) { reader, item in reader.line(item) }
  }

  private mutating func line(_ json: PropertyValue) -> [PlanarPoint]? {
    list(json) { reader, item in reader.position(item) }
  }

  /// Reads each item; returns `nil` if one is malformed.
  private mutating func list<Item>(
    _ json: PropertyValue, _ read: (inout GeometryArgument, PropertyValue) -> Item?
  ) -> [Item]? {
    guard case .array(let items) = json else { return nil }
    var result: [Item] = []
    result.reserveCapacity(items.count)
    for item in items {
      guard let value = read(&self, item) else { return nil }
      result.append(value)
    }
    return result
  }

  /// Reads longitude and latitude; further ordinates are ignored.
  private mutating func position(_ json: PropertyValue) -> PlanarPoint? {
    guard case .array(let ordinates) = json, ordinates.count >= 2,
      case .number(let longitude) = ordinates[0], case .number(let latitude) = ordinates[1]
    else { return nil }
    positionCount += 1
    return PlanarPoint(longitude, latitude)
  }
}
