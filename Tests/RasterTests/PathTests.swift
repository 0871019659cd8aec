import TestSupport
import Testing

@testable import Raster

@Suite("Path")
struct PathTests {
  @Test("a path moved by any distance has the same vertices moved")
  func movedShapes() {
    for seed in 0..<50 {
      let dx = Int32(truncatingIfNeeded: seed * 7919 - 100_000)
      let dy = Int32(truncatingIfNeeded: seed * -104_729 + 33)
      var here = SplitMix64(seed: UInt64(seed))
      var there = here
      var path = Path()
      var moved = Path()
      func pick(_ random: inout SplitMix64) -> Int32 {
        Int32.random(in: -9000...9000, using: &random)
      }
      path.move(toX: pick(&here), y: pick(&here))
      moved.move(toX: pick(&there) + dx, y: pick(&there) + dy)
      for _ in 0..<5 {
        path.addQuad(
          controlX: pick(&here), controlY: pick(&here), toX: pick(&here), y: pick(&here))
        moved.addQuad(
          controlX: pick(&there) + dx, controlY: pick(&there) + dy, toX: pick(&there) + dx,
          y: pick(&there) + dy)
        path.addCubic(
          control1X: pick(&here), control1Y: pick(&here), control2X: pick(&here),
          control2Y: pick(&here), toX: pick(&here), y: pick(&here))
        moved.addCubic(
          control1X: pick(&there) + dx, control1Y: pick(&there) + dy,
          control2X: pick(&there) + dx, control2Y: pick(&there) + dy,
          toX: pick(&there) + dx, y: pick(&there) + dy)
      }
      #expect(path.translated(dx: dx, dy: dy) == moved)
    }
  }

  @Test(
    "a flattened curve deviates by at most 1/512 px and its vertices' rounding",
    arguments: [40, 700, 9000, 200_000] as [Int32])
  func flatness(size: Int32) {
    var path = Path()
    path.move(toX: 0, y: 0)
    path.addQuad(controlX: size, controlY: size / 3, toX: size / 2, y: size)
    // The true curve, sampled: no sample may be far from every chord.
    var worst = 0.0
    for step in 0...2000 {
      let t = Double(step) / 2000
      let x = 2 * t * (1 - t) * Double(size) + t * t * Double(size / 2)
      let y = 2 * t * (1 - t) * Double(size / 3) + t * t * Double(size)
      let nearest = zip(path.points, path.points.dropFirst()).map {
        distance(x, y, from: $0, to: $1)
      }.min()
      worst = max(worst, nearest ?? .infinity)
    }
    #expect(worst <= 0.5 + 0.7072)
    #expect(path.points.count < 2000)
  }

  @Test(
    "a circle has four axes of symmetry and the area of the circle", arguments: [0.4, 3, 25.25])
  func circle(radius: Double) {
    let path = Path.circle(centerX: 0, centerY: 0, radius: radius)
    let vertices = Set(path.points)
    #expect(vertices.count == path.points.count)
    #expect(vertices == Set(path.points.map { Path.Point(x: -$0.x, y: $0.y) }))
    #expect(vertices == Set(path.points.map { Path.Point(x: $0.y, y: $0.x) }))
    let area = abs(doubleArea(of: path)) / 2 / 65536
    #expect(abs(area - .pi * radius * radius) < 0.004 * 2 * .pi * radius)
  }

  @Test("a circle without a positive radius is empty", arguments: [0, -1, -Double.infinity, .nan])
  func noCircle(radius: Double) {
    #expect(Path.circle(centerX: 5, centerY: 5, radius: radius).isEmpty)
  }

  @Test("edges after a close start where the contour started, and a lone move is dropped")
  func contours() {
    var path = Path()
    path.move(toX: 1, y: 1)
    path.move(toX: 10, y: 10)
    path.addLine(toX: 20, y: 10)
    path.addLine(toX: 20, y: 20)
    path.addLine(toX: 10, y: 10)
    path.close()
    path.addLine(toX: 0, y: 99)
    #expect(path.contourStarts == [0, 3])
    #expect(path.points[3] == Path.Point(x: 10, y: 10))
    #expect(path.points.count == 5)
  }

  @Test("path coordinates are clamped to the limit")
  func limits() {
    var path = Path()
    path.move(toX: .min, y: .max)
    path.addLine(toX: .max, y: .min)
    let box = path.translated(dx: .max, dy: .min).bounds
    #expect(box?.minX == Path.limit - 1 && box?.maxX == Path.limit)
    #expect(box?.minY == -Path.limit && box?.maxY == -Path.limit)
  }

  private func distance(_ x: Double, _ y: Double, from a: Path.Point, to b: Path.Point) -> Double {
    let (ax, ay) = (Double(a.x), Double(a.y))
    let (dx, dy) = (Double(b.x) - ax, Double(b.y) - ay)
    let t = min(max(((x - ax) * dx + (y - ay) * dy) / (dx * dx + dy * dy), 0), 1)
    let (ex, ey) = (x - ax - t * dx, y - ay - t * dy)
    return (ex * ex + ey * ey).squareRoot()
  }

  private func doubleArea(of path: Path) -> Double {
    var sum = 0.0
    for (index, start) in path.contourStarts.enumerated() {
      let end =
        index + 1 < path.contourStarts.count ? path.contourStarts[index + 1] : path.points.count
      for vertex in start..<end {
        let a = path.points[vertex]
        let b = path.points[vertex + 1 < end ? vertex + 1 : start]
        sum += Double(a.x) * Double(b.y) - Double(b.x) * Double(a.y)
      }
    }
    return sum
  }
}
