/// Rows of the image, resampled to the columns of a tile: a ring of those that the current rows of
/// the tile need, and one row more in which they are added up.
///
/// Reference semantics: one worker owns it.
final class LightRows {
  /// Pixels of a row.
  let width: Int

  /// How many rows it holds.
  private(set) var capacity: Int

  /// The row that is added up.
  let sum: UnsafeMutableBufferPointer<SIMD4<Float>>

  private var rows: UnsafeMutableBufferPointer<SIMD4<Float>>

  /// For each slot the image's row that it holds, or −1.
  private var holds: [Int]

  /// For each slot whether its row shows nothing and has not been written.
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

  /// Forgets all rows and makes room for some consecutive ones.
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

  /// The pixels of a row of the image, `nil` where it shows nothing; made by `make` if they are not
  /// there, which returns whether there is anything.
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
