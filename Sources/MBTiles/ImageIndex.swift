package import Columns

/// An index that finds an image's number by its MD5: open addressing over numbers, linear probing.
///
/// Numbers are indexes into `digests`.
package struct ImageIndex {
  /// The MD5 of every image, by number.
  private(set) var digests: Column<MD5Digest>

  /// The seed of the slots. Names come from files, too, so their slots must not be predictable;
  /// numbers do not depend on it.
  private static let seed = (
    low: UInt64.random(in: .min ... .max) | 1, high: UInt64.random(in: .min ... .max) | 1
  )

  /// Numbers + 1, 0 where free; their number is a power of two, at least twice the number of
  /// `digests`.
  private var slots: Column<UInt32>

  package init(in scratch: Scratch? = nil) {
    digests = Column(in: scratch)
    slots = Column(repeating: 0, count: 1 << 12, in: scratch)
  }

  package var count: Int { digests.count }

  /// Returns the number of an image, or `nil` if it does not exist.
  ///
  /// - Complexity: O(1) on average.
  package func number(of digest: MD5Digest) -> Int? {
    let slot = slots[self.slot(of: digest)]
    return slot == 0 ? nil : Int(slot) - 1
  }

  /// Returns all numbers in ascending order of the digests.
  ///
  /// - Complexity: O(n) for evenly distributed digests, O(n log n) for others.
  func numbersInOrder() -> Column<UInt32> {
    BucketSort.sorted(
      Column(0..<UInt32(clamping: digests.count), in: digests.scratch),
      bucket: { Int(digests[Int($0)].high >> 48) },
      by: { digests[Int($0)] < digests[Int($1)] })
  }

  /// Adds an image, which must be new, and returns its number: 0, 1, 2 …
  ///
  /// - Complexity: O(1) amortized.
  @discardableResult
  package mutating func add(_ digest: MD5Digest) -> Int {
    if digests.count * 2 >= slots.count { grow() }
    slots[slot(of: digest)] = UInt32(digests.count + 1)
    digests.append(digest)
    return digests.count - 1
  }

  /// Returns the slot that holds a digest, or the free one where it belongs.
  private func slot(of digest: MD5Digest) -> Int {
    let mask = slots.count - 1
    let mixed = digest.low &* Self.seed.low &+ digest.high &* Self.seed.high
    var place = Int(truncatingIfNeeded: mixed >> 24) & mask
    while slots[place] != 0, digests[Int(slots[place]) - 1] != digest {
      place = (place + 1) & mask
    }
    return place
  }

  private mutating func grow() {
    let count = slots.count * 2
    slots = Column(in: digests.scratch)
    slots.append(repeating: 0, count: count)
    for number in digests.indices { slots[slot(of: digests[number])] = UInt32(number + 1) }
  }
}
