import TestSupport
import Testing

@testable import Raster

@Suite("Halo")
struct HaloTests {
  let rasterizer = CoverageRasterizer()

  @Test(
    "a circle's halo is the larger circle, to a few steps at the rim", arguments: [0.5, 1, 2.5])
  func circleHalo(width: Double) {
    let circle = Path.circle(centerX: 77, centerY: 130, radius: 6)
    let halo = rasterizer.halo(of: circle, width: width, blur: 0)
    let grown = rasterizer.mask(
      of: .circle(centerX: 77, centerY: 130, radius: 6 + width), rule: .nonZero)
    for row in -12...12 {
      for column in -12...12 {
        #expect(abs(Int(halo[column, row]) - Int(grown[column, row])) <= 20)
      }
    }
  }

  @Test("distances are those to the nearest edge, negative inside", arguments: 0..<10)
  func bruteForce(seed: Int) {
    var random = SplitMix64(seed: UInt64(seed) + 6000)
    let path = random.path(in: -2000...2000, edges: 4)
    var field = OutlineDistances()
    let isMeasured = field.measure(path, limit: 4)
    #expect(isMeasured)
    let fill = rasterizer.mask(of: path, rule: .nonZero)
    for row in 0..<field.height {
      for column in 0..<field.width {
        let x = field.originX + column
        let y = field.originY + row
        let expected = nearest(path, x: Double(x) * 256 + 128, y: Double(y) * 256 + 128)
        let value = field[row, column]
        if expected < 4 { #expect(abs(abs(value) - expected) < 1e-5) }
        // Well inside or outside of the outline the fill tells which.
        if expected > 1.5 { #expect((fill[x, y] == 255) == (value < 0)) }
      }
    }
  }

  @Test("blur fades a halo's rim outward and inward like MapLibre's shader")
  func blur() {
    let half = Path.rectangle(x: -40 * 256, y: -40 * 256, width: 40 * 256, height: 80 * 256)
    let halo = rasterizer.halo(of: half, width: 3, blur: 2)
    // smoothstep over ± 3.22 px around 3 px beyond the edge at x = 0.
    for column in -4...7 {
      let t = min(max((3 + 3.22 - (Double(column) + 0.5)) / 6.44, 0), 1)
      #expect(Int(halo[column, 0]) == Int((255 * t * t * (3 - 2 * t)).rounded()))
    }
  }

  @Test("a halo without width is empty", arguments: [0, -1, Double.nan])
  func noWidth(width: Double) {
    let circle = Path.circle(centerX: 0, centerY: 0, radius: 6)
    #expect(rasterizer.halo(of: circle, width: width, blur: 1).isEmpty)
    #expect(rasterizer.halo(of: Path(), width: 1, blur: 0).isEmpty)
  }

  private func nearest(_ path: Path, x: Double, y: Double) -> Double {
    var best = Double.infinity
    for (index, end) in path.points.enumerated() {
      let start = path.points[index == 0 ? path.points.count - 1 : index - 1]
      let (ax, ay) = (Double(start.x), Double(start.y))
      let (dx, dy) = (Double(end.x) - ax, Double(end.y) - ay)
      let square = dx * dx + dy * dy
      let t = square > 0 ? min(max(((x - ax) * dx + (y - ay) * dy) / square, 0), 1) : 0
      let (ex, ey) = (x - ax - t * dx, y - ay - t * dy)
      best = min(best, (ex * ex + ey * ey).squareRoot() / 256)
    }
    return best
  }
}
