import Raster

/// The columns of each row of a tile that were painted.
struct PaintedRows {
  private var starts: ContiguousArray<Int32>
  private var ends: ContiguousArray<Int32>
  private var first: Int
  private var last = 0
  private let side: Int

  init(side: Int) {
    self.side = side
    starts = ContiguousArray(repeating: Int32(side), count: side)
    ends = ContiguousArray(repeating: 0, count: side)
    first = side
  }

  /// Marks the visible runs of a sprite whose anchor is at a pixel; clipped.
  mutating func mark(_ sprite: SymbolSprite, x: Int, y: Int) {
    let top = y + sprite.originY
    let left = x + sprite.originX
    let rows = max(0, -top)..<max(max(0, -top), min(sprite.height, side - top))
    for row in rows {
      let start = max(left + Int(sprite.rowStarts[row]), 0)
      let end = min(left + Int(sprite.rowEnds[row]), side)
      guard start < end else { continue }
      starts[top + row] = min(starts[top + row], Int32(start))
      ends[top + row] = max(ends[top + row], Int32(end))
    }
    guard !rows.isEmpty else { return }
    first = min(first, top + rows.lowerBound)
    last = max(last, top + rows.upperBound)
  }

  /// Marks every pixel.
  mutating func markAll() {
    for y in 0..<side {
      starts[y] = 0
      ends[y] = Int32(side)
    }
    first = 0
    last = side
  }

  /// Calls the body for every touched row, from the top.
  func forEach(_ body: (Int, Range<Int>) -> Void) {
    guard first < last else { return }
    for y in first..<last where starts[y] < ends[y] { body(y, Int(starts[y])..<Int(ends[y])) }
  }

  mutating func reset() {
    guard first < last else { return }
    for y in first..<last {
      starts[y] = Int32(side)
      ends[y] = 0
    }
    first = side
    last = 0
  }
}
