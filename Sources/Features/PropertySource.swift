/// What an expression may ask of the feature that it is evaluated for.
///
/// A source is bound to the names that an expression reads, in the order of that expression's
/// `propertyNames`; `slot` is an index into them.
package protocol PropertySource {
  /// The value of a property, `nil` where the feature has no such property.
  func property(_ slot: Int) -> PropertyValue?

  /// The feature's id, if it has one.
  var id: PropertyValue? { get }

  /// `Point`, `LineString` or `Polygon` as the style specification names them (Multi* count as
  /// their part), or `nil` for a feature without geometry.
  var geometryType: String? { get }

  /// All properties, for the `properties` expression.
  var allProperties: PropertyValue { get }

  /// Where the feature lies, for `within`, `distance` and the spatial tests of CQL2.
  var geometry: RecordGeometry { get }
}

extension PropertySource {
  /// Features of tests and of reduced clusters lie nowhere.
  package var geometry: RecordGeometry { .none }
}
