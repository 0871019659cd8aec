/// The columns of each row of a plane that hold something, so that clearing costs what drawing did.
struct TouchedRows: ~Copyable {
  /// Per row the first column touched and the one after the last; `.max` and 0 where none is.
  private(set) var bounds = UnsafeMutableBufferPointer<(lower: Int32, upper: Int32)>
    .allocate(capacity: 0)

  /// The rows between which anything was touched.
  private(set) var rows = 0..<0

  init() {}

  deinit {
    bounds.deallocate()
  }

  /// Makes room for a plane of this height; nothing may be touched.
  mutating func begin(height: Int) {
    guard bounds.count < height else { return }
    bounds.deallocate()
    bounds = .allocate(capacity: height)
    bounds.initialize(repeating: (.max, 0))
  }

  /// Notes columns of a row.
  @inline(__always)
  mutating func touch(row: Int, _ columns: Range<Int>) {
    let old = bounds[row]
    bounds[row] = (
      min(old.lower, Int32(truncatingIfNeeded: columns.lowerBound)),
      max(old.upper, Int32(truncatingIfNeeded: columns.upperBound))
    )
  }

  /// Notes rows in which ``touch(row:_:)`` may have been called.
  mutating func extend(toRows touched: Range<Int>) {
    guard !touched.isEmpty else { return }
    rows =
      rows.isEmpty
      ? touched
      : min(rows.lowerBound, touched.lowerBound)..<max(rows.upperBound, touched.upperBound)
  }

  /// The columns of a row, which then count as untouched.
  mutating func take(row: Int) -> Range<Int> {
    let (lower, upper) = bounds[row]
    bounds[row] = (.max, 0)
    return lower < upper ? Int(lower)..<Int(upper) : 0..<0
  }

  /// Forgets the rows, after all of them were taken.
  mutating func end() {
    rows = 0..<0
  }
}
