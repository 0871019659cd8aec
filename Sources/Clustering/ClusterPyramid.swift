import Columns

/// The clusters of every zoom of a tileset.
package struct ClusterPyramid: Sendable {
  /// The zooms that have levels.
  package let zooms: ClosedRange<Int>

  /// The deepest zoom at which points are clustered; may be deeper or shallower than ``zooms``.
  package let clusterMaxZoom: Int

  /// The levels up to `clusterMaxZoom`, shallowest first.
  private(set) var clustered: [ClusterLevel]

  /// All points, which every deeper level shows; `nil` if no deeper zooms exist.
  let points: ClusterLevel?

  /// The texts and lists of each aggregate.
  package private(set) var tables: [AggregateTable]

  /// - Precondition: `clustered` contains a level for each zoom up to `clusterMaxZoom`, ascending,
  ///   and `points` is present if a zoom is deeper.
  init(
    zooms: ClosedRange<Int>, clusterMaxZoom: Int, clustered: [ClusterLevel], points: ClusterLevel?,
    tables: [AggregateTable]
  ) {
    precondition(clustered.map(\.zoom) == Array(zooms.prefix { $0 <= clusterMaxZoom }))
    precondition(points != nil || zooms.upperBound <= clusterMaxZoom)
    self.zooms = zooms
    self.clusterMaxZoom = clusterMaxZoom
    self.clustered = clustered
    self.points = points
    self.tables = tables
  }

  /// Inserts the classes of clusters as an aggregate: numbers from 0.
  ///
  /// - Parameters:
  ///   - index: the index of the new aggregate.
  ///   - property: the index of the aggregate that is classed; `nil` for the number of points.
  /// - Returns: the classes of each zoom at which clusters have numbers.
  /// - Complexity: see ``ClassBreaks``.
  package mutating func insertClasses(
    at index: Int, by property: Int?, _ method: ClassBreaks.Method, count: Int,
    checkpoint: () throws -> Void
  ) rethrows -> [(zoom: Int, breaks: ClassBreaks)] {
    var found: [(zoom: Int, breaks: ClassBreaks)] = []
    for place in clustered.indices {
      try checkpoint()
      let level = clustered[place]
      func number(_ item: Int) -> Double? {
        guard level.isCluster(item) else { return nil }
        return property.map { level.aggregates[$0][item].number } ?? Double(level.counts[item])
      }
      let numbers = (0..<level.count).compactMap(number).filter(\.isFinite)
      let breaks = ClassBreaks(numbers, method, count: count)
      if let breaks { found.append((level.zoom, breaks)) }
      let classes = (0..<level.count).lazy.map { item -> AggregateValue in
        guard let breaks, let number = number(item), number.isFinite else { return .null }
        return .number(Double(breaks.number(of: number)))
      }
      clustered[place].aggregates.insert(
        Column(classes, in: level.positions.scratch), at: index)
    }
    tables.insert(AggregateTable(), at: index)
    return found
  }

  /// Returns the level of a zoom, or `nil` if the pyramid has none. Levels deeper than
  /// `clusterMaxZoom` share one set of columns.
  ///
  /// - Complexity: O(1)
  package func level(_ zoom: Int) -> ClusterLevel? {
    guard zooms.contains(zoom) else { return nil }
    var level = zoom <= clusterMaxZoom ? clustered[zoom - zooms.lowerBound] : points
    level?.zoom = zoom
    level?.tables = tables
    return level
  }
}
