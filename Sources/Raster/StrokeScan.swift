/// The rows and columns of the pixels near an edge: all that it covers, and few others.
struct StrokeScan {
  let rows: Range<Int>

  /// The middle column, in pixels, of the strip across and of the range along the edge in the row
  /// whose centre has the first vertex's height; their change per 1/256 px of height; and half
  /// their width.
  private var across = (middle: 0.0, change: 0.0, half: Double.infinity)
  private var along = (middle: 0.0, change: 0.0, half: Double.infinity)
  private let originY: Int

  /// Creates the scan; nil if no row of the picture is near.
  ///
  /// - Parameter reach: the distance in pixels to both sides of the edge.
  init?(_ edge: StrokeEdge, reach: Double, height: Int) {
    let dx = Double(edge.dx)
    let dy = Double(edge.dy)
    let range = edge.along
    let inverseSquare = edge.inverseLength * edge.inverseLength
    let lower = Double(range.lowerBound)
    let upper = Double(range.upperBound)
    // The lowest and highest point, in 1/256 px, of the rectangle around the edge.
    let side = reach * 256 * dx.magnitude * edge.inverseLength
    let top = Double(edge.y) + min(lower * dy, upper * dy) * inverseSquare - side
    let bottom = Double(edge.y) + max(lower * dy, upper * dy) * inverseSquare + side
    let limit = Double(height)
    let first = StrokeProfile.nearestIndex(min(max((top - 1) / 256, 0), limit))
    let end = StrokeProfile.nearestIndex(min(max((bottom + 1) / 256, 0), limit))
    guard first < end else { return nil }
    rows = first..<end
    originY = edge.y
    let originX = Double(edge.x - 128) / 256
    if edge.dy != 0 {
      let inverse = 1 / dy
      across = (originX, dx * inverse / 256, reach * edge.length * inverse.magnitude)
    }
    if edge.dx != 0 {
      let inverse = 1 / dx
      along = (
        originX + (lower + upper) * inverse / 512, -dy * inverse / 256,
        (upper - lower) * inverse.magnitude / 512
      )
    }
  }

  /// Returns the columns of a row, clamped to a picture's.
  @inline(__always)
  func columns(row: Int, width: Int) -> Range<Int> {
    let height = Double(row &* 256 &+ 128 &- originY)
    let strip = across.middle + height * across.change
    let range = along.middle + height * along.change
    // A hundredth of a pixel exceeds the error of these sums.
    let lower = max(strip - across.half, range - along.half) - 0.01
    let upper = min(strip + across.half, range + along.half) + 0.01
    let last = Double(width &- 1)
    guard lower <= upper, upper >= 0, lower <= last else { return 0..<0 }
    let first = StrokeProfile.nearestIndex(max(lower, 0) + 0.499)
    let end = StrokeProfile.nearestIndex(min(upper, last) + 0.501)
    return first < end ? first..<end : 0..<0
  }
}
