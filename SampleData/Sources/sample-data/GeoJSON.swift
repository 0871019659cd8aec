import Foundation

/// GeoJSON as text.
enum GeoJSON {
  /// A feature collection with a feature a line.
  static func collection(_ features: [String]) -> String {
    "{\"type\":\"FeatureCollection\",\"features\":[\n\(features.joined(separator: ",\n"))\n]}\n"
  }

  static func feature(_ properties: String, _ type: String, _ coordinates: String) -> String {
    "{\"type\":\"Feature\",\"properties\":{\(properties)},"
      + "\"geometry\":{\"type\":\"\(type)\",\"coordinates\":\(coordinates)}}"
  }

  static func positions(_ places: [(Double, Double)], decimals: Int = 4) -> String {
    let pairs = places.map { "[\(fixed($0.0, decimals)),\(fixed($0.1, decimals))]" }
    return "[\(pairs.joined(separator: ","))]"
  }

  /// A ring that ends where it begins.
  static func ring(_ places: [(Double, Double)]) -> String {
    positions(places + places.prefix(1))
  }

  /// A collection of polygons of one ring each, without properties.
  static func polygons(_ rings: [[(Double, Double)]]) -> String {
    collection(rings.map { feature("", "Polygon", "[\(ring($0))]") })
  }

  static func fixed(_ degrees: Double, _ decimals: Int = 4) -> String {
    String(format: "%.\(decimals)f", degrees)
  }
}
