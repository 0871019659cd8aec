package import Features

/// A numbering of scenes in the order of their first occurrence: open addressing over hashes, with
/// linear probing.
///
/// A scene's hash is evenly distributed, so its lowest bits serve as the slot. On two million
/// scenes the table takes a third of the time of a `Dictionary`, and its columns can be stored as
/// they are.
package struct SceneTable: Sendable {
  /// The hash of every scene, by number.
  package private(set) var hashes: Column<StableHash>

  /// The numbers + 1, or 0 for a free slot; the count is a power of two, at least twice the count
  /// of ``hashes``.
  private var slots: Column<UInt32>

  /// Creates an empty table.
  ///
  /// - Parameter scratch: decides where its columns lie; `nil` for memory.
  package init(in scratch: Scratch? = nil) {
    hashes = Column(in: scratch)
    slots = Column(repeating: 0, count: 1 << 10, in: scratch)
  }

  /// Creates a table of scenes that were numbered before.
  ///
  /// - Parameter hashes: the hashes by number; of equal hashes the first one counts.
  /// - Complexity: O(scenes).
  package init(_ hashes: Column<StableHash>) {
    self.init(in: hashes.scratch)
    self.hashes = hashes
    fill(atLeast: hashes.count)
  }

  /// Returns the number of a scene, or `nil` if the table does not have it.
  ///
  /// - Complexity: O(1) on average.
  package func number(of hash: StableHash) -> Int? {
    let slot = slots[place(of: hash)]
    return slot == 0 ? nil : Int(slot) - 1
  }

  /// Returns the number of a scene, which is a new one if the table does not have it yet.
  ///
  /// - Complexity: O(1) amortized.
  package mutating func insert(_ hash: StableHash) -> (number: Int, isNew: Bool) {
    if hashes.count * 2 >= slots.count { fill(atLeast: hashes.count + 1) }
    let place = place(of: hash)
    guard slots[place] == 0 else { return (Int(slots[place]) - 1, false) }
    hashes.append(hash)
    slots[place] = UInt32(hashes.count)
    return (hashes.count - 1, true)
  }

  /// Returns the slot that holds a hash, or the free slot where it belongs.
  private func place(of hash: StableHash) -> Int {
    let mask = slots.count - 1
    var place = Int(truncatingIfNeeded: hash.low) & mask
    while slots[place] != 0, hashes[Int(slots[place]) - 1] != hash {
      place = (place + 1) & mask
    }
    return place
  }

  /// Creates slots for at least a number of scenes and fills them.
  private mutating func fill(atLeast count: Int) {
    var size = slots.count
    while size <= count * 2 { size *= 2 }
    slots = Column(in: hashes.scratch)
    slots.append(repeating: 0, count: size)
    for number in hashes.indices {
      let place = place(of: hashes[number])
      if slots[place] == 0 { slots[place] = UInt32(number + 1) }
    }
  }
}
