package import Columns
package import Features
package import Tiling

/// The clusters and lone points of one zoom, as columns that share one index.
///
/// Each point of the input belongs to exactly one item, so the counts add up to the points.
package struct ClusterLevel: Sendable {
  package internal(set) var zoom: Int

  /// The position of each item on the map. The position of a grid cluster lies within its
  /// ``boxes`` entry; the centre of a radius cluster is a mean of single-precision coordinates and
  /// may lie a few units outside.
  package internal(set) var positions: Column<WorldPoint>

  /// The longitude of each item in degrees east; for a lone point the exact degrees of the input.
  package internal(set) var longitudes: Column<Double>

  /// The latitude of each item in degrees north; for a lone point the exact degrees of the input.
  package internal(set) var latitudes: Column<Double>

  /// The number of points that each item represents; 1 for a lone point.
  package internal(set) var counts: Column<UInt32>

  /// The tight box of each item's points, edges included; it never crosses the antimeridian.
  package internal(set) var boxes: Column<WorldBox>

  /// The input index of one point of each item: the point itself if it stands alone.
  package internal(set) var firstMembers: Column<UInt32>

  /// The first zoom deeper than this one at which a cluster is more than one item, or the
  /// clusterer's deepest zoom + 1 if it never splits before; 0 for a lone point.
  package internal(set) var expansionZooms: Column<UInt8>

  /// The `cluster_id` of each item, unique over all zooms; for a lone point its input index.
  package internal(set) var ids: Column<UInt64>

  /// One column per aggregate of the input, in its order; for a lone point its own value.
  package internal(set) var aggregates: [Column<AggregateValue>]

  /// Whether every item is a cell with its area, also one with a single point.
  package internal(set) var isAreal = false

  /// The texts and lists of each aggregate; empty in levels that no ``ClusterPyramid`` returned.
  var tables: [AggregateTable] = []

  package var count: Int { positions.count }

  /// Whether an item represents several points, or a cell with its area.
  @inlinable
  package func isCluster(_ index: Int) -> Bool { isAreal || counts[index] > 1 }

  /// Returns the value of an aggregate of an item in the form that expressions read.
  package func aggregate(_ column: Int, of item: Int) -> PropertyValue {
    let table = column < tables.count ? tables[column] : AggregateTable()
    return table.property(aggregates[column][item])
  }

  /// Creates a zoom at which every point stands alone, in the order of the input, whose columns it
  /// shares.
  ///
  /// - Complexity: O(n); 33 bytes per point.
  package static func points(of input: ClusterInput, zoom: Int) -> ClusterLevel {
    ClusterLevel(
      zoom: zoom, positions: input.positions, longitudes: input.longitudes,
      latitudes: input.latitudes, indices: Column(0..<UInt32(input.count), in: input.scratch),
      aggregates: input.aggregates.map(\.values))
  }

  /// Creates a zoom at which every point stands alone, in the order of the points, whose columns it
  /// shares.
  static func points(_ points: OrderedPoints, zoom: Int) -> ClusterLevel {
    ClusterLevel(
      zoom: zoom, positions: points.positions, longitudes: points.longitudes,
      latitudes: points.latitudes, indices: points.indices,
      aggregates: points.columns.map { column in
        points.gathered(column.values)
      })
  }

}

extension ClusterLevel {
  /// Creates a level of lone points.
  fileprivate init(
    zoom: Int, positions: Column<WorldPoint>, longitudes: Column<Double>,
    latitudes: Column<Double>, indices: Column<UInt32>,
    aggregates: [Column<AggregateValue>]
  ) {
    let count = positions.count
    self.init(
      zoom: zoom, positions: positions, longitudes: longitudes, latitudes: latitudes,
      counts: Column(repeating: 1, count: count, in: positions.scratch),
      boxes: Column(positions.lazy.map { WorldBox($0) }, in: positions.scratch),
      firstMembers: indices,
      expansionZooms: Column(repeating: 0, count: count, in: positions.scratch),
      ids: Column(indices.lazy.map { UInt64($0) }, in: positions.scratch), aggregates: aggregates)
  }
}
