/// A place along the Hilbert curve of a square of 2¹⁶ × 2¹⁶ cells: neighbours on the curve are
/// neighbours in the square, without the jumps of Morton order.
struct HilbertCode {
  /// 0 ..< 2³².
  let rawValue: UInt32

  /// The place of a cell.
  ///
  /// Walks from the greatest quadrant down and turns the axes as the curve turns
  /// (H. S. Warren, Hacker's Delight, section 16-2).
  ///
  /// - Complexity: O(1), 16 steps.
  init(x: UInt16, y: UInt16) {
    var (x, y) = (UInt32(x), UInt32(y))
    var code: UInt32 = 0
    for bit in (0..<UInt32(16)).reversed() {
      let right = x >> bit & 1
      let lower = y >> bit & 1
      code = code << 2 | (3 * right) ^ lower
      guard lower == 0 else { continue }
      if right == 1 {
        x = ~x
        y = ~y
      }
      swap(&x, &y)
    }
    rawValue = code
  }
}
