import Columns

/// A hash table from squares of a zoom's world to numbers. It lies in columns, since a dictionary
/// would ignore the memory limit.
///
/// Open addressing with linear probing; at most five of eight slots are used.
struct SquareTable {
  private var keys: Column<UInt64>
  /// The numbers; −1 in a free slot.
  private var values: Column<Int32>
  private var count = 0
  /// 64 minus the base-2 logarithm of the number of slots.
  private var shift = UInt64.bitWidth

  private static let leastSlots = 1 << 10

  init(in scratch: Scratch?) {
    keys = Column(in: scratch)
    values = Column(in: scratch)
  }

  /// Returns the number of a square; `nil` for none.
  ///
  /// - Complexity: O(1) on average.
  subscript(key: UInt64) -> Int32? {
    guard !values.isEmpty else { return nil }
    let value = values[slot(of: key)]
    return value < 0 ? nil : value
  }

  /// Sets the number of a square, which is not negative.
  ///
  /// - Complexity: O(1) amortized.
  mutating func set(_ value: Int32, for key: UInt64) {
    if count * 8 >= values.count * 5 { grow() }
    let slot = slot(of: key)
    if values[slot] < 0 {
      keys[slot] = key
      count += 1
    }
    values[slot] = value
  }

  /// Returns the slot of a key, or the free slot in which it belongs.
  private func slot(of key: UInt64) -> Int {
    // Fibonacci hashing: neighbouring squares lie far apart.
    var slot = Int(truncatingIfNeeded: (key &* 0x9E37_79B9_7F4A_7C15) >> UInt64(shift))
    while values[slot] >= 0, keys[slot] != key { slot = (slot + 1) & (values.count - 1) }
    return slot
  }

  private mutating func grow() {
    let (oldKeys, oldValues) = (keys, values)
    let slots = max(2 * oldValues.count, Self.leastSlots)
    keys = Column(uninitializedCount: slots, in: keys.scratch)
    values = Column(repeating: -1, count: slots, in: values.scratch)
    shift = UInt64.bitWidth - slots.trailingZeroBitCount
    for index in oldValues.indices where oldValues[index] >= 0 {
      let slot = slot(of: oldKeys[index])
      keys[slot] = oldKeys[index]
      values[slot] = oldValues[index]
    }
  }
}
