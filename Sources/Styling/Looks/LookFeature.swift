package import Features
import OrderedCollections

/// A feature as read by expressions; it moves from row to row without copying.
package protocol LookFeature: PropertySource, AnyObject {
  /// Sets the names that the next expression reads; `list` numbers the list of names.
  func bind(_ names: [String], list: Int)
}

/// A feature derived from a style alone: it has values for a few names and nothing else.
final class SpecimenFeature: LookFeature {
  private let values: [String: PropertyValue]
  private var names: [String] = []

  init(_ values: [String: PropertyValue]) {
    self.values = values
  }

  func bind(_ names: [String], list: Int) {
    self.names = names
  }

  func property(_ slot: Int) -> PropertyValue? { values[names[slot]] }

  /// Returns the properties that expressions read from a cluster, whatever its source aggregates.
  static func properties(ofCluster count: Int) -> [String: PropertyValue] {
    [
      "cluster": .bool(true), "point_count": .number(Double(count)),
      "point_count_abbreviated": PropertyValue(abbreviatedCount: count),
    ]
  }

  var id: PropertyValue? { nil }
  var geometryType: String? { "Point" }
  var allProperties: PropertyValue {
    .object(.init(uncheckedUniqueKeysWithValues: values.sorted { $0.key < $1.key }))
  }
}
