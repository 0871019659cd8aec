import TestSupport
import Testing

@testable import Expressions

@Suite struct PlanarOrientationTests {
  /// A position on a lattice of 2⁻²⁰ degrees, so that Int128 computes what is exact.
  private func position(_ x: Int, _ y: Int) -> PlanarPoint {
    PlanarPoint(Double(x) / 1_048_576, Double(y) / 1_048_576)
  }

  private func sign(_ a: (Int, Int), _ b: (Int, Int), _ c: (Int, Int)) -> Int128 {
    Int128(a.0 - c.0) * Int128(b.1 - c.1) - Int128(a.1 - c.1) * Int128(b.0 - c.0)
  }

  @Test("orientation is exact for nearly collinear positions")
  func nearlyCollinear() {
    var random = SplitMix64(seed: 17)
    var zeros = 0
    for _ in 0..<20_000 {
      func number() -> Int { Int.random(in: -(1 << 48)...(1 << 48), using: &random) }
      let a = (number(), number())
      let step = (Int.random(in: -9999...9999, using: &random), number() >> 34)
      let b = (a.0 + step.0 * 4096, a.1 + step.1 * 4096)
      let length = Int.random(in: -8000...8000, using: &random)
      let c = (
        a.0 + step.0 * length + Int.random(in: -1...1, using: &random),
        a.1 + step.1 * length + Int.random(in: -1...1, using: &random)
      )
      let d = (c.0 - step.0 * 77, c.1 - step.1 * 77 + Int.random(in: -1...1, using: &random))
      let exact = sign(a, b, c)
      if exact == 0 { zeros += 1 }
      let places = [a, b, c, d].map { position($0.0, $0.1) }
      let found = PlanarOrientation.sign(places[0], places[1], places[2])
      #expect(found == exact.signum())
      #expect(PlanarOrientation.sign(places[1], places[0], places[2]) == -found)
      #expect(PlanarOrientation.sign(places[1], places[2], places[0]) == found)
      let middle = PlanarOrientation.signOfMiddle(places[0], places[1], places[2], places[3])
      #expect(middle == (exact + sign(a, b, d)).signum())
    }
    #expect(zeros > 500)
  }

  @Test("the middle of two latitudes is compared without rounding")
  func middles() {
    for (first, second, third, isBelow) in [
      (1.0, 2.0, 1.5, false), (1.0, 2.0, 1.5.nextUp, true), (1.0, 1.0.nextUp, 1.0, false),
      (1.0, 1.0.nextUp, 1.0.nextUp, true), (1.0, 1e-20, 0.5, false), (1.0, -1e-20, 0.5, true),
      (1e20, 1, 5e19, false), (-1, 1, 0, false), (-1, 1, 1e-300, true),
    ] {
      #expect(PlanarOrientation.isMiddle(of: first, second, below: third) == isBelow)
    }
  }

  @Test("edges meet, cross or are disjoint, in whatever order their ends are given")
  func meetings() {
    typealias Ends = (Double, Double, Double, Double)
    let table: [(Ends, Ends, PlanarEdge.Meeting)] = [
      ((0, 0, 4, 4), (0, 4, 4, 0), .crossing), ((0, 0, 4, 4), (4, 4, 8, 0), .touching),
      ((0, 0, 4, 4), (2, 2, 8, 0), .touching), ((0, 0, 4, 4), (5, 5, 8, 8), .apart),
      ((0, 0, 4, 4), (4, 4, 8, 8), .touching), ((0, 0, 4, 4), (1, 1, 8, 8), .touching),
      ((0, 0, 4, 4), (1, 1, 2, 2), .touching), ((0, 0, 4, 0), (0, 1, 4, 1), .apart),
      ((0, 0, 4, 0), (2, 1, 2, 5), .apart), ((0, 0, 0, 4), (0, 5, 0, 9), .apart),
      ((0, 0, 4, 4), (3, 0, 9, 4), .apart),
    ]
    for (first, second, meeting) in table {
      for (left, right) in [(first, second), (second, first)] {
        let edge = PlanarEdge(
          from: PlanarPoint(left.0, left.1),
          to: PlanarPoint(left.2, left.3))
        let other = PlanarEdge(
          from: PlanarPoint(right.0, right.1),
          to: PlanarPoint(right.2, right.3))
        let reversed = PlanarEdge(from: other.to, to: other.from)
        #expect(edge.meeting(other) == meeting)
        #expect(edge.meeting(reversed) == meeting)
      }
    }
  }
}
