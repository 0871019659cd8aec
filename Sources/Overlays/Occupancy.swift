/// The blocks of an image that show anything, as sums, so that a box of any size is tested in one
/// step.
package struct Occupancy: Sendable {
  /// Side of a block in pixels.
  static let blockSide = 16

  private let columns: Int
  private let rows: Int

  /// The number of blocks above and to the left of a corner that show anything, at (row, column) of
  /// a grid with one row and column more.
  private let sums: [Int32]

  /// - Complexity: O(pixels).
  init(width: Int, height: Int, texels: OverlayImage.Texels) {
    columns = (width + Self.blockSide - 1) / Self.blockSide
    rows = (height + Self.blockSide - 1) / Self.blockSide
    sums = texels.withReader(Counting(width: width, height: height, columns: columns, rows: rows))
  }

  /// Whether a box of pixels is blank; ranges beyond the image are clipped.
  ///
  /// May return false for a box whose own pixels are blank, but whose blocks are not.
  ///
  /// - Complexity: O(1).
  func isBlank(x: Range<Int>, y: Range<Int>) -> Bool {
    let side = Self.blockSide
    let left = min(max(x.lowerBound, 0) / side, columns)
    let right = min((max(x.upperBound, 0) + side - 1) / side, columns)
    let top = min(max(y.lowerBound, 0) / side, rows)
    let bottom = min((max(y.upperBound, 0) + side - 1) / side, rows)
    guard left < right, top < bottom else { return true }
    func sum(_ row: Int, _ column: Int) -> Int32 { sums[row * (columns + 1) + column] }
    return sum(bottom, right) - sum(top, right) - sum(bottom, left) + sum(top, left) == 0
  }

  private struct Counting: TexelTask {
    let width: Int
    let height: Int
    let columns: Int
    let rows: Int

    func run(_ reader: some TexelReader) -> [Int32] {
      let stride = columns + 1
      var sums = [Int32](repeating: 0, count: stride * (rows + 1))
      for row in 0..<rows {
        var inRow: Int32 = 0
        for column in 0..<columns {
          if shows(reader, row: row, column: column) { inRow += 1 }
          sums[(row + 1) * stride + column + 1] = sums[row * stride + column + 1] + inRow
        }
      }
      return sums
    }

    private func shows(_ reader: some TexelReader, row: Int, column: Int) -> Bool {
      let side = Occupancy.blockSide
      for y in row * side..<min((row + 1) * side, height) {
        for x in column * side..<min((column + 1) * side, width)
        where !reader.isBlank(reader.sample(y &* width &+ x)) { return true }
      }
      return false
    }
  }
}
