/// A canvas that sums the kernels of one heatmap layer's points over a picture, and composites
/// their colours over it.
///
/// The contribution of a point to a pixel depends only on the vector between them, and sums do not
/// depend on the order of points: so pictures of neighbouring places fit together as if they were
/// one. Reference semantics: owned by one worker, not shared.
package final class HeatmapCanvas {
  package let width: Int
  package let height: Int

  /// The densities as whole numbers of ``DensityScale/one``, top row first; at most a density of 1.
  private let sums: UnsafeMutableBufferPointer<Float>

  /// A run of columns per row in which every density is already 1; if there is none, it is empty
  /// and starts at the row's end.
  private var fullStarts: ContiguousArray<Int>
  private var fullEnds: ContiguousArray<Int>

  /// The box of all additions since the canvas was cleared.
  private var touchedColumns = 0..<0
  private var touchedRows = 0..<0

  /// The number of pixels added to since the last search for full pixels.
  private var work = 0
  private var tables = HeatmapKernelTables()

  /// Creates an empty canvas. Both sides must be positive.
  package init(width: Int, height: Int) {
    precondition(width > 0 && height > 0)
    self.width = width
    self.height = height
    sums = .allocate(capacity: width * height)
    sums.initialize(repeating: 0)
    fullStarts = ContiguousArray(repeating: width, count: height)
    fullEnds = fullStarts
  }

  deinit {
    sums.deallocate()
  }

  /// Removes all points.
  ///
  /// - Complexity: O(pixels of the box that was added to).
  package func clear() {
    for row in touchedRows {
      let start = row * width
      let touched = (start + touchedColumns.lowerBound)..<(start + touchedColumns.upperBound)
      sums[touched].update(repeating: 0)
      fullStarts[row] = width
      fullEnds[row] = width
    }
    touchedColumns = 0..<0
    touchedRows = 0..<0
    work = 0
  }

  /// Adds a point with a known kernel.
  package func add(_ kernel: HeatmapKernel, x: Int, y: Int) {
    guard Self.isNear(x), Self.isNear(y) else { return }
    let columns = kernel.pixels(around: x).clamped(to: 0..<width)
    let rows = kernel.pixels(around: y).clamped(to: 0..<height)
    guard !columns.isEmpty, !rows.isEmpty else { return }
    let centers = tables.centers(kernel, phaseX: x & 15, phaseY: y & 15)
    let alongX = centers.x - (x >> 4)
    let alongY = centers.y - (y >> 4)
    tables.decays.withUnsafeBufferPointer { decays in
      for row in rows {
        let factor = kernel.peak * decays[alongY + row]
        let fullStart = min(columns.upperBound, fullStarts[row])
        let fullEnd = max(columns.lowerBound, fullEnds[row])
        if columns.lowerBound < fullStart {
          add(factor, times: decays, from: alongX, row: row, columns.lowerBound..<fullStart)
        }
        if fullEnd < columns.upperBound {
          add(factor, times: decays, from: alongX, row: row, fullEnd..<columns.upperBound)
        }
      }
    }
    touch(columns: columns, rows: rows)
  }

  /// Adds the products for some columns of a row, each rounded, clamped at a density of 1.
  ///
  /// - Parameter origin: the index of column 0 in the decays.
  @inline(__always)
  private func add(
    _ factor: Float, times decays: UnsafeBufferPointer<Float>, from origin: Int, row: Int,
    _ columns: Range<Int>
  ) {
    let decays = UnsafeBufferPointer(
      rebasing: decays[origin + columns.lowerBound..<origin + columns.upperBound])
    let start = row * width
    let sums = UnsafeMutableBufferPointer(
      rebasing: sums[start + columns.lowerBound..<start + columns.upperBound])
    let one = DensityScale.one
    for index in 0..<min(decays.count, sums.count) {
      let sum = sums[index] + DensityScale.rounded(factor * decays[index])
      sums[index] = sum < one ? sum : one
    }
  }

  /// Whether a position is in a range in which sums with the reach and the size of a picture cannot
  /// overflow.
  private static func isNear(_ position: Int) -> Bool {
    (-(1 << 48)...(1 << 48)).contains(position)
  }

  private func touch(columns: Range<Int>, rows: Range<Int>) {
    if touchedRows.isEmpty {
      touchedColumns = columns
      touchedRows = rows
    } else {
      touchedColumns =
        min(
          touchedColumns.lowerBound, columns.lowerBound)..<max(
          touchedColumns.upperBound, columns.upperBound)
      touchedRows =
        min(touchedRows.lowerBound, rows.lowerBound)..<max(touchedRows.upperBound, rows.upperBound)
    }
    work += columns.count * rows.count
    // Growing the runs takes at most one step per pixel in total; searching for their starts takes
    // an eighth of a step per pixel each time.
    if work > 4 * width * height { growFullRuns() }
  }

  /// Excludes runs of pixels with a density of 1 from further work, one run per row: in dense
  /// tiles few pixels are soon left.
  private func growFullRuns() {
    work = 0
    for row in touchedRows {
      if fullStarts[row] == fullEnds[row] {
        guard let seed = fullColumn(row) else { continue }
        fullStarts[row] = seed
        fullEnds[row] = seed + 1
      }
      while fullStarts[row] > 0, isFull(row, fullStarts[row] - 1) { fullStarts[row] -= 1 }
      while fullEnds[row] < width, isFull(row, fullEnds[row]) { fullEnds[row] += 1 }
    }
  }

  /// Returns a full pixel of a row, searching every eighth column.
  private func fullColumn(_ row: Int) -> Int? {
    stride(from: touchedColumns.lowerBound, to: touchedColumns.upperBound, by: 8).first {
      isFull(row, $0)
    }
  }

  @inline(__always)
  private func isFull(_ row: Int, _ column: Int) -> Bool {
    sums[row * width + column] == DensityScale.one
  }
}

extension HeatmapCanvas {
  /// Returns the density at a pixel: 0 … 1, clamped.
  package func density(x: Int, y: Int) -> Double {
    precondition(x >= 0 && x < width && y >= 0 && y < height)
    return Double(sums[y * width + x] / DensityScale.one)
  }

  /// Composites the colours of all densities over a picture, as far as both reach.
  ///
  /// - Complexity: O(pixels of the box that was added to), O(pixels) where a density of 0 has a
  ///   colour.
  package func draw(_ ramp: HeatmapRamp, onto picture: Pixmap) {
    let showsEverywhere = ramp.colors[0] != .transparent
    let rows = (showsEverywhere ? 0..<height : touchedRows).clamped(to: 0..<picture.height)
    let columns = (showsEverywhere ? 0..<width : touchedColumns).clamped(to: 0..<picture.width)
    ramp.colors.withUnsafeBufferPointer { colors in
      for row in rows {
        let densities = sums[(row * width)..<(row * width + width)]
        let target = row * picture.width
        for column in columns {
          let color = colors[DensityScale.index(densities[row * width + column])].bits
          guard color != 0 else { continue }
          picture.pixels[target + column] = PremultipliedColor.over(
            color, picture.pixels[target + column])
          if color >> 24 >= Pixmap.hidingAlpha, let edges = picture.edges(from: target) {
            edges[column] = 0
          }
        }
      }
    }
  }

  /// Whether a colour of the ramp is visible in a box of pixels, half-open.
  ///
  /// - Complexity: O(pixels of the box).
  package func shows(_ ramp: HeatmapRamp, columns: Range<Int>, rows: Range<Int>) -> Bool {
    let columns = columns.clamped(to: 0..<width)
    return rows.clamped(to: 0..<height).contains { row in
      columns.contains { column in
        ramp.colors[DensityScale.index(sums[row * width + column])] != .transparent
      }
    }
  }
}
