import Platform
import TestSupport
import Testing

@testable import Raster

@Suite("HeatmapCanvas")
struct HeatmapCanvasTests {
  /// A point as tests make it up, its place in 1/16 px.
  struct Point {
    var x: Int
    var y: Int
    var radius: Double
    var weight: Double
  }

  /// Points in and around a square, few of them so heavy that densities reach 1.
  static func points(_ random: inout SplitMix64, count: Int, side: Int) -> [Point] {
    (0..<count).map { _ in
      Point(
        x: Int.random(in: -320..<(16 * side + 320), using: &random),
        y: Int.random(in: -320..<(16 * side + 320), using: &random),
        radius: [1, 2.5, 7, 11.3].randomElement(using: &random) ?? 1,
        weight: [0.01, 0.2, 1, 3, 40].randomElement(using: &random) ?? 1)
    }
  }

  static func canvas(_ points: [Point], width: Int, height: Int, left: Int = 0, top: Int = 0)
    -> HeatmapCanvas
  {
    let canvas = HeatmapCanvas(width: width, height: height)
    for point in points {
      canvas.add(
        x: point.x - 16 * left, y: point.y - 16 * top, radius: point.radius, weight: point.weight,
        intensity: 0.5)
    }
    return canvas
  }

  static func densities(_ canvas: HeatmapCanvas) -> [Double] {
    (0..<canvas.height).flatMap { y in
      (0..<canvas.width).map { x in canvas.density(x: x, y: y) }
    }
  }

  /// Grey of the density's index, opaque from the first step on.
  static let ramp = HeatmapRamp { density in
    PremultipliedColor(
      Color(red: density, green: density, blue: density, alpha: density > 0 ? 1 : 0))
  }

  @Test(
    "a heatmap point's density is that of MapLibre's shader at every pixel",
    arguments: [(3.0, 1.0, 1.0), (10, 0.3, 2), (6.25, 2, 0.7), (1, 1, 1)],
    [(0, 0), (8, 8), (3, 13)])
  func formula(kernel: (radius: Double, weight: Double, intensity: Double), phase: (x: Int, y: Int))
  {
    let (radius, weight, intensity) = kernel
    let canvas = HeatmapCanvas(width: 48, height: 48)
    canvas.add(
      x: 24 * 16 + phase.x, y: 24 * 16 + phase.y, radius: radius, weight: weight,
      intensity: intensity)
    let peak = weight * intensity / (2 * Double.pi).squareRoot()
    let extrusion = (-2 * log(1 / 255.0 / 16 / peak)).squareRoot() / 3
    for y in 0..<48 {
      for x in 0..<48 {
        let dx = (Double(x) + 0.5 - 24 - Double(phase.x) / 16) / radius
        let dy = (Double(y) + 0.5 - 24 - Double(phase.y) / 16) / radius
        let isInside = max(abs(dx), abs(dy)) <= extrusion
        let expected = isInside ? min(peak * exp(-4.5 * (dx * dx + dy * dy)), 1) : 0
        #expect(abs(canvas.density(x: x, y: y) - expected) < 5e-7, "\(x) \(y)")
      }
    }
  }

  @Test("the density at a heatmap point itself is weight · intensity / √(2π)")
  func center() {
    let canvas = HeatmapCanvas(width: 9, height: 9)
    canvas.add(x: 4 * 16 + 8, y: 4 * 16 + 8, radius: 3)
    #expect(abs(canvas.density(x: 4, y: 4) - 0.398_942_3) < 1e-6)
    // One radius away: exp(−4.5) of it.
    #expect(abs(canvas.density(x: 7, y: 4) - 0.398_942_3 * 0.011_109) < 1e-6)
  }

  @Test("a heatmap kernel ends where it falls below a sixteenth of a step")
  func reach() {
    let reach = HeatmapCanvas.reach(radius: 30, weight: 1, intensity: 1)
    #expect(abs(reach - 30 * 1.282) < 0.1)
    for (radius, weight, intensity) in [(30.0, 1.0, 1.0), (7, 0.02, 1), (12, 5, 3)] {
      let reach = HeatmapCanvas.reach(radius: radius, weight: weight, intensity: intensity)
      let peak = weight * intensity * 0.398_942_28
      func density(at distance: Double) -> Double {
        peak * exp(-4.5 * distance * distance / radius / radius)
      }
      #expect(density(at: reach) >= HeatmapKernel.faintest)
      #expect(density(at: reach + 1.0 / 16) < HeatmapKernel.faintest)
    }
    #expect(HeatmapCanvas.reach(radius: 30, weight: 0, intensity: 1) == 0)
    #expect(HeatmapCanvas.reach(radius: 30, weight: 0.0001, intensity: 1) == 0)
  }

  @Test("a heatmap point in the middle gives a mirror-symmetric picture", arguments: [0, 8])
  func symmetry(phase: Int) {
    let canvas = HeatmapCanvas(width: 41, height: 41)
    canvas.add(x: 20 * 16 + phase, y: 20 * 16 + phase, radius: 9.7)
    let mirror = phase == 0 ? 39 : 40
    for y in 0...mirror {
      for x in 0...mirror {
        let density = canvas.density(x: x, y: y)
        #expect(density == canvas.density(x: mirror - x, y: y))
        #expect(density == canvas.density(x: x, y: mirror - y))
        #expect(abs(density - canvas.density(x: y, y: x)) < 5e-7)
      }
    }
  }

  @Test("the order of heatmap points has no influence", arguments: 0..<6 as Range<UInt64>)
  func order(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    var points = Self.points(&random, count: 60, side: 32)
    let first = Self.densities(Self.canvas(points, width: 32, height: 32))
    #expect(first.contains { $0 > 0 && $0 < 1 })
    for _ in 0..<3 {
      points.shuffle(using: &random)
      #expect(Self.densities(Self.canvas(points, width: 32, height: 32)) == first)
    }
  }

  @Test(
    "windows of a heatmap are parts of it, density by density", arguments: 0..<6 as Range<UInt64>)
  func windows(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    let points = Self.points(&random, count: 60, side: 48)
    let whole = Self.canvas(points, width: 48, height: 48)
    for (left, top) in [(0, 0), (16, 0), (32, 32), (5, 27), (-9, 40)] {
      let part = Self.canvas(points, width: 16, height: 16, left: left, top: top)
      for y in max(0, -top)..<min(16, 48 - top) {
        for x in max(0, -left)..<min(16, 48 - left) {
          #expect(part.density(x: x, y: y) == whole.density(x: x + left, y: y + top))
        }
      }
    }
  }

  @Test(
    "excluded full pixels stay full, and the others keep growing",
    arguments: [0, 160, 320])
  func full(x: Int) {
    // More than four canvases' worth of pixels, so that full pixels are looked for many times.
    let canvas = HeatmapCanvas(width: 20, height: 12)
    for _ in 0..<80 { canvas.add(x: x, y: 96, radius: 8, weight: 0.5) }
    let row = (0..<20).map { canvas.density(x: $0, y: 6) }
    #expect(row.contains(1) && row.contains { $0 < 1 })
    // Where nothing is full, the densities of all points have been added.
    let far = x == 0 ? 9 : x == 160 ? 0 : 10
    let one = HeatmapCanvas(width: 20, height: 12)
    one.add(x: x, y: 96, radius: 8, weight: 0.5)
    #expect(one.density(x: far, y: 6) > 0)
    #expect(abs(row[far] - 80 * one.density(x: far, y: 6)) < 1e-5)
    for _ in 0..<800 { canvas.add(x: 320 - x, y: 96, radius: 20, weight: 5) }
    #expect((0..<20).allSatisfy { canvas.density(x: $0, y: 6) == 1 })
    canvas.clear()
    #expect(Self.densities(canvas).allSatisfy { $0 == 0 })
    canvas.add(x: x, y: 96, radius: 8, weight: 0.5)
    #expect(Self.densities(canvas) == Self.densities(one))
  }

  @Test(
    "a heatmap point without weight, radius or intensity adds nothing, whatever the number",
    arguments: [0, -1, -Double.infinity, .nan, -.greatestFiniteMagnitude, .leastNonzeroMagnitude])
  func nothing(number: Double) {
    let canvas = HeatmapCanvas(width: 16, height: 16)
    canvas.add(x: 100, y: 100, radius: 5, weight: number)
    canvas.add(x: 100, y: 100, radius: 5, weight: 1, intensity: number)
    // A radius can be too small to reach a pixel's centre, yet is no error.
    canvas.add(x: 100, y: 100, radius: number)
    #expect(Self.densities(canvas).allSatisfy { $0 == 0 })
    let picture = Pixmap(width: 16, height: 16)
    canvas.draw(Self.ramp, onto: picture)
    #expect(picture.bits.allSatisfy { $0 == 0 })
  }

  @Test(
    "huge heatmap points terminate and leave densities of at most 1",
    arguments: [1e12, 1e300, Double.greatestFiniteMagnitude, .infinity])
  func huge(number: Double) {
    let canvas = HeatmapCanvas(width: 16, height: 16)
    canvas.add(x: 100, y: 100, radius: 2, weight: number, intensity: number)
    canvas.add(x: 100, y: 100, radius: number)
    canvas.add(x: 100, y: 100, radius: number, weight: number)
    #expect(Self.densities(canvas).allSatisfy { $0 > 0 && $0 <= 1 })
    #expect(HeatmapCanvas.reach(radius: number, weight: number, intensity: 1) < 10_000)
  }

  @Test(
    "heatmap points beyond all pictures add nothing",
    arguments: [Int.max, .min, 1 << 40, -(1 << 52)])
  func farAway(place: Int) {
    let canvas = HeatmapCanvas(width: 8, height: 8)
    canvas.add(x: place, y: 60, radius: 2000, weight: 1e9)
    canvas.add(x: 60, y: place, radius: 2000, weight: 1e9)
    #expect(Self.densities(canvas).allSatisfy { $0 == 0 })
  }

  @Test("more heatmap radii than cached tables give the same as a new canvas")
  func manyRadii() {
    let used = HeatmapCanvas(width: 8, height: 8)
    for step in 0..<60 {
      used.add(x: 64 + step, y: 64 - step, radius: 1000 + Double(step), weight: 1e-2)
    }
    for radius in [1000.0, 1059, 3] {
      used.clear()
      used.add(x: 70, y: 59, radius: radius, weight: 0.1)
      let new = HeatmapCanvas(width: 8, height: 8)
      new.add(x: 70, y: 59, radius: radius, weight: 0.1)
      #expect(Self.densities(used) == Self.densities(new))
    }
  }

  @Test("a kernel's density equals what it adds to a canvas")
  func kernelDensity() throws {
    let kernel = try #require(HeatmapKernel(radius: 4.2, weight: 1.5, intensity: 1))
    let canvas = HeatmapCanvas(width: 24, height: 24)
    canvas.add(kernel, x: 181, y: 205)
    for y in 0..<24 {
      for x in 0..<24 {
        let density = kernel.density(dx: 16 * x + 8 - 181, dy: 16 * y + 8 - 205)
        #expect(Double(density / DensityScale.one) == canvas.density(x: x, y: y))
      }
    }
  }
}
