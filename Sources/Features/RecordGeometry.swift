package import Tiling

/// Where a record lies, for expressions and filters that ask for more than its type.
///
/// Positions are degrees as the file gives them.
package enum RecordGeometry: Sendable {
  /// No geometry.
  case none
  /// The positions of a Point or MultiPoint, or of a cluster.
  case points([LngLat])
  /// Row `record` of a column: lines, rings, and the points of a collection.
  case shape(GeometryColumn, record: Int)
}
