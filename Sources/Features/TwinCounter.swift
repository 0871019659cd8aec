/// A counter of earlier occurrences of hashes: an open-addressing table of 64 bits per hash, so
/// that millions of records without an id fit into little memory.
///
/// Only half of a hash is compared: among ten million different records, two share one with a
/// probability of 3 in a million, and the second would then get an ordinal that it does not need.
struct TwinCounter: Sendable {
  /// The halves of hashes, 0 in a free slot; their number is a power of two.
  private var slots = ContiguousArray<UInt64>(repeating: 0, count: 1 << 10)
  private var used = 0
  /// The number of occurrences of the hashes that came more than once.
  private var repeated: [UInt64: Int] = [:]

  /// Counts a hash.
  ///
  /// - Returns: the number of its earlier occurrences.
  /// - Complexity: O(1) amortized.
  mutating func count(_ hash: ContentHash) -> Int {
    let half = max(hash.low, 1)
    guard !insert(half) else { return 0 }
    let before = repeated[half, default: 1]
    repeated[half] = before + 1
    return before
  }

  /// Whether the half was new.
  private mutating func insert(_ half: UInt64) -> Bool {
    // At three quarters full, a search examines at most 8.5 slots on average (Knuth, 6.4).
    if used * 4 >= slots.count * 3 { grow() }
    let place = Self.place(of: half, in: slots)
    if slots[place] == half { return false }
    slots[place] = half
    used += 1
    return true
  }

  private mutating func grow() {
    var larger = ContiguousArray<UInt64>(repeating: 0, count: slots.count * 2)
    for half in slots where half != 0 { larger[Self.place(of: half, in: larger)] = half }
    slots = larger
  }

  /// Returns the slot that holds the half, or the free one where it belongs.
  private static func place(of half: UInt64, in slots: ContiguousArray<UInt64>) -> Int {
    let mask = slots.count - 1
    var place = Int(truncatingIfNeeded: half) & mask
    while slots[place] != 0, slots[place] != half { place = (place + 1) & mask }
    return place
  }
}
