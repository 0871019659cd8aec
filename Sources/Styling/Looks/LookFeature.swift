import Expressions
package import Features
import OrderedCollections

/// A feature as read by expressions; it moves from row to row without copying.
package protocol LookFeature: PropertySource, AnyObject {
  /// Sets the names that the next expression reads; `list` numbers the list of names.
  func bind(_ names: [String], list: Int)

  /// The vector from a spread point to the middle of its stack, in pixels eastward and southward;
  /// `nil` for a feature at its place.
  var leg: SIMD2<Double>? { get }
}

extension LookFeature {
  package var leg: SIMD2<Double>? { nil }
}

/// A feature derived from a style alone: it has values for a few names and nothing else.
package final class SpecimenFeature: LookFeature {
  private let values: [String: PropertyValue]
  private var names: [String] = []

  /// A leg that shows the colours of its layer.
  package let leg: SIMD2<Double>? = SIMD2(20, 12)

  init(_ values: [String: PropertyValue]) {
    self.values = values
  }

  /// Creates a cluster of which all slices of charts show.
  package convenience init(cluster count: Int, of layers: [StyleLayer]) {
    let slices = layers.flatMap { $0.properties[.chartSlices]?.sliceProperties ?? [] }.joined()
    let values = Dictionary(slices.map { ($0, PropertyValue.number(1)) }) { value, _ in value }
    self.init(values.merging(Self.properties(ofCluster: count)) { $1 })
  }

  package func bind(_ names: [String], list: Int) {
    self.names = names
  }

  package func property(_ slot: Int) -> PropertyValue? { values[names[slot]] }

  /// Returns the properties that expressions read from a cluster, whatever its source aggregates.
  static func properties(ofCluster count: Int) -> [String: PropertyValue] {
    [
      "cluster": .bool(true), "point_count": .number(Double(count)),
      "point_count_abbreviated": PropertyValue(abbreviatedCount: count),
    ]
  }

  package var id: PropertyValue? { nil }
  package var geometryType: String? { "Point" }
  package var allProperties: PropertyValue {
    .object(.init(uncheckedUniqueKeysWithValues: values.sorted { $0.key < $1.key }))
  }
}
