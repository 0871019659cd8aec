import Features
import Tiling

/// The rows of a batch that are used, as points, shapes or both: scratch memory of the ingest
/// stage.
struct BatchSelection: GeometryJudge {
  /// The row of each point, ascending; a multipoint's row occurs once for each of its points.
  private(set) var pointRows = ContiguousArray<Int>()
  /// The position of each point, in degrees and in the Web Mercator square.
  private(set) var degrees = ContiguousArray<LngLat>()
  private(set) var squares = ContiguousArray<WorldPoint>()
  /// The number of distinct rows in ``pointRows``.
  private(set) var pointRecords = 0
  /// The rows in ``pointRows`` that also have lines or polygons.
  private(set) var mixedRecords: [Int] = []
  /// The rows with lines or polygons.
  private(set) var shapeRows = ContiguousArray<Int>()

  /// Whether the row checked last has lines or polygons. Its points follow the ones of
  /// ``pointRows`` until they are kept or the next row is checked.
  private(set) var openHasShape = false
  var openHasPoints: Bool { degrees.count > pointRows.count }

  mutating func removeAll() {
    pointRows.removeAll(keepingCapacity: true)
    degrees.removeAll(keepingCapacity: true)
    squares.removeAll(keepingCapacity: true)
    shapeRows.removeAll(keepingCapacity: true)
    pointRecords = 0
    mixedRecords.removeAll(keepingCapacity: true)
  }

  /// Discards the row checked last, unless it was kept.
  mutating func dropOpen() {
    let leftOver = degrees.count - pointRows.count
    if leftOver > 0 {
      degrees.removeLast(leftOver)
      squares.removeLast(leftOver)
    }
    openHasShape = false
  }

  /// Checks a row's geometry; ``keep(_:)`` then adopts it.
  mutating func verdict(on geometry: GeometryColumn, _ row: Int) -> GeometryCheck.Verdict {
    dropOpen()
    return GeometryCheck.verdict(on: geometry, row) { position in
      guard let world = WorldPoint(position) else { return }
      degrees.append(position)
      squares.append(world)
    } shape: {
      openHasShape = true
    }
  }

  /// Keeps the row that was checked last.
  mutating func keep(_ row: Int) {
    if openHasPoints {
      if openHasShape { mixedRecords.append(pointRecords) }
      pointRecords += 1
      while pointRows.count < degrees.count { pointRows.append(row) }
    }
    if openHasShape { shapeRows.append(row) }
  }
}
