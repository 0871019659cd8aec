/// A small picture of palette indices, drawn many times: a symbol at one size, label and phase.
///
/// Index 0 is the background, through which whatever lies below shows.
package struct IndexedSprite: Hashable, Sendable {
  package let width: Int
  package let height: Int

  /// For each row the first column that is no background; equal to its end where the row is blank.
  package let rowStarts: ContiguousArray<Int32>

  /// For each row the column behind the last that is no background.
  package let rowEnds: ContiguousArray<Int32>

  /// The greatest index.
  package let largestIndex: UInt8

  /// `width * height` indices and room for reading words.
  private let indices: ContiguousArray<UInt8>

  /// - Parameters:
  ///   - width: columns, 0 … 4096.
  ///   - height: rows, 0 … 4096.
  ///   - indices: `width * height` palette indices, top row first.
  package init(width: Int, height: Int, indices: [UInt8]) {
    precondition((0...4096).contains(width) && (0...4096).contains(height))
    precondition(indices.count == width * height)
    self.width = width
    self.height = height
    self.indices = ContiguousArray(indices + [UInt8](repeating: 0, count: IndexedRows.overread))
    largestIndex = indices.max() ?? 0
    var starts = ContiguousArray<Int32>()
    var ends = ContiguousArray<Int32>()
    for y in 0..<height {
      let row = indices[(y * width)..<((y + 1) * width)]
      let start = row.firstIndex { $0 != 0 } ?? row.startIndex
      let end = (row.lastIndex { $0 != 0 } ?? start - 1) + 1
      starts.append(Int32(start - row.startIndex))
      ends.append(Int32(end - row.startIndex))
    }
    (rowStarts, rowEnds) = (starts, ends)
  }

  /// The index at a column and row inside the sprite.
  package subscript(x: Int, y: Int) -> UInt8 {
    precondition(x >= 0 && x < width && y >= 0 && y < height)
    return indices[y * width + x]
  }

  /// Lends the rows to `body`.
  @inline(__always)
  func withRows<Result>(_ body: (IndexedRows) -> Result) -> Result {
    indices.withUnsafeBufferPointer { indices in
      rowStarts.withUnsafeBufferPointer { starts in
        rowEnds.withUnsafeBufferPointer { ends in
          guard let base = indices.baseAddress else { preconditionFailure("never empty") }
          guard let starts = starts.baseAddress, let ends = ends.baseAddress else {
            // No rows: the addresses are never used.
            let none = UnsafeRawPointer(base).assumingMemoryBound(to: Int32.self)
            return body(
              IndexedRows(indices: base, stride: width, starts: none, ends: none, rows: 0..<0))
          }
          return body(
            IndexedRows(
              indices: base, stride: width, starts: starts, ends: ends, rows: 0..<height))
        }
      }
    }
  }
}
