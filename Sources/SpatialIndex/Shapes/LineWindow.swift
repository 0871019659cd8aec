import Tiling

/// The pixels of a tile in which a line is drawn: those whose centres lie in the source tile that has it.
@usableFromInline
package struct LineWindow: BitwiseCopyable, Hashable, Sendable {
  /// The first column and the one after the last, from the tile's west edge.
  package let firstColumn: Int32
  package let endColumn: Int32

  /// The first row and the one after the last, from the tile's north edge.
  package let firstRow: Int32
  package let endRow: Int32

  /// The window of lines that are drawn everywhere.
  static let all = LineWindow(firstColumn: .min, endColumn: .max, firstRow: .min, endRow: .max)

  private init(firstColumn: Int32, endColumn: Int32, firstRow: Int32, endRow: Int32) {
    self.firstColumn = firstColumn
    self.endColumn = endColumn
    self.firstRow = firstRow
    self.endRow = endRow
  }

  /// Creates the window of a box in 1/256 pixels, seen from a tile's north-west corner. A pixel whose
  /// centre lies on the border of two boxes belongs to the one behind it.
  init(_ box: PlaneBox, fromX originX: Int, y originY: Int) {
    func pixel(_ place: Int, _ origin: Int) -> Int32 {
      Int32(clamping: (place - origin + 127) >> 8)
    }
    self.init(
      firstColumn: pixel(box.minX, originX), endColumn: pixel(box.maxX, originX),
      firstRow: pixel(box.minY, originY), endRow: pixel(box.maxY, originY))
  }

  /// Whether a tile shows any of its pixels.
  ///
  /// - Parameter side: the number of the tile's pixels on each side.
  func isShown(side: Int) -> Bool {
    endColumn > 0 && firstColumn < side && endRow > 0 && firstRow < side
      && firstColumn < endColumn && firstRow < endRow
  }
}
