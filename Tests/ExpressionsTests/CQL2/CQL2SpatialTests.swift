import Expressions
import Features
import TestSupport
import Testing
import Tiling

@Suite struct CQL2SpatialTests {
  private static let square: RecordGeometry = .polygon([0, 0, 4, 0, 4, 4, 0, 4, 0, 0])
  private static let ring: RecordGeometry = .shape(
    .polygon,
    [(.outerRing, [0, 0, 4, 0, 4, 4, 0, 4, 0, 0]), (.innerRing, [1, 1, 1, 3, 3, 3, 3, 1, 1, 1])])
  private static let line: RecordGeometry = .shape(.lineString, [(.line, [0, 0, 4, 0, 4, 4])])
  private static let pointAndLine: RecordGeometry = .shape(
    .collection, [(.point, [2, 2]), (.line, [5, 0, 5, 5])])

  @Test(
    "boundaries belong to geometries, but a geometry on a boundary is not within",
    arguments: [
      (RecordGeometry.point(2, 2), "POLYGON((0 0, 4 0, 4 4, 0 4, 0 0))", "IW"),
      (.point(4, 2), "POLYGON((0 0, 4 0, 4 4, 0 4, 0 0))", "I"),
      (.point(4, 4), "BBOX(0, 0, 4, 4)", "I"), (.point(4.5, 2), "BBOX(0, 0, 4, 4)", ""),
      (.point(2, 2), "POLYGON((0 0, 4 0, 4 4, 0 4, 0 0), (1 1, 3 1, 3 3, 1 3, 1 1))", ""),
      (.point(1, 2), "POLYGON((0 0, 4 0, 4 4, 0 4, 0 0), (1 1, 3 1, 3 3, 1 3, 1 1))", "I"),
      (.point(2, 2), "POINT(2 2)", "IWCE"), (.point(2, 2), "POINT Z (2 2 9)", "IWCE"),
      (.point(2, 2), "MULTIPOINT(1 1, (2 2))", "IW"),
      (
        .points([LngLat(longitude: 1, latitude: 1), LngLat(longitude: 9, latitude: 9)]),
        "BBOX(0, 0, 4, 4)", "I"
      ),
      (
        .points([LngLat(longitude: 4, latitude: 1), LngLat(longitude: 2, latitude: 2)]),
        "BBOX(0, 0, 4, 4)", "IW"
      ),
      (.point(2, 1), "LINESTRING(0 0, 4 2)", "IW"), (.point(4, 2), "LINESTRING(0 0, 4 2)", "I"),
      (.point(0, 0), "LINESTRING(0 0, 4 0, 4 4, 0 0)", "IW"),
      (.point(0, 0), "MULTILINESTRING((0 0, 4 2), (0 0, -4 2))", "IW"),
      (square, "BBOX(0, 0, 4, 4)", "IWCE"), (square, "BBOX(-1, -1, 5, 5)", "IW"),
      (square, "BBOX(1, 1, 2, 2)", "IC"), (square, "BBOX(0, 1, 2, 2)", "IC"),
      (square, "BBOX(4, 0, 8, 4)", "I"), (square, "BBOX(4, 4, 8, 8)", "I"),
      (square, "BBOX(5, 5, 8, 8)", ""), (square, "BBOX(3, -1, 8, 8)", "I"),
      (square, "POINT(0 2)", "I"), (square, "POINT(1 2)", "IC"),
      (square, "LINESTRING(0 0, 4 0)", "I"), (square, "LINESTRING(0 0, 4 0, 4 1, 0 1)", "IC"),
      (square, "LINESTRING(0 2, 4 2)", "IC"), (square, "LINESTRING(-1 2, 5 2)", "I"),
      (square, "POLYGON((4 0, 4 4, 0 4, 0 0, 4 0))", "IWCE"),
      (square, "POLYGON((0 0, 2 0, 4 0, 4 4, 0 4, 0 3, 0 0))", "IWCE"),
      (square, "MULTIPOLYGON(((0 0, 4 0, 4 4, 0 4, 0 0)), ((9 9, 10 9, 10 10, 9 9)))", "IW"),
      (ring, "BBOX(1, 1, 3, 3)", "I"), (ring, "BBOX(1.5, 1.5, 2.5, 2.5)", ""),
      (ring, "BBOX(0, 0, 4, 4)", "IW"), (ring, "BBOX(0, 0, 1, 1)", "IC"),
      (ring, "POINT(2 2)", ""), (ring, "LINESTRING(0 2, 4 2)", "I"),
      (ring, "LINESTRING(0 0, 1 1, 1 3, 0 4)", "IC"), (ring, "LINESTRING(1 1, 1 3)", "I"),
      (square, "POLYGON((0 0, 4 0, 4 4, 0 4, 0 0), (1 1, 3 1, 3 3, 1 3, 1 1))", "IC"),
      (line, "BBOX(0, 0, 4, 4)", "I"), (line, "BBOX(-1, 0, 4, 4)", "I"),
      (line, "BBOX(-1, -1, 4, 4)", "IW"), (line, "BBOX(3, 1, 8, 2)", "I"),
      (line, "LINESTRING(4 4, 4 0, 2 0, 0 0)", "IWCE"), (line, "LINESTRING(1 0, 3 0)", "IC"),
      (line, "MULTILINESTRING((-1 0, 5 0), (4 -2, 4 9))", "IW"),
      (line, "MULTILINESTRING((-1 0, 5 0), (4 1, 4 9))", "I"), (line, "POINT(0 0)", "I"),
      (line, "POINT(4 0)", "IC"), (line, "LINESTRING(2 -1, 2 1)", "I"),
      (pointAndLine, "POINT(2 2)", "IC"), (pointAndLine, "BBOX(4, 0, 6, 5)", "I"),
      (pointAndLine, "BBOX(2, 0, 6, 5)", "IW"),
      (pointAndLine, "GEOMETRYCOLLECTION(POINT(2 2), LINESTRING(5 5, 5 0))", "IWCE"),
      (pointAndLine, "GEOMETRYCOLLECTION(BBOX(1, 1, 3, 3), LINESTRING(5 -1, 5 9))", "IW"),
      (
        .shape(.polygon, [(.outerRing, [0, 0, 4, 0, 4, 4])]), "POLYGON((0 0, 4 4, 4 0, 0 0))",
        "IWCE"
      ),
      (.point(2, 2), "BBOX(2, 2, 2, 2)", "IWCE"), (.point(2, 3), "BBOX(2, 2, 2, 4)", "IW"),
      (.point(2, 2), "BBOX(0, 0, -5, 4, 4, 5)", "IW"),
    ])
  func relations(geometry: RecordGeometry, text: String, holding: String) throws {
    let record = CQL2Record(at: geometry)
    for (name, letter) in [
      ("S_INTERSECTS", "I"), ("S_WITHIN", "W"), ("S_CONTAINS", "C"), ("S_EQUALS", "E"),
    ] {
      let truth = holding.contains(letter) ? "T" : "F"
      #expect(try record.truth(of: "\(name)(geometry, \(text))") == truth, "\(name) \(text)")
    }
    let isApart = holding.contains("I") ? "F" : "T"
    #expect(try record.truth(of: "s_disjoint(geom, \(text))") == isApart)
    // With its operands changed, each relation is its own inverse.
    #expect(try record.truth(of: "S_CONTAINS(\(text), x)") == (holding.contains("W") ? "T" : "F"))
    #expect(try record.truth(of: "S_WITHIN(\(text), \"x\")") == (holding.contains("C") ? "T" : "F"))
  }

  @Test("a record without geometry has no spatial relation, not even disjoint")
  func noGeometry() throws {
    for geometry in [
      RecordGeometry.none, .points([]), .shape(.none, []), .shape(.collection, []),
    ] {
      let record = CQL2Record(at: geometry)
      for name in ["S_INTERSECTS", "S_WITHIN", "S_CONTAINS", "S_EQUALS", "S_DISJOINT"] {
        #expect(try record.truth(of: "\(name)(geometry, BBOX(-180, -90, 180, 90))") == "U")
      }
      #expect(try record.truth(of: "geometry IS NULL") == "T")
      #expect(try record.truth(of: "geom IS NOT NULL") == "F")
    }
    #expect(try CQL2Record(at: .point(1, 2)).truth(of: "GEOMETRY IS NULL") == "F")
    let filter = try CompiledFilter.compile(cql2: "S_INTERSECTS(geometry, POINT(0 0))")
    #expect(!filter.matches(EvaluationContext(zoom: 0)))
  }

  @Test(
    "a box whose west is greater than its east crosses the antimeridian",
    arguments: [
      (RecordGeometry.point(175, 0), "T", "T"), (.point(-175, 0), "T", "T"),
      (.point(185, 0), "T", "T"), (.point(-185, 0), "T", "T"), (.point(180, 0), "T", "T"),
      (.point(-180, 0), "T", "T"), (.point(170, 0), "T", "F"), (.point(-170, 0), "T", "F"),
      (.point(0, 0), "F", "F"), (.point(-169.9, 0), "F", "F"), (.point(535, 0), "T", "T"),
      (.polygon([175, -5, 185, -5, 185, 5, 175, 5, 175, -5]), "T", "T"),
      (.polygon([-185, -5, -175, -5, -175, 5, -185, 5, -185, -5]), "T", "T"),
      (.polygon([165, -5, 185, -5, 185, 5, 165, 5, 165, -5]), "T", "F"),
      // Split at the antimeridian, as RFC 7946 asks.
      (
        .shape(
          .multiPolygon,
          [
            (.outerRing, [175, -5, 180, -5, 180, 5, 175, 5, 175, -5]),
            (.outerRing, [-180, -5, -175, -5, -175, 5, -180, 5, -180, -5]),
          ]), "T", "T"
      ),
      (.polygon([-5, -5, 5, -5, 5, 5, -5, 5, -5, -5]), "F", "F"),
    ])
  func antimeridian(geometry: RecordGeometry, intersects: String, isWithin: String) throws {
    let record = CQL2Record(at: geometry)
    let box = "BBOX(170, -10, -170, 10)"
    #expect(try record.truth(of: "S_INTERSECTS(geometry, \(box))") == intersects)
    #expect(try record.truth(of: "S_WITHIN(geometry, \(box))") == isWithin)
  }

  @Test("relations of random geometries are those of the cells that they cover")
  func bruteForce() throws {
    var random = SplitMix64(seed: 31)
    var counts = [Int](repeating: 0, count: 4)
    for round in 0..<2000 {
      let first = LatticeGeometry.random(using: &random)
      var second = LatticeGeometry.random(using: &random)
      if round % 16 == 0 { second = first }
      if round % 8 == 1, let hole = first.hole { second = hole }
      // A shear by whole numbers keeps positions exact and makes the edges oblique.
      let isSheared = round.isMultiple(of: 2)
      let record = CQL2Record(at: first.record(isSheared: isSheared))
      let text = second.text(isSheared: isSheared)
      let expected = [
        first.intersects(second), first.isWithin(second), second.isWithin(first),
        first.isEqual(to: second),
      ]
      for (index, name) in ["S_INTERSECTS", "S_WITHIN", "S_CONTAINS", "S_EQUALS"].enumerated() {
        let filter = try CompiledFilter.compile(cql2: "\(name)(geometry, \(text))")
        #expect(record.passes(filter) == expected[index], "\(name) \(first) \(text)")
        if expected[index] { counts[index] += 1 }
      }
    }
    #expect(counts.allSatisfy { $0 > 20 }, "\(counts)")
  }

  @Test("the bands of a large polygon find what a scan of all edges finds")
  func bands() throws {
    var random = SplitMix64(seed: 5)
    // A star of 400 corners around 0, 0.
    var corners: [LngLat] = []
    for index in 0..<400 {
      let radius = Double.random(in: 10...20, using: &random)
      // Rational points of a circle by half the tangent, so that no library function is needed.
      let slope = (Double(index % 100) - 50) / 50
      let denominator = 1 + slope * slope
      var unit = (x: (1 - slope * slope) / denominator, y: 2 * slope / denominator)
      for _ in 0..<(index / 100) { unit = (x: -unit.y, y: unit.x) }
      corners.append(LngLat(longitude: unit.x * radius, latitude: unit.y * radius))
    }
    corners.append(corners[0])
    let text =
      "POLYGON((" + corners.map { "\($0.longitude) \($0.latitude)" }.joined(separator: ",")
      + "))"
    let filter = try CompiledFilter.compile(cql2: "S_INTERSECTS(geometry, \(text))")
    let ring = corners.flatMap { [$0.longitude, $0.latitude] }
    for _ in 0..<2000 {
      let x = Double.random(in: -21...21, using: &random)
      let y = Double.random(in: -21...21, using: &random)
      let opposite = try CompiledFilter.compile(cql2: "S_INTERSECTS(geometry, POINT(\(x) \(y)))")
      #expect(
        CQL2Record(at: .point(x, y)).passes(filter)
          == CQL2Record(at: .polygon(ring)).passes(opposite))
    }
    for corner in corners {
      #expect(CQL2Record(at: .points([corner])).passes(filter))
    }
  }
}
