/// A grid of square cells that shapes are drawn into, each keeping the number of the last draw.
///
/// If ``records`` is set, the canvas also records every draw that reached a cell, in order: a
/// canvas of one cell then lists everything drawn there.
final class TapCanvas {
  /// The north-west corner of the first cell, in pixels of the tile.
  let originX: Double
  let originY: Double

  /// The side of a cell in pixels.
  let cell: Double
  let columns: Int
  let rows: Int

  /// The number of the last draw in each cell, row by row; 0 if the cell is blank.
  private(set) var cells: [UInt32]

  /// The numbers of all draws that reached a cell, if they are recorded; a number may occur twice.
  private(set) var reached: [UInt32] = []
  private let records: Bool

  /// The rows in which cells have been set since the last ``clear()``: most tiles show a few small
  /// symbols.
  private(set) var usedRows = 0..<0

  /// Whether no cell has been set since the last ``clear()``.
  var isBlank: Bool { usedRows.isEmpty }

  init(
    originX: Double = 0, originY: Double = 0, cell: Double, columns: Int, rows: Int,
    records: Bool = false
  ) {
    self.originX = originX
    self.originY = originY
    self.cell = cell
    self.columns = columns
    self.rows = rows
    self.records = records
    cells = Array(repeating: 0, count: columns * rows)
  }

  /// A blank canvas of the same cells.
  var another: TapCanvas {
    TapCanvas(
      originX: originX, originY: originY, cell: cell, columns: columns, rows: rows,
      records: records)
  }

  func clear() {
    guard !isBlank else { return }
    let used = usedRows.lowerBound * columns..<usedRows.upperBound * columns
    cells.withUnsafeMutableBufferPointer { cells in
      for index in used { cells[index] = 0 }
    }
    reached.removeAll(keepingCapacity: true)
    usedRows = 0..<0
  }

  /// Adds a row to the used ones.
  @inline(__always)
  private func use(_ row: Int) {
    usedRows =
      isBlank
      ? row..<row + 1 : min(usedRows.lowerBound, row)..<max(usedRows.upperBound, row + 1)
  }

  /// Sets the cells of a row in a half-open range of columns, clipped.
  @inline(__always)
  func fill(row: Int, from first: Int, to end: Int, with number: UInt32) {
    guard row >= 0, row < rows else { return }
    let start = max(first, 0)
    let stop = min(end, columns)
    guard start < stop else { return }
    let place = row * columns
    cells.withUnsafeMutableBufferPointer { cells in
      for column in start..<stop { cells[place + column] = number }
    }
    use(row)
    if records { reached.append(number) }
  }

  /// Copies the set cells of another canvas over this one.
  func cover(with other: TapCanvas, where isFree: (Int) -> Bool = { _ in true }) {
    guard !other.isBlank else { return }
    var isUsed = false
    for row in other.usedRows {
      for index in row * columns..<(row + 1) * columns
      where other.cells[index] != 0 && isFree(index) {
        cells[index] = other.cells[index]
        use(row)
        isUsed = true
      }
    }
    guard isUsed else { return }
    if records { reached.append(contentsOf: other.reached) }
  }

  // MARK: Places

  /// Returns the columns or rows that a range of pixels reaches into, edges not counted.
  @inline(__always)
  func range(from low: Double, to high: Double, origin: Double, count: Int) -> Range<Int> {
    let first = min(max(((low - origin) / cell).rounded(.down), 0), Double(count))
    let end = min(max(((high - origin) / cell).rounded(.up), first), Double(count))
    return Int(first)..<Int(end)
  }

  func columnRange(from low: Double, to high: Double) -> Range<Int> {
    range(from: low, to: high, origin: originX, count: columns)
  }

  func rowRange(from low: Double, to high: Double) -> Range<Int> {
    range(from: low, to: high, origin: originY, count: rows)
  }
}
