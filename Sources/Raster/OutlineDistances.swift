/// The distances of pixel centres from an outline, up to a limit; one worker's scratch memory.
///
/// Every distance is computed from differences of coordinates in 1/256 px, so the field of a shape
/// moved by whole pixels is the moved field.
struct OutlineDistances: ~Copyable {
  /// The size of the field in pixels, and the pixel of its first value.
  private(set) var width = 0
  private(set) var height = 0
  private(set) var originX = 0
  private(set) var originY = 0

  /// The number of values from one row to the next; three more than the width, so that four may be
  /// read at a time from any column.
  private var stride = 0

  /// The squared distances in (1/256 px)² while edges are added, then ``subscript``'s values.
  private var values = UnsafeMutableBufferPointer<Float>.allocate(capacity: 0)

  /// The changes of the winding number from the pixel to the left.
  private var windings = UnsafeMutableBufferPointer<Int32>.allocate(capacity: 0)

  init() {}

  deinit {
    values.deallocate()
    windings.deallocate()
  }

  /// The distance of a pixel's centre from the outline in pixels, negative inside it; where it
  /// exceeds the limit, some greater value or infinity.
  subscript(row: Int, column: Int) -> Double { Double(values[row * stride + column]) }

  /// Measures all pixels of a window around a path.
  ///
  /// - Parameter limit: the greatest distance that matters, in pixels.
  /// - Returns: false if there is nothing to measure.
  /// - Complexity: O(vertices · limit² + pixels of the outline's box).
  mutating func measure(
    _ path: borrowing Path, limit: Double, within window: PixelBox = .ofMasks
  ) -> Bool {
    guard let box = path.bounds else { return false }
    let reach = Int(limit.rounded(.up)) + 1
    originX = max((Int(box.minX) >> 8) - reach, window.left)
    originY = max((Int(box.minY) >> 8) - reach, window.top)
    width = min((Int(box.maxX) >> 8) + reach + 1, window.right) - originX
    height = min((Int(box.maxY) >> 8) + reach + 1, window.bottom) - originY
    guard width > 0, height > 0 else { return false }
    stride = width + 3
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
          addDistances(x0, y0, x1, y1, limit: Int((limit * 256).rounded(.up)))
          addWindings(x0, y0, x1, y1)
          last = point
        }
      }
    }
    finish()
    return true
  }

  private mutating func prepare() {
    let count = stride * height
    if values.count < count {
      values.deallocate()
      windings.deallocate()
      values = .allocate(capacity: count)
      windings = .allocate(capacity: count)
    }
    values[0..<count].initialize(repeating: .infinity)
    windings[0..<count].initialize(repeating: 0)
  }

  /// Lowers the values around an edge to their distance from it, up to the limit.
  ///
  /// Most edges of letters are shorter than a pixel, so few pixels are near one: four at a time.
  private func addDistances(_ x0: Int, _ y0: Int, _ x1: Int, _ y1: Int, limit: Int) {
    // Centres lie at 128.
    let firstColumn = max((min(x0, x1) - limit + 127) >> 8, 0)
    let endColumn = min((max(x0, x1) + limit + 128) >> 8, width)
    let firstRow = max((min(y0, y1) - limit + 127) >> 8, 0)
    let endRow = min((max(y0, y1) + limit + 128) >> 8, height)
    guard firstColumn < endColumn, firstRow < endRow,
      let cells = UnsafeMutableRawBufferPointer(values).baseAddress
    else { return }
    let dx = Double(x1 - x0)
    let dy = Double(y1 - y0)
    let square = dx * dx + dy * dy
    let inverse = square > 0 ? 1 / square : 0
    let first = SIMD4<Double>(0, 256, 512, 768) + Double(firstColumn * 256 + 128 - x0)
    var py = Double(firstRow * 256 + 128 - y0)
    for row in firstRow..<endRow {
      var px = first
      let start = (row &* stride &+ firstColumn) &* MemoryLayout<Float>.stride
      var cell = cells + start
      for _ in Swift.stride(from: firstColumn, to: endColumn, by: 4) {
        var along = (px * dx + py * dy) * inverse
        along.replace(with: 0, where: along .< 0)
        along.replace(with: 1, where: along .> 1)
        let ex = px - along * dx
        let ey = py - along * dy
        let known = cell.loadUnaligned(as: SIMD4<Float>.self)
        let distances = SIMD4<Float>(ex * ex + ey * ey)
        cell.storeBytes(
          of: known.replacing(with: distances, where: distances .< known), as: SIMD4<Float>.self)
        px += 1024
        cell += MemoryLayout<SIMD4<Float>>.stride
      }
      py += 256
    }
  }

  /// Adds an edge to the winding of all pixels whose centre lies on it or to its right.
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
      let cell = row * stride + column
      windings[cell] = windings[cell] + (falls ? 1 : -1)
    }
  }

  private func finish() {
    for row in 0..<height {
      var winding: Int32 = 0
      for index in (row * stride)..<(row * stride + width) {
        winding += windings[index]
        let distance = values[index].squareRoot() / 256
        values[index] = winding == 0 ? distance : -distance
      }
    }
  }
}
