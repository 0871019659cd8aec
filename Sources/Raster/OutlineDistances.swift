/// The distances of pixel centres from an outline, up to a reach; one worker's scratch memory.
///
/// Every distance is computed from differences of coordinates in 1/256 px, so the field of a shape
/// moved by whole pixels is the moved field.
struct OutlineDistances: ~Copyable {
  /// The size of the field in pixels, and the pixel of its first value.
  private(set) var width = 0
  private(set) var height = 0
  private(set) var originX = 0
  private(set) var originY = 0

  /// The squared distances in (1/256 px)² while edges are added, then ``subscript``'s values.
  private var values = UnsafeMutableBufferPointer<Float>.allocate(capacity: 0)

  /// The changes of the winding number from the pixel to the left.
  private var windings = UnsafeMutableBufferPointer<Int32>.allocate(capacity: 0)

  init() {}

  deinit {
    values.deallocate()
    windings.deallocate()
  }

  /// The distance of a pixel's centre from the outline in pixels, negative inside it; infinite
  /// beyond the reach.
  subscript(row: Int, column: Int) -> Double { Double(values[row * width + column]) }

  /// Measures all pixels of a window around a path.
  ///
  /// - Returns: false if there is nothing to measure.
  /// - Complexity: O(vertices · reach² + pixels of the outline's box).
  mutating func measure(
    _ path: borrowing Path, reach: Int, within window: PixelBox = .ofMasks
  ) -> Bool {
    guard let box = path.bounds else { return false }
    originX = max((Int(box.minX) >> 8) - reach, window.left)
    originY = max((Int(box.minY) >> 8) - reach, window.top)
    width = min((Int(box.maxX) >> 8) + reach + 1, window.right) - originX
    height = min((Int(box.maxY) >> 8) + reach + 1, window.bottom) - originY
    guard width > 0, height > 0 else { return false }
    prepare()
    let starts = path.contourStarts
    path.points.withUnsafeBufferPointer { points in
      for contour in starts.indices {
        let end = contour + 1 < starts.count ? starts[contour + 1] : points.count
        var last = points[end - 1]
        for point in points[starts[contour]..<end] {
          let x0 = Int(last.x) - originX * 256
          let y0 = Int(last.y) - originY * 256
          let x1 = Int(point.x) - originX * 256
          let y1 = Int(point.y) - originY * 256
          addDistances(x0, y0, x1, y1, reach: reach)
          addWindings(x0, y0, x1, y1)
          last = point
        }
      }
    }
    finish()
    return true
  }

  private mutating func prepare() {
    let count = width * height
    if values.count < count {
      values.deallocate()
      windings.deallocate()
      values = .allocate(capacity: count)
      windings = .allocate(capacity: count)
    }
    values[0..<count].initialize(repeating: .infinity)
    windings[0..<count].initialize(repeating: 0)
  }

  /// Lowers the values around an edge to their distance from it.
  private func addDistances(_ x0: Int, _ y0: Int, _ x1: Int, _ y1: Int, reach: Int) {
    let firstColumn = max((min(x0, x1) >> 8) - reach, 0)
    let lastColumn = min((max(x0, x1) >> 8) + reach, width - 1)
    let firstRow = max((min(y0, y1) >> 8) - reach, 0)
    let lastRow = min((max(y0, y1) >> 8) + reach, height - 1)
    guard firstColumn <= lastColumn, firstRow <= lastRow else { return }
    let dx = Double(x1 - x0)
    let dy = Double(y1 - y0)
    let square = dx * dx + dy * dy
    let inverse = square > 0 ? 1 / square : 0
    for row in firstRow...lastRow {
      let py = Double(row * 256 + 128 - y0)
      for column in firstColumn...lastColumn {
        let px = Double(column * 256 + 128 - x0)
        let along = min(max((px * dx + py * dy) * inverse, 0), 1)
        let ex = px - along * dx
        let ey = py - along * dy
        let index = row &* width &+ column
        values[index] = min(values[index], Float(ex * ex + ey * ey))
      }
    }
  }

  /// Counts an edge for all pixels whose centre lies on it or right of it.
  private func addWindings(_ fromX: Int, _ fromY: Int, _ toX: Int, _ toY: Int) {
    let falls = fromY < toY
    let (x0, y0) = falls ? (fromX, fromY) : (toX, toY)
    let (x1, y1) = falls ? (toX, toY) : (fromX, fromY)
    // Rows whose centre lies at y0 or below, and above y1.
    let firstRow = max((y0 + 127) >> 8, 0)
    let endRow = min((y1 + 127) >> 8, height)
    guard firstRow < endRow else { return }
    for row in firstRow..<endRow {
      let (whole, rest) = ((row * 256 + 128 - y0) * (x1 - x0))
        .quotientAndRemainder(dividingBy: y1 - y0)
      // The crossing rounded up to 1/256 px, and the first centre from there on.
      let crossing = x0 + whole + (rest > 0 ? 1 : 0)
      let column = max((crossing + 127) >> 8, 0)
      guard column < width else { continue }
      let cell = row * width + column
      windings[cell] = windings[cell] + (falls ? 1 : -1)
    }
  }

  private func finish() {
    for row in 0..<height {
      var winding: Int32 = 0
      for index in (row * width)..<((row + 1) * width) {
        winding += windings[index]
        let distance = values[index].squareRoot() / 256
        values[index] = winding == 0 ? distance : -distance
      }
    }
  }
}
