import TestSupport
import Testing

@testable import Raster

@Suite("Lines over windows")
struct StrokeWindowTests {
  static let styles: [StrokeStyle] = [
    StrokeStyle(width: 1), StrokeStyle(width: 0.3, join: .round),
    StrokeStyle(width: 2, cap: .square, join: .bevel),
    StrokeStyle(width: 9, cap: .round, join: .round, roundLimit: 1),
    StrokeStyle(width: 7, blur: 4, join: .miter, miterLimit: 8),
    StrokeStyle(width: 3, dashes: [5, 3]), StrokeStyle(width: 4, dashes: [0, 6, 3], cap: .round),
    StrokeStyle(width: 2, gapWidth: 5, cap: .round, join: .round),
    StrokeStyle(width: 2, gapWidth: 5, blur: 1, dashes: [7, 2], cap: .square),
    StrokeStyle(width: 3, offset: 6), StrokeStyle(width: 3, offset: -1.2, join: .round),
    StrokeStyle(width: 1, gapWidth: 3, offset: -6, cap: .round, join: .bevel),
  ]
  let color = Color(red: 0.9, green: 0.1, blue: 0.3, alpha: 0.8)

  func picture(
    _ points: [Path.Point], _ style: StrokeStyle, isClosed: Bool, startDistance: Int64 = 0,
    x: Int, y: Int, width: Int, height: Int, hasStart: Bool = true
  ) -> Pixmap {
    let moved = points.map {
      Path.Point(x: $0.x - Int32(x * 256), y: $0.y - Int32(y * 256))
    }
    let pixmap = Pixmap(width: width, height: height)
    moved.withUnsafeBufferPointer {
      LinePainter().draw(
        [
          StrokeRun(
            points: $0, startDistance: startDistance, hasStart: hasStart, isClosed: isClosed)
        ], style: style, color: color, into: pixmap)
    }
    return pixmap
  }

  /// Long edges, bends of all angles, hairpins, repeated vertices and edges below a pixel.
  func line(_ random: inout SplitMix64) -> [Path.Point] {
    var points: [Path.Point] = []
    var x: Int32 = .random(in: 0...12_000, using: &random)
    var y: Int32 = .random(in: 0...12_000, using: &random)
    for index in 0..<14 {
      points.append(Path.Point(x: x, y: y))
      let size: Int32 = [6000, 100, 1500, 0, 20_000][index % 5]
      x += .random(in: -size...size, using: &random)
      y += .random(in: -size...size, using: &random)
      x = min(max(x, -30_000), 40_000)
      y = min(max(y, -30_000), 40_000)
    }
    return points
  }

  @Test("windows of every kind of line together are the one large picture", arguments: 0..<24)
  func windows(seed: Int) {
    var random = SplitMix64(seed: UInt64(seed) + 7000)
    let points = line(&random)
    let style = StrokeWindowTests.styles[seed % StrokeWindowTests.styles.count]
    let isClosed = seed % 3 == 0
    let whole = picture(points, style, isClosed: isClosed, x: 0, y: 0, width: 48, height: 48)
    #expect(whole.bits.contains { $0 != 0 })
    for (x, y, width, height) in [
      (0, 0, 24, 24), (24, 0, 24, 24), (0, 24, 24, 24), (24, 24, 24, 24), (7, 13, 29, 11),
    ] {
      let window = picture(
        points, style, isClosed: isClosed, x: x, y: y, width: width, height: height)
      var differing = 0
      for row in 0..<height {
        for column in 0..<width where window[column, row] != whole[x + column, y + row] {
          differing += 1
        }
      }
      #expect(differing == 0)
    }
  }

  @Test("a line is cut to the pixels of its window", arguments: 0..<12)
  func cutLines(seed: Int) {
    var random = SplitMix64(seed: UInt64(seed) + 7700)
    let points = line(&random)
    let style = StrokeWindowTests.styles[seed]
    let whole = picture(points, style, isClosed: false, x: 0, y: 0, width: 48, height: 48)
    let cut = Pixmap(width: 48, height: 48)
    points.withUnsafeBufferPointer { points in
      LinePainter().draw(
        [
          StrokeRun(points: points, window: PixelWindow(columns: -9..<20, rows: 7..<90)),
          StrokeRun(points: points, window: PixelWindow(columns: 20..<48, rows: 30..<40)),
          StrokeRun(points: points, window: PixelWindow(columns: 60..<70, rows: 0..<9)),
        ], style: style, color: color, into: cut)
    }
    var differing = 0
    for row in 0..<48 {
      for column in 0..<48 {
        let isShown = column < 20 ? row >= 7 : (30..<40).contains(row)
        if cut[column, row] != (isShown ? whole[column, row] : .transparent) { differing += 1 }
      }
    }
    #expect(differing == 0)
  }

  @Test("a window needs only the edges of a line within reach, and one before", arguments: 0..<24)
  func pieces(seed: Int) {
    var random = SplitMix64(seed: UInt64(seed) + 8000)
    let style = StrokeWindowTests.styles[seed % StrokeWindowTests.styles.count]
    // A line far to the left of the window that enters it at the third but last vertex.
    var points = (0..<6).map { index in
      Path.Point(
        x: Int32(-40_000 + index * 3000), y: .random(in: -9000...9000, using: &random))
    }
    let far = points.count - 1
    for _ in 0..<3 {
      points.append(
        Path.Point(
          x: .random(in: 0...6000, using: &random), y: .random(in: 0...6000, using: &random)))
    }
    let whole = picture(points, style, isClosed: false, x: 0, y: 0, width: 24, height: 24)
    var distance: Int64 = 0
    for index in 0..<(far - 1) {
      distance += StrokeRun.length(from: points[index], to: points[index + 1])
    }
    #expect(Int(points[far].x) < -256 * style.reach)
    let piece = picture(
      Array(points[(far - 1)...]), style, isClosed: false, startDistance: distance, x: 0, y: 0,
      width: 24, height: 24, hasStart: false)
    #expect(piece.bits == whole.bits)
  }

  @Test("lines paint nothing beyond their reach", arguments: 0..<12)
  func reach(index: Int) {
    let style = StrokeWindowTests.styles[index]
    var random = SplitMix64(seed: UInt64(index) + 9000)
    let reach = Int32(style.reach)
    for _ in 0..<10 {
      let points = (0..<5).map { _ in
        Path.Point(
          x: .random(in: -20_000...(-256 * reach), using: &random),
          y: .random(in: -3000...9000, using: &random))
      }
      let beside = picture(points, style, isClosed: false, x: 0, y: 0, width: 12, height: 24)
      #expect(beside.bits.allSatisfy { $0 == 0 })
    }
  }

  @Test("hostile lengths, vertices and runs do not trap")
  func hostile() {
    let huge = [
      StrokeStyle(width: .infinity), StrokeStyle(width: .nan), StrokeStyle(width: -3),
      StrokeStyle(width: 1e300, gapWidth: 1e300, offset: -1e300, blur: 1e300, join: .miter),
      StrokeStyle(width: 2, dashes: [.nan, -1, .infinity, 1e-300], cap: .round, join: .round),
      StrokeStyle(width: 2, dashes: [1e-9, 1e-9], cap: .round, miterLimit: .infinity),
      StrokeStyle(width: 2, dashes: [0.1, 0.2], cap: .round),
    ]
    let lines: [[Path.Point]] = [
      [], [Path.Point(x: 5, y: 5)],
      [Path.Point(x: .min, y: .min), Path.Point(x: .max, y: .max), Path.Point(x: .min, y: .max)],
      [Path.Point(x: .max, y: .max), Path.Point(x: .max, y: .max)],
      [Path.Point(x: 100, y: 100), Path.Point(x: 101, y: 100), Path.Point(x: 100, y: 100)],
    ]
    for style in huge + StrokeWindowTests.styles {
      for points in lines {
        for isClosed in [false, true] {
          points.withUnsafeBufferPointer {
            let run = StrokeRun(points: $0, startDistance: .max - 5, isClosed: isClosed)
            LinePainter().draw(
              [run], style: style, color: color, into: Pixmap(width: 6, height: 6))
          }
        }
      }
    }
  }
}
