import Clustering
package import Columns
package import Definition
import Features
package import Tiling

/// The points and shapes of a source that each zoom shows under its `featureLimit`.
package struct FeatureThinning: Sendable {
  /// The features that one zoom keeps.
  package struct Zoom: Sendable {
    /// Whether each point of the source is drawn.
    package var points: Column<Bool>
    /// Whether each shape of the source is drawn.
    package var shapes: Column<Bool>
    /// The number of points and shapes that are not drawn at the zoom.
    var dropped: Int
  }

  private let zooms: [Int: Zoom]

  /// The number of records that no zoom shows.
  let limitedRecords: Int

  /// - Parameters:
  ///   - shapePositions: the position of each shape: the middle of its box.
  ///   - checkpoint: called before each zoom; throwing ends the work.
  /// - Complexity: O(zooms · features + features · log features).
  package init(
    _ limit: FeatureLimit, of source: LoadedSource, shapePositions: ContiguousArray<WorldPoint>,
    tiles: TilesDefinition, checkpoint: () throws -> Void
  ) rethrows {
    let (points, shapes) = (source.points, source.shapes)
    let thinning = CellThinning(
      perCell: limit.perCell, cellSize: limit.cellSize ?? Double(tiles.tileSize),
      tileSize: tiles.tileSize)
    let pointOrder = Self.order(points.records, limit)
    let shapeOrder = Self.order(shapes.records, limit)
    let zoomRange = tiles.minZoom...tiles.maxZoom
    let keptPoints = try thinning.kept(
      of: points.positions, order: pointOrder, zooms: zoomRange, checkpoint: checkpoint)
    let keptShapes = try thinning.kept(
      of: Column(shapePositions), order: shapeOrder, zooms: zoomRange, checkpoint: checkpoint)
    var zooms: [Int: Zoom] = [:]
    for (place, zoom) in zoomRange.enumerated() {
      let (points, shapes) = (keptPoints[place], keptShapes[place])
      zooms[zoom] = Zoom(
        points: points, shapes: shapes, dropped: points.count { !$0 } + shapes.count { !$0 })
    }
    self.zooms = zooms
    // Deeper zooms keep what a zoom keeps, so a record that the deepest zoom leaves out is never
    // drawn.
    limitedRecords =
      Self.records(of: points.owners, without: keptPoints.last ?? [])
      + Self.records(of: shapes.owners, without: keptShapes.last ?? [])
  }

  /// Returns the features that a zoom keeps; `nil` for one that is not built.
  package func zoom(_ zoom: Int) -> Zoom? { zooms[zoom] }

  /// Returns the rows ordered by the limit's property, highest priority first; texts and missing
  /// values come last.
  private static func order(_ records: RecordColumns, _ limit: FeatureLimit)
    -> Column<UInt32>
  {
    let column = records.index(of: limit.property).map { records.columns[$0] }
    let values = Column(
      (0..<records.count).lazy.map { row -> Double? in
        if case .number(let number)? = column?.value(row), number.isFinite { number } else { nil }
      }, in: records.lines.scratch)
    return CellThinning.order(by: values, isDescending: limit.isDescending)
  }

  /// Returns the number of records none of whose rows is drawn at any zoom.
  private static func records(of owners: RecordOwners, without ever: Column<Bool>) -> Int {
    var isSeen = Column(repeating: false, count: owners.recordCount, in: ever.scratch)
    for row in ever.indices where ever[row] { isSeen[owners.record(of: row)] = true }
    return isSeen.count { !$0 }
  }
}
