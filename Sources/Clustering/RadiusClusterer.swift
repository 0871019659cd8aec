/// A clusterer that joins points that are near each other on the screen: `clusterMethod: radius`.
///
/// The algorithm of supercluster 8, greedy and from the deepest zoom up, with exactly its result:
/// the same clusters in the same order with the same centres, counts and ids. It depends on the
/// order of the input, but not on threads.
package struct RadiusClusterer: Sendable {
  package let options: RadiusOptions

  package init(_ options: RadiusOptions) {
    self.options = options
  }

  /// Computes the clusters of every zoom.
  ///
  /// Items of a level are in the order in which supercluster makes them, points above
  /// `clusterMaxZoom` in the order of the input. ``ClusterLevel/firstMembers`` is the lowest index.
  /// Like supercluster, it does not join points across the antimeridian.
  ///
  /// - Parameters:
  ///   - zooms: the zooms, within 0 … 22.
  ///   - checkpoint: called before each zoom; throwing ends the work.
  /// - Complexity: O(n log n) for each zoom from `clusterMaxZoom` down to the first of `zooms`, n
  ///   being the items of the zoom below. Scratch is at most 122 bytes per point.
  package func pyramid(
    of input: ClusterInput, zooms: ClosedRange<Int>, threads: Int = 1,
    checkpoint: () throws -> Void
  ) rethrows -> ClusterPyramid {
    var nodes = RadiusNodes(input, threads: threads)
    var search = RadiusSearch(capacity: input.count, threads: max(1, threads))
    var levels: [ClusterLevel] = []
    for zoom in stride(from: options.maxZoom, through: zooms.lowerBound, by: -1) {
      try checkpoint()
      search.cluster(
        &nodes, zoom: zoom, radius: options.worldRadius(at: zoom), minPoints: options.minPoints)
      if zoom <= zooms.upperBound { levels.append(nodes.level(zoom: zoom, threads: threads)) }
    }
    return ClusterPyramid(
      zooms: zooms, clusterMaxZoom: options.maxZoom, clustered: levels.reversed(),
      points: zooms.upperBound > options.maxZoom
        ? .points(of: input, zoom: zooms.upperBound) : nil,
      tables: nodes.aggregations.map(\.table))
  }
}
