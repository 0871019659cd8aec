/// The knowledge about a tile before it is drawn: the quadrants that show anything.
package struct QuadrantTest: Hashable, Sendable {
  /// The quadrants that certainly show a pixel: bit 0 NW, 1 NE, 2 SW, 3 SE.
  package var shown: UInt8 = 0

  /// The quadrants that must be drawn to find out; the others show nothing.
  package var unknown: UInt8 = 0
}

/// A task that samples some pixels of each quadrant of a tile, and the image's blocks below.
///
/// A sampled pixel is computed as it will be drawn, except for the order of summation; one that is
/// visible by a margin of one step of alpha proves its quadrant. A quadrant whose part of the image
/// is blank shows nothing.
struct GlanceTask: TexelTask {
  let image: OverlayImage
  let kernel: ResamplingKernel
  let columns: AxisTable
  let rows: AxisTable

  /// Side of the tile in pixels.
  let side: Int

  /// The smallest alpha, 1 … 255, that stays visible whatever is applied to the pixel.
  let leastAlpha: UInt32

  /// Maximum number of image pixels examined one by one for a quadrant; larger ones must be drawn.
  private static let scanLimit = 4096

  func run(_ reader: some TexelReader) -> QuadrantTest {
    var glance = QuadrantTest()
    let half = side / 2
    for quadrant in 0..<4 {
      let across = columns.reached.clamped(to: quadrant & 1 == 0 ? 0..<half : half..<side)
      let down = rows.reached.clamped(to: quadrant & 2 == 0 ? 0..<half : half..<side)
      if across.isEmpty || down.isEmpty { continue }
      if isBlank(reader, across, down) { continue }
      let bit = UInt8(1 << quadrant)
      if probes(reader, across, down, count: 4) || probes(reader, across, down, count: 16) {
        glance.shown |= bit
      } else {
        glance.unknown |= bit
      }
    }
    return glance
  }

  /// Whether the image is known to be blank below some pixels of the tile.
  private func isBlank(
    _ reader: some TexelReader, _ across: Range<Int>, _ down: Range<Int>
  ) -> Bool {
    let x = columns.sources(of: across)
    let y = rows.sources(of: down)
    if image.occupancy.isBlank(x: x, y: y) { return true }
    guard x.count * y.count <= Self.scanLimit else { return false }
    return y.allSatisfy { row in
      x.allSatisfy { reader.isBlank(reader.sample(row &* image.width &+ $0)) }
    }
  }

  /// Whether one of `count` × `count` evenly spaced pixels is certainly visible.
  private func probes(
    _ reader: some TexelReader, _ across: Range<Int>, _ down: Range<Int>, count: Int
  ) -> Bool {
    for i in 0..<count {
      let row = rows.taps[down.lowerBound + (2 * i + 1) * down.count / (2 * count)]
      for j in 0..<count {
        let column = columns.taps[across.lowerBound + (2 * j + 1) * across.count / (2 * count)]
        if color(reader, column: column, row: row) >> 24 >= leastAlpha { return true }
      }
    }
    return false
  }

  /// Returns the colour of one pixel of the tile; transparent if it must be drawn to find out.
  private func color(_ reader: some TexelReader, column: AxisTaps, row: AxisTaps) -> UInt32 {
    guard column.count > 0, row.count > 0 else { return 0 }
    guard kernel.isLinear else {
      guard column.count == 1, row.count == 1, column.outside == 0, row.outside == 0 else {
        return 0
      }
      return reader.color(
        of: reader.sample(Int(row.first) &* image.width &+ Int(column.first)))
    }
    var sum = SIMD4<Float>.zero
    for step in 0..<Int(row.count) {
      let height = rows.weights[Int(row.offset) + step]
      let start = (Int(row.first) + step) * image.width
      var index = Int(column.first)
      for stepAcross in 0..<Int(column.count) {
        // A run of taps only passes the last pixel where the image spans the world.
        if index >= image.width { index -= image.width }
        let weight = columns.weights[Int(column.offset) + stepAcross] * height
        sum += reader.light(start + index) * weight
        index += 1
      }
    }
    return reader.color(ofSum: sum, hasLobes: kernel.hasLobes)
  }
}
