@testable import Clustering

extension ClusterPyramid {
  /// All levels, shallowest first.
  var levels: some Sequence<ClusterLevel> {
    zooms.lazy.compactMap { level($0) }
  }
}

extension GridClusterer {
  /// Computes the clusters of every zoom without checkpoints.
  func pyramid(
    of input: ClusterInput, zooms: ClosedRange<Int>, threads: Int = 1
  ) -> ClusterPyramid {
    pyramid(of: input, zooms: zooms, threads: threads, checkpoint: {})
  }
}

extension RadiusClusterer {
  /// Computes the clusters of every zoom without checkpoints.
  func pyramid(
    of input: ClusterInput, zooms: ClosedRange<Int>, threads: Int = 1
  ) -> ClusterPyramid {
    pyramid(of: input, zooms: zooms, threads: threads, checkpoint: {})
  }
}

extension GridOptions {
  /// Returns the edge of a cell in world pixels of a zoom in 0 … 22.
  func cellSize(at zoom: Int) -> Int {
    if case .pixels(let grid) = cells(at: zoom) { Int(grid.cellSize) } else { 0 }
  }
}
