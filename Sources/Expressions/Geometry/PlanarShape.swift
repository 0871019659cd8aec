import Features
import Tiling

/// A geometry in degrees, split into the parts that `within` and `distance` compare.
enum PlanarShape: Sendable {
  case points([PlanarPoint])
  case line([PlanarPoint])
  /// A polygon's rings, the first the outer one; each as in the file, usually closed.
  case polygon([[PlanarPoint]])

  /// The first position, `nil` for an empty shape.
  var first: PlanarPoint? {
    switch self {
    case .points(let points), .line(let points): points.first
    case .polygon(let rings): rings.first?.first
    }
  }

  /// Returns the shape with a function applied to every position.
  func mapped(_ transform: (PlanarPoint) -> PlanarPoint) -> PlanarShape {
    switch self {
    case .points(let points): .points(points.map(transform))
    case .line(let points): .line(points.map(transform))
    case .polygon(let rings): .polygon(rings.map { $0.map(transform) })
    }
  }

  /// Returns the parts of a record; all points are one shape, since they are tested together.
  ///
  /// - Complexity: O(positions).
  static func parts(of geometry: RecordGeometry) -> [PlanarShape] {
    switch geometry {
    case .none: return []
    case .points(let positions): return [.points(positions.map(PlanarPoint.init))]
    case .shape(let column, let record): return parts(of: column, record)
    }
  }

  private static func parts(of column: GeometryColumn, _ record: Int) -> [PlanarShape] {
    guard column.kinds.indices.contains(record) else { return [] }
    var points: [PlanarPoint] = []
    var rings: [[PlanarPoint]] = []
    var shapes: [PlanarShape] = []
    func endPolygon() {
      if !rings.isEmpty { shapes.append(.polygon(rings)) }
      rings = []
    }
    for part in column.partRange(record) {
      let positions = column.positions[column.positionRange(part)].map(PlanarPoint.init)
      switch column.parts[part] {
      case .point: points += positions
      case .line: shapes.append(.line(positions))
      case .outerRing:
        endPolygon()
        rings = [positions]
      case .innerRing: rings.append(positions)
      }
    }
    endPolygon()
    return points.isEmpty ? shapes : [.points(points)] + shapes
  }
}

extension PlanarPoint {
  /// Creates the point of a position, in degrees.
  init(_ position: LngLat) {
    self.init(position.longitude, position.latitude)
  }
}
