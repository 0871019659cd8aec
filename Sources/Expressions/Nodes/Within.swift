import Features
import Tiling

/// The operator `within`: whether a point or a line lies inside polygons, excluding their edges.
///
/// A polygon is never within, as in MapLibre. Compared in the Web Mercator plane.
final class Within: Node {
  private let polygons: [[[PlanarPoint]]]
  private let exact: PolygonSet
  let traits = Traits([], reading: [.feature, .geometry])
  var type: ExpressionType { .boolean }

  /// - Parameter polygons: their rings in degrees.
  init(_ polygons: [[[PlanarPoint]]]) {
    self.polygons = polygons
    exact = PolygonSet(polygons, in: MercatorPlane(steps: nil))
  }

  static func parse(_ items: [PropertyValue], _ parser: Parser) -> (any Node)? {
    guard let shapes = parser.geometryArgument(of: "within", items) else { return nil }
    let polygons = shapes.compactMap { shape in
      if case .polygon(let rings) = shape { rings } else { nil }
    }
    guard !polygons.isEmpty else { return parser.failGeometry("within") }
    return Within(polygons)
  }

  func bool(_ context: EvaluationContext) -> Bool {
    let shapes = PlanarShape.parts(of: context.feature?.geometry ?? .none)
    guard context.positionSteps == nil else {
      let plane = MercatorPlane(steps: context.positionSteps)
      return PolygonSet(polygons, in: plane).contains(shapes)
    }
    return exact.contains(shapes)
  }

  func value(_ context: EvaluationContext) -> ExpressionValue { .bool(bool(context)) }
}

/// Polygons prepared for comparison with many features.
private struct PolygonSet: Sendable {
  private let plane: MercatorPlane
  private let polygons: [PolygonIndex]
  private let box: PlanarBox

  init(_ polygons: [[[PlanarPoint]]], in plane: MercatorPlane) {
    self.plane = plane
    self.polygons = polygons.map { rings in
      PolygonIndex(rings.map { $0.map(plane.project) })
    }
    box = self.polygons.reduce(into: PlanarBox.empty) { $0.formUnion($1.box) }
  }

  /// Whether all points, or all lines, lie inside; a line must lie within a single polygon.
  func contains(_ shapes: [PlanarShape]) -> Bool {
    var points: [PlanarPoint] = []
    var lines: [[PlanarPoint]] = []
    for shape in shapes {
      switch shape {
      case .points(let positions): points += positions.map { shifted(plane.project($0)) }
      case .line(let positions): lines.append(positions.map(plane.project))
      case .polygon: return false
      }
    }
    guard !points.isEmpty || !lines.isEmpty else { return false }
    // Lines that extend over more than half the world are not shifted.
    if PlanarBox(lines.joined()).width <= plane.worldSize / 2 {
      lines = lines.map { $0.map(shifted) }
    }
    var featureBox = PlanarBox(points)
    featureBox.formUnion(PlanarBox(lines.joined()))
    guard box.strictlyContains(featureBox) else { return false }
    return points.allSatisfy { point in polygons.contains { $0.contains(point) } }
      && lines.allSatisfy { line in polygons.contains { $0.contains(line: line) } }
  }

  /// Returns the position, moved by a world where that brings it closer to the polygons, which may
  /// cross the antimeridian.
  private func shifted(_ position: PlanarPoint) -> PlanarPoint {
    guard position.x < box.minX || position.x > box.maxX else { return position }
    let half = plane.worldSize / 2
    for edge in [box.minX, box.maxX] {
      if position.x - edge > half { return position - PlanarPoint(plane.worldSize, 0) }
      if edge - position.x > half { return position + PlanarPoint(plane.worldSize, 0) }
    }
    return position
  }
}

extension Parser {
  /// Reads the single argument of `within` or `distance`; returns `nil` after an error.
  func geometryArgument(of name: String, _ items: [PropertyValue]) -> [PlanarShape]? {
    guard items.count == 2 else {
      fail(
        "'\(name)' expression requires exactly one argument, but found \(items.count - 1) instead.")
      return nil
    }
    var argument = GeometryArgument()
    guard let shapes = argument.shapes(of: items[1]) else {
      _ = failGeometry(name)
      return nil
    }
    guard argument.positionCount <= GeometryArgument.positionLimit else {
      fail(
        "'\(name)' expression takes at most \(GeometryArgument.positionLimit) positions, but found "
          + "\(argument.positionCount).", at: 1)
      return nil
    }
    return shapes
  }

  /// Reports an invalid argument.
  func failGeometry(_ name: String) -> (any Node)? {
    fail(
      "'\(name)' expression requires valid geojson object that contains polygon geometry type.")
    return nil
  }
}
