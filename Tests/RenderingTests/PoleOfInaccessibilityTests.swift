import TestSupport
import Testing

@testable import Scenes

@Suite("The pole of inaccessibility")
struct PoleOfInaccessibilityTests {
  private func found(_ rings: [[(Double, Double)]]) -> WorldPlace? {
    PoleOfInaccessibility(
      rings: rings.map { ring in
        ArraySlice(ring.map { WorldPlace(x: 0.5 + $0.0 / 1000, y: 0.5 + $0.1 / 1000) })
      }
    ).pole.map { WorldPlace(x: ($0.x - 0.5) * 1000, y: ($0.y - 0.5) * 1000) }
  }

  @Test("the pole of inaccessibility of a square is its centre, closed or not")
  func square() throws {
    let open = [(0.0, 0.0), (8, 0), (8, 8), (0, 8)]
    for ring in [open, open + [(0, 0)], open.reversed()] {
      let pole = try #require(found([ring]))
      #expect(abs(pole.x - 4) < 1e-9 && abs(pole.y - 4) < 1e-9)
    }
  }

  @Test("the pole of inaccessibility of a U is in the thicker leg, not in the gap")
  func letterU() throws {
    let pole = try #require(
      found([[(0, 0), (2, 0), (2, 9), (8, 9), (8, 0), (12, 0), (12, 10), (0, 10)]]))
    #expect(pole.x > 9 && pole.x < 11 && pole.y > 1.9 && pole.y < 9)
  }

  @Test("the pole of inaccessibility avoids holes")
  func hole() throws {
    let pole = try #require(
      found([[(0, 0), (20, 0), (20, 10), (0, 10)], [(2, 2), (10, 2), (10, 8), (2, 8)]]))
    #expect(abs(pole.x - 15) < 0.1 && abs(pole.y - 5) < 0.1)
  }

  @Test("the pole of inaccessibility of a shape without area is its middle, and of nothing nil")
  func degenerate() throws {
    #expect(found([]) == nil)
    #expect(found([[]]) == nil)
    let line = try #require(found([[(0, 0), (4, 0), (0, 0)]]))
    #expect(abs(line.x - 2) < 1e-9 && line.y == 0)
    let sliver = try #require(found([[(0, 0), (400, 0), (400, 0.001), (0, 0.001)]]))
    #expect(sliver.x >= 0 && sliver.x <= 400 && sliver.y >= 0 && sliver.y <= 0.001)
  }

  @Test("the pole of inaccessibility is farthest from the outline, to 1/128 of the shorter side")
  func bruteForce() throws {
    var random = SplitMix64(seed: 3)
    for _ in 0..<20 {
      let ring = (0..<14).map { corner in
        let reach = random.number(in: 10..<100)
        let (cosine, sine) = Self.circle[corner]
        return (reach * cosine, reach * sine)
      }
      let pole = try #require(found([ring]))
      var best = 0.0
      for x in stride(from: -100.0, through: 100, by: 2) {
        for y in stride(from: -100.0, through: 100, by: 2) {
          best = max(best, distance(x, y, ring))
        }
      }
      #expect(distance(pole.x, pole.y, ring) >= best - 200.0 / 128)
    }
  }

  /// Fourteen directions round a circle, as ratios of whole numbers.
  private static let circle: [(Double, Double)] = [
    (1, 0), (0.9, 0.43), (0.62, 0.78), (0.22, 0.97), (-0.22, 0.97), (-0.62, 0.78), (-0.9, 0.43),
    (-1, 0), (-0.9, -0.43), (-0.62, -0.78), (-0.22, -0.97), (0.22, -0.97), (0.62, -0.78),
    (0.9, -0.43),
  ]

  /// How deep a point lies inside of a ring; 0 outside.
  private func distance(_ x: Double, _ y: Double, _ ring: [(Double, Double)]) -> Double {
    var isInside = false
    var least = Double.infinity
    for (a, b) in zip(ring, ring.dropFirst() + [ring[0]]) {
      if (a.1 > y) != (b.1 > y), x < (b.0 - a.0) * (y - a.1) / (b.1 - a.1) + a.0 {
        isInside.toggle()
      }
      let (dx, dy) = (b.0 - a.0, b.1 - a.1)
      let share = min(max(((x - a.0) * dx + (y - a.1) * dy) / (dx * dx + dy * dy), 0), 1)
      let (right, down) = (a.0 + share * dx - x, a.1 + share * dy - y)
      least = min(least, (right * right + down * down).squareRoot())
    }
    return isInside ? least : 0
  }
}
