import Clustering
package import Features
import OrderedCollections

/// A feature as expressions see it, moved from row to row without copying.
package protocol LookFeature: PropertySource, AnyObject {
  /// Says which names the next expression reads; `list` numbers the list of names.
  func bind(_ names: [String], list: Int)
}

/// A feature that a style suggests by itself: given values for a few names, nothing else.
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

  /// What expressions read of a cluster, whatever its source aggregates.
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

extension PropertyValue {
  /// A count in at most four characters, as supercluster writes `point_count_abbreviated`: a
  /// number below 1,000, a text from there.
  package init(abbreviatedCount count: Int) {
    self =
      count < 1000
      ? .number(Double(count)) : .string(ClusterCount.abbreviated(UInt32(clamping: count)))
  }
}
