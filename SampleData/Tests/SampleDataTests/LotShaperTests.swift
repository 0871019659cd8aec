import Testing

@testable import sample_data

@Suite struct LotShaperTests {
  /// A plan's pieces in feet, as lot, west, south, east, north.
  private func shapes(
    _ pieces: [(Int, Double, Double, Double, Double)], cuts: [Cut] = []
  ) -> [LotShape] {
    let pieces = pieces.map {
      LotPiece(lot: $0.0, west: feet($0.1), south: feet($0.2), east: feet($0.3), north: feet($0.4))
    }
    let lots = (pieces.map(\.lot).max() ?? -1) + 1
    return LotShaper.shapes(of: pieces, lots: lots, cuts: cuts)
  }

  private func cut(_ start: (Double, Double), _ end: (Double, Double)) -> Cut {
    Cut(
      start: PlanePoint(x: feet(start.0), y: feet(start.1)),
      end: PlanePoint(x: feet(end.0), y: feet(end.1)))
  }

  @Test func `pieces of one lot become an L of six corners`() {
    let shapes = shapes([(0, 0, 0, 25, 100), (0, 25, 60, 50, 100)])
    #expect(shapes.count == 1)
    #expect(shapes[0].polygons.map { $0.map(\.count) } == [[6]])
    #expect(shapes[0].doubleArea == 2 * (2_500 + 1_000) * 10_000)
  }

  @Test func `a ring of pieces encloses a court, clockwise`() {
    let steps: [(Double, Double)] = [(0, 50), (50, 100), (100, 150)]
    let pieces = steps.enumerated().flatMap { row, y in
      steps.enumerated().filter { row != 1 || $0.offset != 1 }.map { _, x in
        (0, x.0, y.0, x.1, y.1)
      }
    }
    let shapes = shapes(pieces)
    #expect(shapes[0].polygons.map { $0.map(\.count) } == [[4, 4]])
    #expect(shapes[0].polygons[0].map { LotShape.doubleArea($0) / 20_000 } == [22_500, -2_500])
  }

  @Test func `parts that do not touch, or touch in a corner, are polygons of their own`() {
    let apart = shapes([(0, 0, 0, 25, 100), (0, 50, 0, 75, 100)])
    #expect(apart[0].polygons.map { $0.map(\.count) } == [[4], [4]])
    let corner = shapes([(0, 0, 0, 50, 50), (0, 50, 50, 100, 100)])
    #expect(corner[0].polygons.map { $0.map(\.count) } == [[4], [4]])
  }

  @Test func `a neighbour's corner stands on the edge that it touches`() {
    let shapes = shapes([(0, 0, 0, 100, 100), (1, 0, 100, 40, 200), (2, 40, 100, 100, 200)])
    #expect(shapes[0].polygons[0][0].contains(PlanePoint(x: feet(40), y: feet(100))))
    #expect(shapes.map { $0.polygons[0][0].count } == [5, 4, 4])
  }

  @Test func `a slanted cut gives both neighbours the same corner`() {
    let shapes = shapes(
      [(0, 0, 0, 33, 100), (1, 33, 0, 77, 100)], cuts: [cut((100, 31), (-1, 87))].map(\.reversed))
    let shared = Set(shapes[0].polygons[0][0]).intersection(shapes[1].polygons[0][0])
    #expect(shared.count == 2)
    #expect(shared.allSatisfy { $0.x == feet(33) })
  }

  @Test func `what a cut leaves of less than 500 square feet is nobody's`() {
    let pieces = [(0, 0.0, 0.0, 25.0, 100.0), (1, 25.0, 0.0, 50.0, 100.0)]
    let left = shapes(pieces, cuts: [cut((44, 0), (44, 100))])
    #expect(left.map { $0.doubleArea / 20_000 } == [2_500, 1_900])
    let strip = shapes(pieces, cuts: [cut((44, 100), (44, 0))])
    #expect(strip.map(\.polygons.count) == [0, 1])
    let little = shapes(pieces, cuts: [cut((46, 100), (46, 0))])
    #expect(little.map(\.polygons.count) == [0, 0])
  }

  @Test func `a court that a cut opens in a corner is a hole or none, and no ring repeats a point`()
  {
    var random = RandomNumbers(seed: 7)
    for _ in 0..<200 {
      let steps: [(Double, Double)] = [(0, 60), (60, 140), (140, 200)]
      let pieces = steps.enumerated().flatMap { row, y in
        steps.enumerated().filter { row != 1 || $0.offset != 1 }.map { _, x in
          (0, x.0, y.0, x.1, y.1)
        }
      }
      let ends = (Double(random.below(200)), Double(random.below(200)))
      let shape = shapes(pieces, cuts: [cut((ends.0, 0), (ends.1, 200))])[0]
      for ring in shape.polygons.joined() {
        #expect(Set(ring).count == ring.count)
      }
      for rings in shape.polygons {
        #expect(LotShape.doubleArea(rings[0]) > 0)
        #expect(rings.dropFirst().allSatisfy { LotShape.doubleArea($0) < 0 })
      }
    }
  }
}

extension Cut {
  /// The cut that keeps the other side.
  fileprivate var reversed: Cut { Cut(start: end, end: start) }
}
