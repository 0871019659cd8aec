/// The clusters of every zoom of a tileset.
package struct ClusterPyramid: Sendable {
  /// The zooms that have levels.
  package let zooms: ClosedRange<Int>

  /// The deepest zoom at which points are clustered; may be deeper or shallower than ``zooms``.
  package let clusterMaxZoom: Int

  /// The levels up to `clusterMaxZoom`, shallowest first.
  let clustered: [ClusterLevel]

  /// All points, which every deeper level shows; `nil` if no deeper zooms exist.
  let points: ClusterLevel?

  /// - Precondition: `clustered` contains a level for each zoom up to `clusterMaxZoom`, ascending,
  ///   and `points` is present if a zoom is deeper.
  init(
    zooms: ClosedRange<Int>, clusterMaxZoom: Int, clustered: [ClusterLevel], points: ClusterLevel?
  ) {
    precondition(clustered.map(\.zoom) == Array(zooms.prefix { $0 <= clusterMaxZoom }))
    precondition(points != nil || zooms.upperBound <= clusterMaxZoom)
    self.zooms = zooms
    self.clusterMaxZoom = clusterMaxZoom
    self.clustered = clustered
    self.points = points
  }

  /// Returns the level of a zoom, or `nil` if the pyramid has none. Levels deeper than
  /// `clusterMaxZoom` share one set of columns.
  ///
  /// - Complexity: O(1)
  package func level(_ zoom: Int) -> ClusterLevel? {
    guard zooms.contains(zoom) else { return nil }
    if zoom <= clusterMaxZoom { return clustered[zoom - zooms.lowerBound] }
    var level = points
    level?.zoom = zoom
    return level
  }
}
