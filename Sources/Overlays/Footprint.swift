/// The footprint of a tile's pixel in a rotated image: a polygon in the image's pixels, and the
/// exact area of each pixel of the image within it.
///
/// Areas come from the signed areas beside each edge, summed along rows, as font rasterizers do
/// (Levien, Inside the fastest font renderer in the world, 2016). One per worker.
struct Footprint {
  private(set) var points: [PlanePoint] = []
  private var spare: [PlanePoint] = []
  private var cells: [Double] = []

  /// The polygon's area before it was clipped.
  private(set) var wholeArea = 0.0

  /// The polygon's area within the image.
  private(set) var area = 0.0

  /// The image's pixels that the clipped polygon may touch.
  private(set) var columns: Range<Int> = 0..<0
  private(set) var rows: Range<Int> = 0..<0

  /// Sets a convex quadrilateral in the image's pixels and clips it at the image's border.
  mutating func set(_ quad: PixelQuad, width: Int, height: Int) {
    points.removeAll(keepingCapacity: true)
    points.append(contentsOf: quad.points)
    wholeArea = abs(Self.signedArea(points))
    let (right, bottom) = (Double(width), Double(height))
    let box = quad.box
    let isInside = box.left >= 0 && box.right <= right && box.top >= 0 && box.bottom <= bottom
    area = wholeArea
    guard !isInside else { return }
    clip { $0.x }
    clip { right - $0.x }
    clip { $0.y }
    clip { bottom - $0.y }
    area = points.count < 3 ? 0 : abs(Self.signedArea(points))
  }

  /// The fraction of the polygon that lies in the image, 0 … 1.
  var coverage: Double {
    guard wholeArea > 0 else { return 0 }
    let part = area / wholeArea
    return part > 1 - 1e-6 ? 1 : part
  }

  /// Returns the area of a pixel of the image within the polygon, 0 … 1; call
  /// ``measure(width:height:)`` first.
  @inline(__always)
  func area(column: Int, row: Int) -> Double {
    abs(cells[(row - rows.lowerBound) * (columns.count + 2) + column - columns.lowerBound])
  }

  /// Computes the areas of all pixels that the polygon touches.
  ///
  /// - Complexity: O(pixels of its box).
  mutating func measure(width: Int, height: Int) {
    guard points.count >= 3 else {
      (columns, rows) = (0..<0, 0..<0)
      return
    }
    let left = Self.pixel((points.map(\.x).min() ?? 0).rounded(.down), in: 0...width)
    let right = Self.pixel((points.map(\.x).max() ?? 0).rounded(.up), in: 0...width)
    let top = Self.pixel((points.map(\.y).min() ?? 0).rounded(.down), in: 0...height)
    let bottom = Self.pixel((points.map(\.y).max() ?? 0).rounded(.up), in: 0...height)
    columns = left..<max(right, left)
    rows = top..<max(bottom, top)
    let stride = columns.count + 2
    cells.removeAll(keepingCapacity: true)
    cells.append(contentsOf: repeatElement(0, count: stride * rows.count))
    for index in points.indices {
      addEdge(points[index], points[index + 1 == points.count ? 0 : index + 1])
    }
    for row in 0..<rows.count {
      var sum = 0.0
      for column in 0..<columns.count {
        sum += cells[row * stride + column]
        cells[row * stride + column] = sum
      }
    }
  }

  /// Adds the area to the right of an edge, row by row and pixel by pixel.
  private mutating func addEdge(_ start: PlanePoint, _ end: PlanePoint) {
    guard start.y != end.y, !rows.isEmpty, !columns.isEmpty else { return }
    let sign = end.y > start.y ? 1.0 : -1.0
    let (low, high) = end.y > start.y ? (start, end) : (end, start)
    let slope = (high.x - low.x) / (high.y - low.y)
    let reach = rows.lowerBound...rows.upperBound
    let first = Self.pixel(low.y.rounded(.down), in: reach)
    let last = Self.pixel(high.y.rounded(.up), in: reach)
    for row in first..<max(last, first) {
      let from = max(low.y, Double(row))
      let to = min(high.y, Double(row + 1))
      guard to > from else { continue }
      addSpan(
        row: row, height: (to - from) * sign, x: low.x + (from - low.y) * slope,
        x2: low.x + (to - low.y) * slope)
    }
  }

  /// Adds the part of an edge within one row, which descends `height` from `x` to `x2`.
  private mutating func addSpan(row: Int, height: Double, x: Double, x2: Double) {
    let (left, right) = (min(x, x2), max(x, x2))
    let base = (row - rows.lowerBound) * (columns.count + 2)
    let last = columns.upperBound - 1
    var column = Self.pixel(left.rounded(.down), in: columns.lowerBound...last)
    var from = left
    while true {
      let to = column == last ? right : min(right, Double(column + 1))
      let part = right > left ? height * (to - from) / (right - left) : height
      let middle = min(max((from + to) / 2 - Double(column), 0), 1)
      let cell = base + column - columns.lowerBound
      cells[cell] += part * (1 - middle)
      cells[cell + 1] += part * middle
      guard to < right, column < last else { return }
      from = to
      column += 1
    }
  }

  /// Returns a whole number clamped to a range, before it becomes an `Int`.
  private static func pixel(_ value: Double, in range: ClosedRange<Int>) -> Int {
    guard value > Double(range.lowerBound) else { return range.lowerBound }
    return value < Double(range.upperBound) ? Int(value) : range.upperBound
  }

  /// Clips the polygon to the side of a line where `side` is not negative (Sutherland and Hodgman,
  /// 1974).
  private mutating func clip(_ side: (PlanePoint) -> Double) {
    spare.removeAll(keepingCapacity: true)
    for index in points.indices {
      let (point, next) = (points[index], points[index + 1 == points.count ? 0 : index + 1])
      let (here, there) = (side(point), side(next))
      if here >= 0 { spare.append(point) }
      if (here > 0 && there < 0) || (here < 0 && there > 0) {
        let part = here / (here - there)
        spare.append(
          PlanePoint(
            x: point.x + (next.x - point.x) * part, y: point.y + (next.y - point.y) * part))
      }
    }
    swap(&points, &spare)
  }

  private static func signedArea(_ points: [PlanePoint]) -> Double {
    var sum = 0.0
    for index in points.indices {
      let (a, b) = (points[index], points[index + 1 == points.count ? 0 : index + 1])
      sum += (a.x - points[0].x) * (b.y - points[0].y) - (b.x - points[0].x) * (a.y - points[0].y)
    }
    return sum / 2
  }
}
