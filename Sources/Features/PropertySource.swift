/// The feature that an expression is evaluated for.
///
/// A source is bound to the names that an expression reads, in the order of that expression's
/// `propertyNames`; `slot` is an index into them.
package protocol PropertySource {
  /// Returns the value of a property, `nil` if the feature lacks it.
  func property(_ slot: Int) -> PropertyValue?

  /// Returns the text of a property that is a number written in a field without a type of its own:
  /// `5.10`, `12E3`, `9007199254740993`; `nil` for any other value.
  func spelling(_ slot: Int) -> String?

  /// The text of the feature's id, spelled as ``spelling(_:)`` spells a property.
  var idSpelling: String? { get }

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

  /// No spelling, for features that are no records.
  package func spelling(_ slot: Int) -> String? { nil }

  /// No spelling, for features that are no records.
  package var idSpelling: String? { nil }
}
