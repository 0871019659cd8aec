/// The feature that an expression is evaluated for.
///
/// A source is bound to the names that an expression reads, in the order of that expression's
/// `propertyNames`; `slot` is an index into them.
package protocol PropertySource {
  /// Returns the value of a property, `nil` if the feature lacks it.
  func property(_ slot: Int) -> PropertyValue?

  /// The feature's id, if it has one.
  var id: PropertyValue? { get }

  /// The geometry type `Point`, `LineString` or `Polygon` as in the style specification (Multi*
  /// count as their part), or `nil` for a feature without geometry.
  var geometryType: String? { get }

  /// All properties, for the `properties` expression.
  var allProperties: PropertyValue { get }

  /// The position of the feature, for `within`, `distance` and the spatial tests of CQL2.
  var geometry: RecordGeometry { get }
}

extension PropertySource {
  /// No geometry, for features of tests and of reduced clusters.
  package var geometry: RecordGeometry { .none }
}
