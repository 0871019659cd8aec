package import Clustering
import Definition
package import Features
import Scenes

extension ClusteredSource {
  /// Returns the options of clusters by cells; `nil` for those by radius, and without clusters.
  package func gridOptions(tileSize: Int) -> GridOptions? {
    if let cellOptions { return cellOptions }
    guard let cluster = source.definition.records?.cluster,
      case .grid(let cellSizes) = cluster.method
    else { return nil }
    return try? cluster.gridOptions(cellSizes, tileSize: tileSize)
  }

  /// Returns the first members of a zoom's clusters; `nil` where every point stands alone.
  ///
  /// - Complexity: O(points).
  package func members(at zoom: Int, tileSize: Int) -> ClusterMembers? {
    symbols(at: zoom).level.map {
      ClusterMembers($0, of: source.points, gridOptions(tileSize: tileSize))
    }
  }
}

extension ClusterMembers {
  /// Collects the first members of a zoom's clusters of a source.
  ///
  /// - Parameter options: the options of grid clusters; `nil` where points are joined by radius.
  package init(_ level: ClusterLevel, of points: PointSet, _ options: GridOptions?) {
    if let options {
      self.init(level, of: points.positions, options)
    } else {
      self.init(level)
    }
  }
}
