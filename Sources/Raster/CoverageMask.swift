/// The coverage of pixels by a shape: a small bitmap placed relative to an integer pixel.
///
/// The mask is trimmed: the first and last row and column contain a visible pixel.
package struct CoverageMask: Equatable, Sendable {
  /// The column and row of the first pixel, relative to the pixel that the mask is anchored to.
  package let originX: Int
  package let originY: Int

  package let width: Int
  package let height: Int

  /// The coverage: `width * height` bytes of 0 … 255, top row first.
  package let coverage: [UInt8]

  /// The columns from the first visible pixel to the last, per row; 0 ..< 0 in an empty row.
  package let rowSpans: [Range<Int16>]

  /// A mask without pixels.
  package static let empty = CoverageMask(
    originX: 0, originY: 0, width: 0, height: 0, coverage: [], rowSpans: [])

  package var isEmpty: Bool { width == 0 }

  /// The coverage of a pixel relative to the anchor; 0 outside.
  @inlinable
  package subscript(x: Int, y: Int) -> UInt8 {
    let column = x &- originX
    let row = y &- originY
    guard column >= 0, column < width, row >= 0, row < height else { return 0 }
    return coverage[row * width + column]
  }

  private init(
    originX: Int, originY: Int, width: Int, height: Int, coverage: [UInt8],
    rowSpans: [Range<Int16>]
  ) {
    self.originX = originX
    self.originY = originY
    self.width = width
    self.height = height
    self.coverage = coverage
    self.rowSpans = rowSpans
  }

  /// Creates a mask by trimming a bitmap of at most 32,767 columns whose first pixel is (`originX`,
  /// `originY`).
  ///
  /// - Complexity: O(width · height).
  package init(
    trimming bytes: UnsafeBufferPointer<UInt8>, width: Int, height: Int, originX: Int,
    originY: Int
  ) {
    precondition(width >= 0 && width <= Int(Int16.max) && height >= 0)
    precondition(bytes.count >= width * height)
    var spans: [Range<Int>] = []
    spans.reserveCapacity(height)
    var columns = 0..<0
    for row in 0..<height {
      let span = CoverageMask.visible(in: bytes[(row * width)..<((row + 1) * width)])
      spans.append(span)
      guard !span.isEmpty else { continue }
      columns =
        columns.isEmpty
        ? span : min(columns.lowerBound, span.lowerBound)..<max(columns.upperBound, span.upperBound)
    }
    guard let top = spans.firstIndex(where: { !$0.isEmpty }),
      let bottom = spans.lastIndex(where: { !$0.isEmpty })
    else {
      self = .empty
      return
    }
    var tight: [UInt8] = []
    tight.reserveCapacity(columns.count * (bottom - top + 1))
    for row in top...bottom {
      tight.append(
        contentsOf: bytes[(row * width + columns.lowerBound)..<(row * width + columns.upperBound)])
    }
    self.init(
      originX: originX + columns.lowerBound, originY: originY + top, width: columns.count,
      height: bottom - top + 1, coverage: tight,
      rowSpans: spans[top...bottom].map { span in
        guard !span.isEmpty else { return 0..<0 }
        return Int16(
          span.lowerBound - columns.lowerBound)..<Int16(span.upperBound - columns.lowerBound)
      })
  }

  /// Returns the columns from a row's first non-zero byte to its last.
  private static func visible(in row: Slice<UnsafeBufferPointer<UInt8>>) -> Range<Int> {
    guard let first = row.firstIndex(where: { $0 != 0 }),
      let last = row.lastIndex(where: { $0 != 0 })
    else { return 0..<0 }
    return (first - row.startIndex)..<(last + 1 - row.startIndex)
  }
}
