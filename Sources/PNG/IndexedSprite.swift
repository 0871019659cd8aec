/// A small picture of palette indices that is drawn many times: a symbol at one size, label and
/// phase.
///
/// Index 0 is the background, which is transparent.
package struct IndexedSprite: Sendable {
  /// The number of columns, 0 … 4096.
  package let width: Int

  /// The number of rows, 0 … 4096.
  package let height: Int

  /// The largest index.
  package let largestIndex: UInt8

  /// The columns and rows outside of which all is background; empty if everything is.
  package let shownColumns: Range<Int>
  package let shownRows: Range<Int>

  private let storage: Storage

  /// - Parameters:
  ///   - width: the number of columns, 0 … 4096.
  ///   - height: the number of rows, 0 … 4096.
  ///   - indices: `width * height` palette indices, top row first.
  package init(width: Int, height: Int, indices: [UInt8]) {
    precondition((0...4096).contains(width) && (0...4096).contains(height))
    precondition(indices.count == width * height)
    self.width = width
    self.height = height
    largestIndex = indices.max() ?? 0
    storage = Storage(width: width, height: height, indices: indices)
    let (starts, ends) = (storage.rows.starts, storage.rows.ends)
    let filled = (0..<height).filter { starts[$0] < ends[$0] }
    let left = filled.map { Int(starts[$0]) }.min() ?? 0
    let right = filled.map { Int(ends[$0]) }.max() ?? 0
    shownColumns = left..<right
    shownRows = (filled.first ?? 0)..<((filled.last ?? -1) + 1)
  }

  /// The index at a column and row inside the sprite.
  package subscript(x: Int, y: Int) -> UInt8 {
    precondition(x >= 0 && x < width && y >= 0 && y < height)
    return withRows { $0.indices[y * width + x] }
  }

  /// Calls `body` with the rows.
  @inline(__always)
  func withRows<Result>(_ body: (IndexedRows) -> Result) -> Result {
    withExtendedLifetime(storage) { body(storage.rows) }
  }

  /// The rows, valid as long as a copy of the sprite exists.
  var unownedRows: IndexedRows { storage.rows }
}

extension IndexedSprite {
  /// The owner of the memory behind the rows; immutable after initialization, so that all threads
  /// may read it.
  private final class Storage: @unchecked Sendable {
    let rows: IndexedRows
    private let indices: UnsafeMutablePointer<UInt8>
    private let bounds: UnsafeMutablePointer<Int32>

    init(width: Int, height: Int, indices source: [UInt8]) {
      indices = .allocate(capacity: source.count + IndexedRows.overread)
      indices.initialize(repeating: 0, count: source.count + IndexedRows.overread)
      for (position, index) in source.enumerated() { indices[position] = index }
      bounds = .allocate(capacity: 2 * height + 1)
      bounds.initialize(repeating: 0, count: 2 * height + 1)
      for y in 0..<height {
        let row = source[(y * width)..<((y + 1) * width)]
        let start = row.firstIndex { $0 != 0 } ?? row.startIndex
        let end = (row.lastIndex { $0 != 0 } ?? start - 1) + 1
        bounds[y] = Int32(start - row.startIndex)
        bounds[height + y] = Int32(end - row.startIndex)
      }
      rows = IndexedRows(
        indices: indices, stride: width, starts: bounds, ends: bounds + height, rows: 0..<height)
    }

    deinit {
      indices.deallocate()
      bounds.deallocate()
    }
  }
}
