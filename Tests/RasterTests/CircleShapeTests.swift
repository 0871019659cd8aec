import Testing

@testable import Raster

@Suite("CircleShape")
struct CircleShapeTests {
  let rasterizer = CoverageRasterizer()

  @Test(
    "a circle without blur fades within the last pixel of its radius",
    arguments: [1.3, 5, 12.75, 21.5], [0, 77, 128] as [Int32])
  func sharpEdge(radius: Double, phase: Int32) {
    let mask = CircleShape(radius: radius).fillMask(
      phaseX: phase, phaseY: 256 - phase, using: rasterizer)
    let (centerX, centerY) = (Double(phase) / 256, Double(256 - phase) / 256)
    let reach = Int(radius) + 3
    for row in -reach...reach {
      for column in -reach...reach {
        let (dx, dy) = (Double(column) + 0.5 - centerX, Double(row) + 0.5 - centerY)
        let inside = min(max(radius - (dx * dx + dy * dy).squareRoot(), 0), 1)
        let expected = 255 * inside * inside * (3 - 2 * inside)
        #expect(abs(expected - Double(mask[column, row])) <= 0.5001)
      }
    }
  }

  @Test("a disc about a pixel's centre or corner is symmetric", arguments: [0, 128] as [Int32])
  func symmetry(phase: Int32) {
    let mask = CircleShape(radius: 9.6).fillMask(phaseX: phase, phaseY: phase, using: rasterizer)
    let mirror = phase == 0 ? -1 : 0
    for row in -11...11 {
      for column in -11...11 {
        let here = mask[column, row]
        #expect(here.absoluteDifference(mask[mirror - column, row]) <= 1)
        #expect(here.absoluteDifference(mask[row, column]) <= 1)
      }
    }
  }

  @Test("a circle moved by whole pixels has the same masks moved", arguments: [0, 0.4, 1.5])
  func wholePixels(blur: Double) {
    let circle = CircleShape(radius: 7.1, strokeWidth: 2.5, blur: blur)
    let here = circle.strokeMask(phaseX: 31, phaseY: 250, using: rasterizer)
    let there = circle.strokeMask(phaseX: 31 + 256 * 9, phaseY: 250 - 256, using: rasterizer)
    #expect(here.coverage == there.coverage)
    #expect(there.originX == here.originX + 9 && there.originY == here.originY - 1)
  }

  @Test("disc and stroke add up to the whole circle", arguments: [0, 0.3, 1])
  func sum(blur: Double) {
    let circle = CircleShape(radius: 5.5, strokeWidth: 3, blur: blur)
    let whole = CircleShape(radius: 8.5, blur: blur).fillMask(
      phaseX: 9, phaseY: 3, using: rasterizer)
    let fill = circle.fillMask(phaseX: 9, phaseY: 3, using: rasterizer)
    let stroke = circle.strokeMask(phaseX: 9, phaseY: 3, using: rasterizer)
    for row in -12...12 {
      for column in -12...12 {
        #expect(Int(fill[column, row]) + Int(stroke[column, row]) == Int(whole[column, row]))
      }
    }
    #expect(stroke[0, 0] == 0 || blur == 1)
  }

  @Test("blur 1 fades from the centre to the rim like MapLibre's shader")
  func blurredValues() {
    let mask = CircleShape(radius: 10, blur: 1).fillMask(
      phaseX: 128, phaseY: 128, using: rasterizer)
    // smoothstep(1 − d / 10) at whole distances from the centre pixel.
    #expect(mask[0, 0] == 255)
    #expect(mask[5, 0] == 128)
    #expect(mask[0, 8] == 27)
    #expect(mask[10, 0] == 0)
  }

  @Test(
    "a circle with a blur of a pixel or less, or below 0, is not blurred",
    arguments: [-1, -0.1, 0.05, 0.1, -Double.infinity])
  func littleBlur(blur: Double) {
    for strokeWidth in [0.0, 3] {
      let sharp = CircleShape(radius: 7, strokeWidth: strokeWidth)
      let blurred = CircleShape(radius: 7, strokeWidth: strokeWidth, blur: blur)
      #expect(
        blurred.fillMask(phaseX: 9, phaseY: 3, using: rasterizer)
          == sharp.fillMask(phaseX: 9, phaseY: 3, using: rasterizer))
      #expect(
        blurred.strokeMask(phaseX: 9, phaseY: 3, using: rasterizer)
          == sharp.strokeMask(phaseX: 9, phaseY: 3, using: rasterizer))
    }
  }

  @Test(
    "a circle with a stroke equals MapLibre's shader at pixel centres",
    arguments: [
      (6.0, 2.0, 0.5), (0, 5, 0.4), (8, 0.005, 0.7), (3, 6, 1.6), (6, 2.5, 0), (4.25, 3.5, -1),
    ])
  func strokes(radius: Double, strokeWidth: Double, blur: Double) {
    let circle = CircleShape(radius: radius, strokeWidth: strokeWidth, blur: blur)
    let fill = circle.fillMask(phaseX: 128, phaseY: 128, using: rasterizer)
    let stroke = circle.strokeMask(phaseX: 128, phaseY: 128, using: rasterizer)
    let outer = radius + (strokeWidth < 0.01 ? 0 : strokeWidth)
    func smoothstep(_ from: Double, _ to: Double, _ value: Double) -> Double {
      let t = min(max((value - from) / (to - from), 0), 1)
      return t * t * (3 - 2 * t)
    }
    for distance in 0...12 {
      let extrude = Double(distance) / outer
      let fade = max(blur, 1 / outer)
      let opacity = smoothstep(0, -fade, extrude - 1)
      let share = strokeWidth < 0.01 ? 0 : smoothstep(-fade, 0, extrude - radius / outer)
      #expect(abs(Double(fill[distance, 0]) - 255 * opacity * (1 - share)) <= 1)
      #expect(abs(Double(stroke[0, distance]) - 255 * opacity * share) <= 1)
    }
  }

  @Test(
    "circles with invalid sizes draw nothing",
    arguments: [
      CircleShape(radius: -3), CircleShape(radius: .nan, strokeWidth: .nan, blur: .nan),
      CircleShape(radius: 0), CircleShape(radius: 3, blur: .infinity),
    ])
  func nonsense(circle: CircleShape) {
    #expect(circle.fillMask(phaseX: 0, phaseY: 0, using: rasterizer).isEmpty)
    #expect(circle.strokeMask(phaseX: 0, phaseY: 0, using: rasterizer).isEmpty)
  }

  @Test("a stroke without a disc is a disc")
  func strokeOnly() {
    let stroke = CircleShape(radius: 0, strokeWidth: 4).strokeMask(
      phaseX: 0, phaseY: 0, using: rasterizer)
    #expect(stroke == CircleShape(radius: 4).fillMask(phaseX: 0, phaseY: 0, using: rasterizer))
  }
}

extension UInt8 {
  fileprivate func absoluteDifference(_ other: UInt8) -> UInt8 {
    self > other ? self - other : other - self
  }
}
