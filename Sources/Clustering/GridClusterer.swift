/// A clusterer that joins points by cells that are anchored to the world: `clusterMethod: grid`,
/// `square` or `hexagon`.
///
/// A cluster is at the mean longitude and latitude of its cell's points, an area at the centre of the
/// cell. The result depends on the
/// set of points only: not on their order (apart from indices, which follow it) nor on threads.
package struct GridClusterer: Sendable {
  package let options: GridOptions

  package init(_ options: GridOptions) {
    self.options = options
  }

  /// Computes the clusters of every zoom.
  ///
  /// Items of a level are in Morton order of their cells, and points that share a cell but stand
  /// alone are ordered by position (Morton), then longitude, latitude and aggregates; so are the
  /// points above `clusterMaxZoom`. ``ClusterLevel/firstMembers`` is the first member in that
  /// order. The `cluster_id` consists of zoom and cell, so other points do not change it; it is
  /// unique for cells of 8 pixels and more.
  ///
  /// - Parameters:
  ///   - zooms: the zooms, within 0 … 22.
  ///   - checkpoint: called before each zoom; throwing ends the work.
  /// - Complexity: O(n) once to sort and once per ladder of nested cells (two for the default cell
  ///   sizes), O(items) per zoom. Scratch is at most 52 bytes per point, plus 64 per cell.
  package func pyramid(
    of input: ClusterInput, zooms: ClosedRange<Int>, threads: Int = 1,
    checkpoint: () throws -> Void
  ) rethrows -> ClusterPyramid {
    let points = OrderedPoints(input, threads: threads)
    let deepest = min(zooms.upperBound, options.maxZoom)
    var aggregations = input.aggregates.map(Aggregation.init)
    var levels: [ClusterLevel] = []
    var cells: GridCells?
    for zoom in stride(from: deepest, through: zooms.lowerBound, by: -1) {
      try checkpoint()
      let grid = options.cells(at: zoom)
      if let keyShift = cells?.grid.keyShift(to: grid) {
        cells?.coarsen(
          to: grid, keyShift: keyShift, of: points, &aggregations, threads: threads)
      } else {
        // The old tree is released before the new one is made.
        cells = nil
        cells = GridCells(points, grid: grid, &aggregations, threads: threads)
      }
      let deeper = (zoom..<options.maxZoom).map { options.cells(at: $0 + 1) }
      if let level = cells?.level(
        of: points, options, deeper: deeper, threads: threads)
      {
        levels.append(level)
      }
    }
    return ClusterPyramid(
      zooms: zooms, clusterMaxZoom: options.maxZoom, clustered: levels.reversed(),
      points: zooms.upperBound > options.maxZoom ? .points(points, zoom: zooms.upperBound) : nil,
      tables: aggregations.map(\.table))
  }
}
