import Features
import OrderedCollections
import TestSupport
import Testing

@testable import Expressions
@testable import expression_fixture

@Suite struct GeometryTests {
  /// A square from (0, 0) to (8, 8) degrees with a hole from (2, 2) to (4, 4).
  static let holed =
    "{'type': 'Polygon', 'coordinates': [[[0, 0], [8, 0], [8, 8], [0, 8], [0, 0]], "
    + "[[2, 2], [2, 4], [4, 4], [4, 2], [2, 2]]]}"

  /// A feature with a GeoJSON geometry.
  func feature(_ type: String, _ coordinates: String) -> TestFeature {
    var feature = TestFeature()
    feature.geometry =
      FixtureFeature(
        ["geometry": TestJSON.parse("{'type': '\(type)', 'coordinates': \(coordinates)}")],
        names: [], inTile: true
      ).geometry
    return feature
  }

  func text(_ positions: [(Double, Double)]) -> String {
    "[\(positions.map { "[\($0.0), \($0.1)]" }.joined(separator: ", "))]"
  }

  func points(_ positions: [(Double, Double)]) -> TestFeature {
    feature("MultiPoint", text(positions))
  }

  func line(_ positions: [(Double, Double)]) -> TestFeature {
    feature("LineString", text(positions))
  }

  @Test(
    "a point is within if it is inside and not on an edge",
    arguments: [
      ([(1.0, 1.0)], true), ([(3, 3)], false), ([(0, 4)], false), ([(8, 8)], false),
      ([(2, 3)], false), ([(9, 1)], false), ([(1, 1), (5, 5)], true), ([(1, 1), (3, 3)], false),
      ([], false),
    ] as [([(Double, Double)], Bool)])
  func pointWithin(positions: [(Double, Double)], expected: Bool) {
    #expect(outcome("['within', \(Self.holed)]", points(positions)) == "\(expected)")
  }

  @Test(
    "a line is within if it neither leaves nor crosses a hole",
    arguments: [
      ([(1.0, 1.0), (7.0, 1.0)], true), ([(1, 1), (5, 5)], false), ([(1, 3), (7, 3)], false),
      ([(1, 1), (9, 1)], false), ([(1, 1), (0, 1)], false), ([(5, 5), (7, 7), (5, 7)], true),
    ] as [([(Double, Double)], Bool)])
  func lineWithin(positions: [(Double, Double)], expected: Bool) {
    #expect(outcome("['within', \(Self.holed)]", line(positions)) == "\(expected)")
  }

  @Test("a polygon and a feature without geometry are never within")
  func nothingWithin() {
    let ring = "[\(text([(5, 5), (6, 5), (6, 6), (5, 5)]))]"
    #expect(outcome("['within', \(Self.holed)]", feature("Polygon", ring)) == "false")
    #expect(outcome("['within', \(Self.holed)]", TestFeature()) == "false")
    #expect(outcome("['distance', \(Self.holed)]", TestFeature()) == "null")
  }

  @Test(
    "polygons across the antimeridian contain points of both sides",
    arguments: [(179.0, true), (-179.0, true), (181.0, true), (-170.0, false), (0.0, false)])
  func antimeridian(longitude: Double, expected: Bool) {
    let strip =
      "{'type': 'Polygon', 'coordinates': [[[175, -5], [185, -5], [185, 5], [175, 5], [175, -5]]]}"
    #expect(outcome("['within', \(strip)]", points([(longitude, 0)])) == "\(expected)")
  }

  @Test("point tests agree with a scan of every edge")
  func bands() {
    var random = SplitMix64(seed: 7)
    for _ in 0..<40 {
      let ring = (0..<60).map { _ in
        PlanarPoint(
          (random.number(in: 0..<1) * 20).rounded(), (random.number(in: 0..<1) * 20).rounded())
      }
      let closed = ring + [ring[0]]
      let index = PolygonIndex([closed])
      for _ in 0..<50 {
        let position = PlanarPoint(
          (random.number(in: 0..<1) * 40).rounded() / 2, (random.number(in: 0..<1) * 20).rounded())
        let edges = zip(closed, closed.dropFirst()).map { PlanarEdge(from: $0, to: $1) }
        let isOnEdge = edges.contains { $0.holds(position) }
        let crossings = edges.count { $0.isCrossedByRay(from: position) }
        #expect(index.contains(position) == (!isOnEdge && !crossings.isMultiple(of: 2)))
        #expect(
          index.contains(position, onEdge: true) == (isOnEdge || !crossings.isMultiple(of: 2)))
      }
    }
  }

  /// A degree of latitude and of longitude at the equator on WGS 84, in metres.
  static let degrees = (latitude: 110_574.2756, longitude: 111_319.4908)

  @Test(
    "distance is in metres, 0 inside and on the edge, and counts from the edge of a hole inside it")
  func distances() throws {
    func distance(_ geometry: String, _ feature: TestFeature) throws -> Double {
      let compiled = try CompiledExpression.compileExpression(
        TestJSON.parse("['distance', \(geometry)]"), for: .any)
      return compiled.number(EvaluationContext(zoom: 0, feature: feature))
    }
    func isNear(_ value: Double, _ expected: Double) -> Bool {
      abs(value - expected) < expected * 1e-6 + 1e-9
    }
    let point = "{'type': 'Point', 'coordinates': [1, 0]}"
    let line = "{'type': 'LineString', 'coordinates': [[0, 2], [4, 2]]}"
    let here = points([(0, 0)])
    #expect(isNear(try distance(point, here), Self.degrees.longitude))
    #expect(isNear(try distance(line, here), 2 * Self.degrees.latitude))
    #expect(try distance(line, self.line([(2, 0), (2, 3)])) == 0)
    #expect(try distance(Self.holed, points([(1, 1)])) == 0)
    #expect(try distance(Self.holed, points([(0, 5)])) == 0)
    #expect(isNear(try distance(Self.holed, points([(9, 0)])), Self.degrees.longitude))
    let inHole = try distance(Self.holed, points([(3, 2.5)]))
    #expect(inHole > 0 && inHole < 0.6 * Self.degrees.longitude)
    let near = "{'type': 'Point', 'coordinates': [-179.5, 0]}"
    #expect(isNear(try distance(near, points([(179.5, 0)])), Self.degrees.longitude))
    let both = """
      {'type': 'FeatureCollection', 'features': [{'type': 'Feature', 'geometry': \(line)},
       {'type': 'Feature', 'geometry': \(point)}, {'type': 'Feature', 'geometry': null}]}
      """
    #expect(isNear(try distance(both, here), Self.degrees.longitude))
  }

  @Test("the runs of long shapes omit nothing nearer")
  func runs() {
    var random = SplitMix64(seed: 11)
    let ruler = CheapRuler(latitude: 40)
    for _ in 0..<30 {
      func walk(_ count: Int) -> [PlanarPoint] {
        var position = PlanarPoint(
          random.number(in: 0..<1) * 360 - 180, 40 + random.number(in: 0..<1) * 10)
        return (0..<count).map { _ in
          position += PlanarPoint(random.number(in: 0..<1) - 0.5, random.number(in: 0..<1) - 0.5)
          return position
        }
      }
      let (first, second) = (walk(90), walk(120))
      var least = Double.infinity
      for point in first {
        for other in second { least = min(least, ruler.length(point - other)) }
      }
      let measured = MeasuredShape(.points(first)).distance(
        to: MeasuredShape(.points(second)), ruler, below: .infinity)
      #expect(abs(measured - least) <= least * 1e-9)
    }
  }

  @Test(
    "a geometry argument that is not GeoJSON is refused",
    arguments: [
      ("['within']", ": 'within' expression requires exactly one argument, but found 0 instead."),
      (
        "['distance', 1, 2]",
        ": 'distance' expression requires exactly one argument, but found 2 instead."
      ),
      (
        "['within', {'type': 'Point', 'coordinates': [1, 2]}]",
        ": 'within' expression requires valid"
      ),
      (
        "['distance', {'type': 'Blob', 'coordinates': []}]",
        ": 'distance' expression requires valid"
      ),
      (
        "['distance', {'type': 'Point', 'coordinates': ['a', 2]}]",
        ": 'distance' expression requires"
      ),
      ("['distance', null]", ": 'distance' expression requires valid"),
    ])
  func refused(expression: String, expected: String) {
    #expect(outcome(expression).hasPrefix(expected))
  }

  @Test("a geometry argument with too many positions is refused")
  func limit() {
    let many = String(repeating: "[0, 0], ", count: GeometryArgument.positionLimit) + "[0, 0]"
    let expression = "['distance', {'type': 'MultiPoint', 'coordinates': [\(many)]}]"
    #expect(outcome(expression).contains("takes at most 65536 positions, but found 65537."))
  }

  @Test("a compiled expression knows whether it reads the geometry")
  func uses() throws {
    let expression = try CompiledExpression.compile(
      TestJSON.parse("['case', ['within', \(Self.holed)], 1, 2]"), for: .number)
    #expect(expression.usesGeometry && !expression.isFeatureConstant && expression.isZoomConstant)
    #expect(
      try !CompiledExpression.compile(TestJSON.parse("['get', 'a']"), for: .number).usesGeometry)
    #expect(try CompiledFilter.compile(TestJSON.parse("['within', \(Self.holed)]")).usesGeometry)
  }
}
