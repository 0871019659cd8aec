/// The columns of each row of a plane that hold values, so that clearing costs no more than drawing
/// did.
struct TouchedRows: ~Copyable {
  /// The first column touched and the one after the last, per row; `.max` and 0 if there is none.
  private(set) var bounds = UnsafeMutableBufferPointer<(lower: Int32, upper: Int32)>
    .allocate(capacity: 0)

  /// The range of rows that were touched.
  private(set) var rows = 0..<0

  init() {}

  deinit {
    bounds.deallocate()
  }

  /// Makes room for a plane of this height; no row may be touched.
  mutating func begin(height: Int) {
    guard bounds.count < height else { return }
    bounds.deallocate()
    bounds = .allocate(capacity: height)
    bounds.initialize(repeating: (.max, 0))
  }

  /// Marks columns of a row.
  @inline(__always)
  mutating func touch(row: Int, _ columns: Range<Int>) {
    let old = bounds[row]
    bounds[row] = (
      min(old.lower, Int32(truncatingIfNeeded: columns.lowerBound)),
      max(old.upper, Int32(truncatingIfNeeded: columns.upperBound))
    )
  }

  /// Extends the rows to those in which ``touch(row:_:)`` may have been called.
  mutating func extend(toRows touched: Range<Int>) {
    guard !touched.isEmpty else { return }
    rows =
      rows.isEmpty
      ? touched
      : min(rows.lowerBound, touched.lowerBound)..<max(rows.upperBound, touched.upperBound)
  }

  /// Returns the columns of a row, and resets it.
  mutating func take(row: Int) -> Range<Int> {
    let (lower, upper) = bounds[row]
    bounds[row] = (.max, 0)
    return lower < upper ? Int(lower)..<Int(upper) : 0..<0
  }

  /// Resets the rows, after all of them were taken.
  mutating func end() {
    rows = 0..<0
  }
}
