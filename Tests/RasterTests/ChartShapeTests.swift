import Testing

@testable import Raster

@Suite("ChartShape")
struct ChartShapeTests {
  private let rasterizer = CoverageRasterizer()

  private static let shapes = [
    ChartShape(.round(radius: 17.3, hole: 0, start: 0), ends: [0.1, 0.45, 1], strokeWidth: 2),
    ChartShape(.round(radius: 40, hole: 22.5, start: 0.3), ends: [0.25, 0.5, 1], strokeWidth: 0),
    ChartShape(.round(radius: 9, hole: 4, start: -1.8), ends: [1], strokeWidth: 1.5),
    ChartShape(
      .bar(length: 31.7, thickness: 7.2, isUpright: false), ends: [0.2, 0.9, 1], strokeWidth: 1),
    ChartShape(
      .bar(length: 20, thickness: 6.5, isUpright: true), ends: [0.5, 1], strokeWidth: 0),
  ]

  @Test("the bands of a chart add up to the coverage of the whole", arguments: shapes)
  func sum(shape: ChartShape) {
    let bands = shape.masks(phaseX: 77, phaseY: 31, using: rasterizer)
    let whole = ChartShape(
      shape.outline, ends: [1], strokeWidth: shape.strokeWidth
    ).masks(phaseX: 77, phaseY: 31, using: rasterizer)
    #expect(bands.count == shape.ends.count + 2)
    for row in -45...45 {
      for column in -45...45 {
        let sum = bands.reduce(0) { $0 + Int($1[column, row]) }
        #expect(sum == whole.reduce(0) { $0 + Int($1[column, row]) })
      }
    }
  }

  @Test("a slice covers its share of the area", arguments: shapes)
  func areas(shape: ChartShape) {
    let areas = shape.masks(phaseX: 0, phaseY: 128, using: rasterizer).map { mask in
      mask.coverage.reduce(0.0) { $0 + Double($1) / 255 }
    }
    let (hole, slices) =
      switch shape.outline {
      case .round(let radius, let hole, _):
        (.pi * hole * hole, .pi * (radius * radius - hole * hole))
      case .bar(let length, let thickness, _): (0.0, length * thickness)
      }
    #expect(abs(areas[0] - hole) < 0.5)
    var last = 0.0
    for (index, end) in shape.ends.enumerated() {
      #expect(abs(areas[index + 1] - slices * (end - last)) < 0.5, "slice \(index)")
      last = end
    }
  }

  @Test("slices run clockwise from the top, bars from the left or the bottom")
  func directions() {
    let pie = ChartShape(.round(radius: 10, hole: 0, start: 0), ends: [0.25, 1], strokeWidth: 0)
      .masks(phaseX: 0, phaseY: 0, using: rasterizer)
    #expect(pie[1][5, -5] == 255 && pie[2][5, -5] == 0)
    #expect(pie[2][-5, -5] == 255 && pie[2][5, 5] == 255)
    let turned = ChartShape(
      .round(radius: 10, hole: 0, start: 0.25), ends: [0.25, 1], strokeWidth: 0
    ).masks(phaseX: 0, phaseY: 0, using: rasterizer)
    #expect(turned[1][5, 5] == 255 && turned[1][5, -5] == 0)
    func bar(isUpright: Bool) -> [CoverageMask] {
      ChartShape(
        .bar(length: 20, thickness: 6, isUpright: isUpright), ends: [0.5, 1], strokeWidth: 0
      ).masks(phaseX: 0, phaseY: 0, using: rasterizer)
    }
    #expect(bar(isUpright: false)[1][-5, 0] == 255 && bar(isUpright: false)[2][5, 0] == 255)
    #expect(bar(isUpright: true)[1][0, 5] == 255 && bar(isUpright: true)[2][0, -5] == 255)
  }

  @Test("a chart has the same coverage after others of all sizes", arguments: shapes)
  func reused(shape: ChartShape) {
    let fresh = shape.masks(phaseX: 40, phaseY: 200, using: CoverageRasterizer())
    for radius in stride(from: 3.0, to: 200, by: 59) {
      _ = ChartShape(.round(radius: radius, hole: 2, start: 0.9), ends: [0.3, 1], strokeWidth: 1)
        .masks(phaseX: 0, phaseY: 0, using: rasterizer)
    }
    #expect(shape.masks(phaseX: 40, phaseY: 200, using: rasterizer) == fresh)
  }

  @Test("a window shows what the whole chart shows there", arguments: shapes)
  func window(shape: ChartShape) {
    let window = PixelBox(left: -3, top: -20, right: 8, bottom: 2)
    let whole = shape.masks(phaseX: 9, phaseY: 200, using: rasterizer)
    let part = shape.masks(phaseX: 9, phaseY: 200, within: window, using: rasterizer)
    for row in window.top..<window.bottom {
      for column in window.left..<window.right {
        for (band, all) in zip(part, whole) { #expect(band[column, row] == all[column, row]) }
      }
    }
  }
}

extension ChartShape {
  /// The coverage of every band as a mask.
  fileprivate func masks(
    phaseX: Int32, phaseY: Int32, within window: PixelBox = .ofMasks,
    using rasterizer: CoverageRasterizer
  ) -> [CoverageMask] {
    let box = box(phaseX: phaseX, phaseY: phaseY, within: window)
    var masks = [CoverageMask](repeating: .empty, count: ends.count + 2)
    forEachBand(phaseX: phaseX, phaseY: phaseY, within: window, using: rasterizer) {
      masks[$0] = CoverageMask(
        trimming: $1, width: box.width, height: box.height, originX: box.left, originY: box.top)
    }
    return masks
  }
}
