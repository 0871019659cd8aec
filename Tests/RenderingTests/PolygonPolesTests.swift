import Features
import TestSupport
import Testing
import Tiling

@testable import Scenes
@testable import Styling

@Suite("Cached poles of inaccessibility")
struct PolygonPolesTests {
  /// Polygons of five corners, every third with a hole, every seventh record with two of them, and
  /// a line between.
  private static func shapes(seed: UInt64, count: Int) -> [SampleShape] {
    var random = SplitMix64(seed: seed)
    func ring(_ x: Double, _ y: Double, _ reach: Double) -> [LngLat] {
      [(-1.0, -1.0), (1, -1), (1.5, 0), (1, 1), (-1, 1)].map {
        LngLat(longitude: x + $0.0 * reach, latitude: y + $0.1 * reach)
      }
    }
    return (0..<count).map { index in
      let x = random.number(in: -170..<170)
      let y = random.number(in: -70..<70)
      let reach = random.number(in: 0.1..<2)
      var parts: [(GeometryColumn.Part, [LngLat])] = [(.outerRing, ring(x, y, reach))]
      if index % 3 == 0 { parts.append((.innerRing, ring(x, y, reach / 3))) }
      if index % 7 == 0 { parts.append((.outerRing, ring(-x, y, reach))) }
      if index % 5 == 0 { parts.append((.line, ring(x, y, reach))) }
      return SampleShape(kind: .collection, parts: parts)
    }
  }

  private static func found(
    _ shapes: [SampleShape], known: PolygonPoles = PolygonPoles(), threads: Int = 1
  ) -> SymbolShapes {
    SymbolShapes(.sample(shapes), findsPoles: true, known: known, threads: threads)
  }

  private static func labels(_ shapes: SymbolShapes) -> [[WorldPlace]] {
    (0..<shapes.count).map { shapes.labelPlaces(of: $0) }
  }

  @Test(
    "cached poles are reused and missing ones computed, whatever comes before them",
    arguments: [1, 3])
  func edits(threads: Int) {
    var shapes = Self.shapes(seed: 5, count: 400)
    let known = Self.found(shapes).poles
    #expect(known.count == 400 + 58)
    shapes.removeSubrange(20..<30)
    shapes.insert(contentsOf: Self.shapes(seed: 6, count: 3), at: 100)
    let plain = Self.found(shapes)
    let again = Self.found(shapes, known: known, threads: threads)
    #expect(Self.labels(again) == Self.labels(plain))
    #expect(again.poles.polygons == plain.poles.polygons)
    // Three records, of which the first has two polygons.
    #expect(again.foundPoles == 4)
    #expect(plain.foundPoles == plain.poles.count)
    #expect(Self.found(shapes, known: again.poles).foundPoles == 0)
  }

  @Test("a cached pole is not reused if any vertex, ring end or hole differs")
  func hashes() {
    let corners = [(0.0, 0.0), (4, 0), (4, 4), (0, 4), (0, 0)].map {
      LngLat(longitude: $0.0, latitude: $0.1)
    }
    var moved = corners
    moved[2] = LngLat(longitude: 4, latitude: 4.000001)
    let lists: [[(GeometryColumn.Part, [LngLat])]] = [
      [(.outerRing, corners)], [(.outerRing, moved)], [(.outerRing, corners.dropLast())],
      [(.outerRing, corners), (.innerRing, corners)],
      [(.outerRing, Array(corners.prefix(3))), (.innerRing, Array(corners.suffix(2)))],
    ]
    let poles = Self.found(lists.map { SampleShape(kind: .polygon, parts: $0) }).poles
    #expect(Set(poles.polygons).count == lists.count)
  }

  @Test("cached poles are rejected if there are more polygons than positions")
  func lengths() {
    #expect(PolygonPoles(polygons: [StableHash()], places: []) == nil)
  }
}
