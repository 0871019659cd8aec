package import Tiling

/// The geometry of a record, for expressions and filters that need more than its type.
///
/// Positions are degrees as in the file.
package enum RecordGeometry: Sendable {
  /// No geometry.
  case none
  /// The positions of a Point or MultiPoint, or of a cluster.
  case points([LngLat])
  /// Row `record` of a column: lines, rings, and the points of a collection.
  case shape(GeometryColumn, record: Int)
}
