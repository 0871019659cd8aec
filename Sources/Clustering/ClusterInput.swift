package import Columns
package import Tiling

/// The points to cluster, as columns that share one index.
package struct ClusterInput: Sendable {
  /// The longitudes in degrees east, exactly as read.
  package let longitudes: Column<Double>

  /// The latitudes in degrees north, within ±85.0511°.
  package let latitudes: Column<Double>

  /// The same positions in the Mercator square.
  package let positions: Column<WorldPoint>

  /// The columns that clusters accumulate; each has a value for every point.
  package let aggregates: [AggregateColumn]

  /// The number of features in the source, including those without a point: supercluster numbers
  /// its clusters from this number on.
  package let featureCount: Int

  /// - Parameter featureCount: the number of points unless given.
  /// - Precondition: all columns have the same length, below 2³² − 1.
  package init(
    longitudes: Column<Double>, latitudes: Column<Double>,
    positions: Column<WorldPoint>, aggregates: [AggregateColumn] = [],
    featureCount: Int? = nil
  ) {
    precondition(
      longitudes.count == positions.count && latitudes.count == positions.count
        && aggregates.allSatisfy { $0.values.count == positions.count },
      "the columns of points are of one length")
    precondition(positions.count < UInt32.max, "points are numbered with 32 bits")
    self.longitudes = longitudes
    self.latitudes = latitudes
    self.positions = positions
    self.aggregates = aggregates
    self.featureCount = featureCount ?? positions.count
  }

  package var count: Int { positions.count }

  /// The scratch of these columns and of the columns that are made from them; `nil` for memory.
  package var scratch: Scratch? { positions.scratch }
}
