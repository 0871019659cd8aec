import Features
import Tiling

/// Which rows of a batch are used, and as what: scratch of the ingest stage.
struct BatchSelection {
  enum Verdict {
    case used
    case noGeometry
    case rejected(RejectReason, String)
  }

  /// The row of each point, rising; a multipoint's row stands once for each of its points.
  private(set) var pointRows = ContiguousArray<Int>()
  private(set) var points = ContiguousArray<(position: LngLat, world: WorldPoint)>()
  /// Different rows in ``pointRows``.
  private(set) var pointRecords = 0
  /// The rows with lines or polygons.
  private(set) var shapeRows = ContiguousArray<Int>()

  /// What the row that was checked last consists of.
  private(set) var openHasShape = false
  var openHasPoints: Bool { !openPoints.isEmpty }
  private var openPoints = ContiguousArray<(position: LngLat, world: WorldPoint)>()

  /// Longitudes beyond are no place, however often the world is gone around.
  private static let longitudeLimit = 540.0

  mutating func removeAll() {
    pointRows.removeAll(keepingCapacity: true)
    points.removeAll(keepingCapacity: true)
    shapeRows.removeAll(keepingCapacity: true)
    pointRecords = 0
  }

  /// Looks at a row's geometry; ``keep(_:)`` takes it then.
  mutating func check(_ geometry: GeometryColumn, _ row: Int) -> Verdict {
    openPoints.removeAll(keepingCapacity: true)
    openHasShape = false
    if geometry.kinds[row] == .none { return .noGeometry }
    for part in geometry.partRange(row) {
      let isPoint = geometry.parts[part] == .point
      for index in geometry.positionRange(part) {
        if let refusal = check(geometry.positions[index], isPoint: isPoint) { return refusal }
      }
    }
    // A collection or multi-geometry without members.
    return openHasPoints || openHasShape ? .used : .noGeometry
  }

  /// Uses the row that was checked last.
  mutating func keep(_ row: Int) {
    if openHasPoints {
      pointRecords += 1
      for point in openPoints {
        pointRows.append(row)
        points.append(point)
      }
    }
    if openHasShape { shapeRows.append(row) }
  }

  private mutating func check(_ position: LngLat, isPoint: Bool) -> Verdict? {
    // Lines and polygons are clipped where the map ends; points there have no place on it.
    let latitudeLimit = isPoint ? WorldPoint.maxLatitude : 90
    guard abs(position.latitude) <= latitudeLimit else {
      let end = isPoint ? "±85.0511°, where Web Mercator ends" : "±90°"
      return .rejected(
        .latitudeOutOfRange, "latitude \(position.latitude) is beyond \(end)")
    }
    guard abs(position.longitude) <= Self.longitudeLimit else {
      return .rejected(
        .longitudeOutOfRange, "longitude \(position.longitude) is beyond ±540°")
    }
    if !isPoint {
      openHasShape = true
    } else if let world = WorldPoint(position) {
      openPoints.append((position, world))
    }
    return nil
  }
}
