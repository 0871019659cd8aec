/// The signed area to the right of edges, per pixel of a clip rectangle, as integers.
///
/// Each cell holds the *change* of covered area from the cell to its left; a running sum along the
/// row is the area, `fullCell` for a pixel wound around once. Splitting an edge at the borders of
/// rows and cells rounds to 1/256 px by one formula of the whole edge, starting at its upper end
/// and at its left end. So a pixel's value does not depend on where the clip lies, nor on the
/// direction of an edge, and two polygons cancel exactly along a shared border.
///
/// The cells are those of the classical coverage rasterizers LibArt, AGG and FreeType.
struct CoverageAccumulator: ~Copyable {
  /// The value of a fully covered pixel: twice 256 × 256, so that areas of trapezoids need no
  /// halving.
  static let fullCell: Int32 = 2 * 256 * 256

  /// The columns of one row that hold values, half-open.
  struct Touched {
    var lower: Int32 = .max
    var upper: Int32 = 0
  }

  /// Size of the clip rectangle in pixels.
  private(set) var width = 0
  private(set) var height = 0

  /// The cells: `height` rows of `width + 1`; all zero between two pictures.
  var cells = UnsafeMutableBufferPointer<Int32>.allocate(capacity: 0)
  var touched = UnsafeMutableBufferPointer<Touched>.allocate(capacity: 0)
  var stride: Int { width + 1 }

  deinit {
    cells.deallocate()
    touched.deallocate()
  }

  /// Begins a clip rectangle of this size. Every row of the previous picture must have been swept.
  mutating func begin(width: Int, height: Int) {
    precondition(width >= 0 && height >= 0)
    self.width = width
    self.height = height
    if cells.count < stride * height {
      cells.deallocate()
      cells = .allocate(capacity: stride * height)
      cells.initialize(repeating: 0)
    }
    if touched.count < height {
      touched.deallocate()
      touched = .allocate(capacity: height)
      touched.initialize(repeating: Touched())
    }
  }

  /// Adds every edge of a path; the clip's first pixel is (`originX`, `originY`) of its
  /// coordinates.
  ///
  /// - Complexity: O(vertices + cells that edges cross within the clip).
  mutating func add(_ path: borrowing Path, originX: Int, originY: Int) {
    let starts = path.contourStarts
    path.points.withUnsafeBufferPointer { points in
      for contour in starts.indices {
        let first = starts[contour]
        let end = contour + 1 < starts.count ? starts[contour + 1] : points.count
        guard end - first >= 2 else { continue }
        var x = (Int(points[end - 1].x)) - originX * 256
        var y = (Int(points[end - 1].y)) - originY * 256
        for index in first..<end {
          let nextX = Int(points[index].x) - originX * 256
          let nextY = Int(points[index].y) - originY * 256
          addEdge(x, y, nextX, nextY)
          x = nextX
          y = nextY
        }
      }
    }
  }

  /// Adds one edge, in 1/256 px from the clip's corner; differences are below 2³¹.
  mutating func addEdge(_ fromX: Int, _ fromY: Int, _ toX: Int, _ toY: Int) {
    if fromY <= toY {
      addFalling(fromX, fromY, toX, toY, sign: 1)
    } else {
      addFalling(toX, toY, fromX, fromY, sign: -1)
    }
  }

  /// Splits a downward edge into its rows.
  private mutating func addFalling(_ x0: Int, _ y0: Int, _ x1: Int, _ y1: Int, sign: Int) {
    let deltaY = y1 &- y0
    guard deltaY > 0, y1 > 0, y0 < height &* 256, min(x0, x1) < width &* 256 else { return }
    let deltaX = x1 &- x0
    let firstRow = max(y0 >> 8, 0)
    let lastRow = min((y1 &- 1) >> 8, height &- 1)
    if firstRow == lastRow && y0 >= firstRow &* 256 && y1 <= (firstRow &+ 1) &* 256 {
      let top = firstRow &* 256
      return addPiece(row: firstRow, x0, y0 &- top, x1, y1 &- top, sign: sign)
    }
    // x at a row's border is x0 + ⌊((border − y0) · Δx + Δy / 2) / Δy⌋, stepped with its remainder.
    let half = deltaY >> 1
    let (step, stepRest) = Self.floorDivision(256 &* deltaX, deltaY)
    var (offset, rest) = Self.floorDivision((firstRow &* 256 &- y0) &* deltaX &+ half, deltaY)
    var x = x0 &+ offset
    for row in firstRow...lastRow {
      let top = row &* 256
      let startsHere = y0 >= top
      let startX = startsHere ? x0 : x
      x = x &+ step
      rest = rest &+ stepRest
      if rest >= deltaY {
        rest = rest &- deltaY
        x = x &+ 1
      }
      let endsHere = y1 <= top &+ 256
      addPiece(
        row: row, startX, startsHere ? y0 &- top : 0, endsHere ? x1 : x,
        endsHere ? y1 &- top : 256, sign: sign)
    }
  }

  /// Adds the part of an edge within one row, `upperY` ≤ `lowerY` measured from the row's top.
  private mutating func addPiece(
    row: Int, _ upperX: Int, _ upperY: Int, _ lowerX: Int, _ lowerY: Int, sign: Int
  ) {
    let rise = lowerY &- upperY
    guard rise > 0 else { return }
    let left = min(upperX, lowerX)
    let right = max(upperX, lowerX)
    let base = row &* stride
    if right < 0 || left >> 8 == right >> 8 {
      let column = left >> 8
      guard column < width else { return }
      touch(row: row, from: max(column, 0), through: max(column, 0))
      let cover = sign &* rise
      let inset = column < 0 ? 0 : cover &* ((left & 255) &+ (right & 255))
      deposit(base &+ max(column, 0), cover: cover, inset: inset)
    } else {
      addSlanted(row: row, left: left, right: right, rise: rise, sign: sign)
    }
  }

  /// Adds a piece that crosses cells, from its left end on.
  private mutating func addSlanted(row: Int, left: Int, right: Int, rise: Int, sign: Int) {
    guard left < width &* 256 else { return }
    let base = row &* stride
    let run = right &- left
    let half = run >> 1
    let firstColumn = max(left >> 8, 0)
    let lastColumn = min(right >> 8, width &- 1)
    touch(row: row, from: firstColumn, through: lastColumn)
    // Height gained at a cell's border is ⌊((border − left) · rise + run / 2) / run⌋.
    var start = left
    var gained = 0
    if left < 0 {
      gained = (half &- left &* rise) / run
      deposit(base, cover: sign &* gained, inset: 0)
      start = 0
    }
    let (step, stepRest) = (256 &* rise).quotientAndRemainder(dividingBy: run)
    var (next, rest) = (((firstColumn &+ 1) &* 256 &- left) &* rise &+ half)
      .quotientAndRemainder(dividingBy: run)
    for column in firstColumn...lastColumn {
      let border = (column &+ 1) &* 256
      let isLast = right < border
      let reached = isLast ? rise : next
      let end = isLast ? right : border
      let cover = sign &* (reached &- gained)
      let top = column &* 256
      deposit(base &+ column, cover: cover, inset: cover &* ((start &- top) &+ (end &- top)))
      gained = reached
      start = border
      next = next &+ step
      rest = rest &+ stepRest
      if rest >= run {
        rest = rest &- run
        next = next &+ 1
      }
    }
  }

  /// Adds an edge of height `cover` that leaves `inset` of its cell's double area on its left.
  private func deposit(_ index: Int, cover: Int, inset: Int) {
    cells[index] = cells[index] &+ Int32(truncatingIfNeeded: cover &* 512 &- inset)
    cells[index &+ 1] = cells[index &+ 1] &+ Int32(truncatingIfNeeded: inset)
  }

  func touch(row: Int, from first: Int, through last: Int) {
    touched[row].lower = min(touched[row].lower, Int32(truncatingIfNeeded: first))
    touched[row].upper = max(touched[row].upper, Int32(truncatingIfNeeded: last &+ 2))
  }

  /// Returns the quotient, rounded down, and the rest.
  @inline(__always)
  static func floorDivision(_ value: Int, _ divisor: Int) -> (Int, Int) {
    // Magnitudes, because processors divide small unsigned numbers much faster.
    let (whole, part) = value.magnitude.quotientAndRemainder(dividingBy: divisor.magnitude)
    let (quotient, rest) = (Int(bitPattern: whole), Int(bitPattern: part))
    if value >= 0 { return (quotient, rest) }
    return rest == 0 ? (0 &- quotient, 0) : (~quotient, divisor &- rest)
  }

  /// Converts a row into coverage bytes, 0 … 255, and empties it.
  ///
  /// - Parameter bytes: a buffer for a whole row; only the returned columns are written.
  /// - Returns: the columns that may be covered.
  /// - Complexity: O(columns between the row's first edge and its last).
  mutating func sweep(
    row: Int, rule: FillRule, into bytes: UnsafeMutableBufferPointer<UInt8>
  ) -> Range<Int> {
    let lower = Int(touched[row].lower)
    guard lower < width else {
      clear(row: row)
      return 0..<0
    }
    let upper = min(Int(touched[row].upper), width)
    let base = row &* stride
    var area: Int32 = 0
    var value: UInt8 = 0
    var column = lower
    while column < upper {
      // Inside and outside of a shape the area is constant over long stretches.
      if column &+ 4 <= upper, let line = cells.baseAddress,
        CoverageAccumulator.leaveUnchanged(line + (base &+ column))
      {
        for offset in 0..<4 { bytes[column &+ offset] = value }
        column &+= 4
        continue
      }
      area &+= cells[base &+ column]
      value = CoverageAccumulator.coverage(area, rule)
      bytes[column] = value
      column &+= 1
    }
    clear(row: row)
    guard value > 0, upper < width else { return lower..<upper }
    bytes[upper..<width].update(repeating: value)
    return lower..<width
  }

  /// Whether four cells leave the area unchanged.
  @inline(__always)
  static func leaveUnchanged(_ cells: UnsafePointer<Int32>) -> Bool {
    let words = UnsafeRawPointer(cells)
    return words.loadUnaligned(as: UInt64.self)
      | words.loadUnaligned(fromByteOffset: 8, as: UInt64.self) == 0
  }

  func clear(row: Int) {
    let lower = Int(touched[row].lower)
    let upper = min(Int(touched[row].upper), stride)
    if lower < upper {
      let base = row &* stride
      cells[(base &+ lower)..<(base &+ upper)].update(repeating: 0)
    }
    touched[row] = Touched()
  }

  /// Rounds an area to the nearest of 256 steps.
  private static func coverage(_ area: Int32, _ rule: FillRule) -> UInt8 {
    let full = UInt32(fullCell)
    var size = area.magnitude
    if rule == .evenOdd {
      size &= 2 &* full &- 1
      if size > full { size = 2 &* full &- size }
    }
    return UInt8(truncatingIfNeeded: (min(size, full) &* 255 &+ full / 2) >> 17)
  }
}
