/// A tile of palette indices that tracks which part of each row has been touched.
///
/// Index 0 is the background. One worker owns a canvas, draws a tile, encodes it and clears it; the
/// cost of every step depends on what was touched, not on the tile's area.
package final class IndexedCanvas {
  package let width: Int
  package let height: Int
  private let indices: UnsafeMutablePointer<UInt8>
  private let starts: UnsafeMutablePointer<Int32>
  private let ends: UnsafeMutablePointer<Int32>
  private var touched: Range<Int>

  /// Creates a blank canvas of 1 … 4096 columns and rows.
  package init(width: Int, height: Int) {
    precondition((1...4096).contains(width) && (1...4096).contains(height))
    self.width = width
    self.height = height
    let count = width * height + IndexedRows.overread
    indices = .allocate(capacity: count)
    indices.initialize(repeating: 0, count: count)
    starts = .allocate(capacity: height)
    starts.initialize(repeating: 0, count: height)
    ends = .allocate(capacity: height)
    ends.initialize(repeating: 0, count: height)
    touched = 0..<0
  }

  deinit {
    indices.deallocate()
    starts.deallocate()
    ends.deallocate()
  }

  /// The index at a column and row inside the canvas.
  package subscript(x: Int, y: Int) -> UInt8 {
    precondition(x >= 0 && x < width && y >= 0 && y < height)
    return indices[y * width + x]
  }

  /// Draws a sprite with its north-west corner at a column and row, which may lie outside.
  ///
  /// Indices other than the background replace existing ones; those outside the canvas are dropped.
  ///
  /// - Complexity: O(indices in the sprite's spans).
  package func draw(_ sprite: IndexedSprite, x: Int, y: Int) {
    forEachSpan(of: sprite, x: x, y: y) { from, into, count in
      Self.overlay(from, onto: into, count: count)
    }
  }

  /// Draws a sprite as ``draw(_:x:y:)`` does, with each index replaced by its entry in a table.
  package func draw(
    _ sprite: IndexedSprite, x: Int, y: Int, replacing table: UnsafeBufferPointer<UInt8>
  ) {
    precondition(Int(sprite.largestIndex) < table.count)
    forEachSpan(of: sprite, x: x, y: y) { from, into, count in
      for column in 0..<count where from[column] != 0 { into[column] = table[Int(from[column])] }
    }
  }

  /// Calls `body` with the visible part of each row of a sprite, and its place in the canvas.
  @inline(__always)
  private func forEachSpan(
    of sprite: IndexedSprite, x: Int, y: Int,
    _ body: (UnsafePointer<UInt8>, UnsafeMutablePointer<UInt8>, Int) -> Void
  ) {
    guard x < width, y < height, x > -sprite.width, y > -sprite.height else { return }
    let (left, right) = (max(0, -x), min(sprite.width, width - x))
    sprite.withRows { source in
      for row in max(0, -y)..<min(sprite.height, height - y) {
        let start = max(Int(source.starts[row]), left)
        let end = min(Int(source.ends[row]), right)
        if start >= end { continue }
        touch(row: y &+ row, from: x &+ start, to: x &+ end)
        body(
          source.indices + row &* source.stride + start,
          indices + (y &+ row) &* width + x + start, end &- start)
      }
    }
  }

  /// Replaces the indices of a row from a column on, including background, as far as they are
  /// inside.
  package func setRow(y: Int, start: Int, indices source: UnsafeBufferPointer<UInt8>) {
    guard y >= 0, y < height, start < width, start > -source.count else { return }
    let (left, right) = (max(0, -start), min(source.count, width - start))
    guard left < right, let from = source.baseAddress else { return }
    touch(row: y, from: start + left, to: start + right)
    (indices + y * width + start + left).update(from: from + left, count: right - left)
  }

  /// Resets every touched part to the background.
  package func clear() {
    for y in touched where starts[y] < ends[y] {
      let (start, end) = (Int(starts[y]), Int(ends[y]))
      (indices + y &* width + start).update(repeating: 0, count: end &- start)
      (starts[y], ends[y]) = (0, 0)
    }
    touched = 0..<0
  }

  /// Copies the indices other than the background.
  @inline(__always)
  private static func overlay(
    _ source: UnsafePointer<UInt8>, onto target: UnsafeMutablePointer<UInt8>, count: Int
  ) {
    var column = 0
    while column &+ 8 <= count {
      overlayWord(source + column, onto: target + column)
      column &+= 8
    }
    if column == count { return }
    if count >= 8 {
      // The last word overlaps the one before it: drawing a pixel twice is harmless.
      overlayWord(source + (count &- 8), onto: target + (count &- 8))
    } else {
      for column in 0..<count where source[column] != 0 { target[column] = source[column] }
    }
  }

  /// Copies the non-background indices among 8.
  @inline(__always)
  private static func overlayWord(
    _ source: UnsafePointer<UInt8>, onto target: UnsafeMutablePointer<UInt8>
  ) {
    let new = UnsafeRawPointer(source).loadUnaligned(as: UInt64.self)
    let old = UnsafeRawPointer(target).loadUnaligned(as: UInt64.self)
    // The high bit of each byte of `new` that is not 0, spread over the byte.
    let low: UInt64 = 0x7F7F_7F7F_7F7F_7F7F
    let high = (((new & low) &+ low) | new) & ~low
    let mask = (high &- (high &>> 7)) | high
    UnsafeMutableRawPointer(target).storeBytes(of: new | old & ~mask, as: UInt64.self)
  }

  @inline(__always)
  private func touch(row: Int, from start: Int, to end: Int) {
    let (start, end) = (Int32(truncatingIfNeeded: start), Int32(truncatingIfNeeded: end))
    let isFresh = starts[row] == ends[row]
    starts[row] = isFresh ? start : min(starts[row], start)
    ends[row] = isFresh ? end : max(ends[row], end)
    touched =
      touched.isEmpty
      ? row..<(row &+ 1) : min(touched.lowerBound, row)..<max(touched.upperBound, row &+ 1)
  }

  /// Calls `body` with the rows.
  @inline(__always)
  func withRows<Result>(_ body: (IndexedRows) -> Result) -> Result {
    body(
      IndexedRows(indices: indices, stride: width, starts: starts, ends: ends, rows: touched))
  }
}
