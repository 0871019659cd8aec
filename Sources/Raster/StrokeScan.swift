/// The rows and columns of the pixels near an edge: all that it covers, and few besides.
struct StrokeScan {
  let rows: Range<Int>

  /// Middle column, in px, of the strip across and of the range along the edge in the row whose
  /// centre has the first vertex's height; their changes per 1/256 px of height; and half widths.
  private var across = (middle: 0.0, change: 0.0, half: Double.infinity)
  private var along = (middle: 0.0, change: 0.0, half: Double.infinity)
  private let originY: Int

  /// Nil where no row of the picture is near.
  ///
  /// - Parameter reach: px to both sides of the edge.
  init?(_ edge: StrokeEdge, reach: Double, height: Int) {
    let dx = Double(edge.dx)
    let dy = Double(edge.dy)
    let range = edge.along
    let square = edge.length * edge.length
    let lower = Double(range.lowerBound)
    let upper = Double(range.upperBound)
    // The lowest and highest point, in 1/256 px, of the rectangle around the edge.
    let side = reach * 256 * dx.magnitude / edge.length
    let top = Double(edge.y) + min(lower * dy, upper * dy) / square - side
    let bottom = Double(edge.y) + max(lower * dy, upper * dy) / square + side
    let limit = Double(height)
    let first = Int(min(max((top - 129) / 256, 0), limit))
    let end = Int(min(max((bottom + 129) / 256, 0), limit))
    guard first < end else { return nil }
    rows = first..<end
    originY = edge.y
    let originX = Double(edge.x - 128) / 256
    if edge.dy != 0 {
      across = (originX, dx / dy / 256, reach * edge.length / dy.magnitude)
    }
    if edge.dx != 0 {
      along = (
        originX + (lower + upper) / (512 * dx), -dy / dx / 256,
        (upper - lower) / (512 * dx.magnitude)
      )
    }
  }

  /// Columns of a row, held within a picture's.
  @inline(__always)
  func columns(row: Int, width: Int) -> Range<Int> {
    let height = Double(row &* 256 &+ 128 &- originY)
    let strip = across.middle + height * across.change
    let range = along.middle + height * along.change
    // A hundredth of a pixel is more than these sums can be wrong by.
    let lower = max(strip - across.half, range - along.half) - 0.01
    let upper = min(strip + across.half, range + along.half) + 0.01
    let last = Double(width &- 1)
    guard lower <= upper, upper >= 0, lower <= last else { return 0..<0 }
    let first = Int(max(lower, -1) + 1)
    let end = Int(min(upper, last)) &+ 1
    return first < end ? first..<end : 0..<0
  }
}
