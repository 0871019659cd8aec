/// The row filters of PNG, section 9 of its specification: each replaces a byte by its difference
/// from a prediction based on the byte to its left (a), above (b) and above left (c), modulo 256.
enum PNGFilter: UInt8, CaseIterable {
  case none, sub, up, average, paeth

  /// Filters one row of `count` bytes and returns the sum of the differences' absolute values.
  ///
  /// - Parameters:
  ///   - row: preceded in memory by at least `distance` zero bytes, like `above`.
  ///   - above: the row above, zeros for the first row.
  ///   - distance: the number of bytes to the same sample of the pixel to the left.
  func apply(
    _ row: UnsafePointer<UInt8>, above: UnsafePointer<UInt8>, distance: Int, count: Int,
    into output: UnsafeMutablePointer<UInt8>
  ) -> Int {
    let (left, aboveLeft) = (row - distance, above - distance)
    switch self {
    case .none:
      return Self.differences(count, output) { row[$0] }
    case .sub:
      return Self.differences(count, output) { row[$0] &- left[$0] }
    case .up:
      return Self.differences(count, output) { row[$0] &- above[$0] }
    case .average:
      return Self.differences(count, output) { index in
        row[index] &- UInt8(truncatingIfNeeded: (UInt16(left[index]) &+ UInt16(above[index])) >> 1)
      }
    case .paeth:
      return Self.differences(count, output) { index in
        row[index] &- Self.paeth(left[index], above[index], aboveLeft[index])
      }
    }
  }

  @inline(__always)
  private static func differences(
    _ count: Int, _ output: UnsafeMutablePointer<UInt8>, _ difference: (Int) -> UInt8
  ) -> Int {
    var sum: UInt32 = 0
    for index in 0..<count {
      let value = difference(index)
      output[index] = value
      sum &+= UInt32(min(value, 0 &- value))
    }
    return Int(sum)
  }

  /// Returns the absolute value without the trap of `abs`, which prevents vectorization of the
  /// loop.
  @inline(__always)
  private static func magnitude(_ value: Int16) -> Int16 { max(value, 0 &- value) }

  /// Returns the neighbour nearest to a + b − c, in the order a, b, c on ties.
  @inline(__always)
  private static func paeth(_ a: UInt8, _ b: UInt8, _ c: UInt8) -> UInt8 {
    let (wideA, wideB, wideC) = (Int16(a), Int16(b), Int16(c))
    let toA = magnitude(wideB &- wideC)
    let toB = magnitude(wideA &- wideC)
    let toC = magnitude(wideA &+ wideB &- wideC &- wideC)
    let nearer = toB <= toC ? b : c
    return toA <= toB && toA <= toC ? a : nearer
  }
}
