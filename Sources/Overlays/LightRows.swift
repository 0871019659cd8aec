/// Rows of the image, resampled to the columns of a tile: a ring buffer of those that the current
/// rows of the tile need, plus one row for their sum.
///
/// Reference semantics: one worker owns it.
final class LightRows {
  /// The number of pixels of a row.
  let width: Int

  /// The number of rows that fit.
  private(set) var capacity: Int

  /// The row in which the others are summed.
  let sum: UnsafeMutableBufferPointer<SIMD4<Float>>

  private var rows: UnsafeMutableBufferPointer<SIMD4<Float>>

  /// The image's row in each slot, or −1.
  private var holds: [Int]

  /// Whether the row in each slot is blank and has not been written.
  private var blanks: [Bool]

  init(width: Int) {
    self.width = width
    capacity = 0
    sum = .allocate(capacity: width)
    sum.initialize(repeating: .zero)
    rows = .allocate(capacity: 0)
    (holds, blanks) = ([], [])
  }

  deinit {
    sum.deallocate()
    rows.deallocate()
  }

  /// Drops all rows and makes room for some consecutive ones.
  func begin(rows count: Int) {
    if count > capacity {
      rows.deallocate()
      capacity = count
      rows = .allocate(capacity: count * width)
      rows.initialize(repeating: .zero)
      blanks = Array(repeating: false, count: count)
      holds = Array(repeating: -1, count: count)
      return
    }
    for slot in 0..<capacity { holds[slot] = -1 }
  }

  /// Returns the pixels of a row of the image, `nil` if it is blank; a missing row is computed by
  /// `make`, which returns whether it shows anything.
  @inline(__always)
  func row(
    _ index: Int, make: (UnsafeMutableBufferPointer<SIMD4<Float>>) -> Bool
  ) -> UnsafeMutableBufferPointer<SIMD4<Float>>? {
    let slot = index % capacity
    let row = UnsafeMutableBufferPointer(rebasing: rows[slot * width..<(slot + 1) * width])
    if holds[slot] != index {
      holds[slot] = index
      blanks[slot] = !make(row)
    }
    return blanks[slot] ? nil : row
  }
}
