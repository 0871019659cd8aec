import Features
import Platform

/// An index of the ids of a source: an open-addressing hash table that keeps record numbers and
/// compares the bytes of the ids themselves, so two different ids are never taken for one.
package struct IdentifierIndex {
  /// The slots of the hash table: in the upper 32 bits half of an id's hash, in the lower ones the
  /// record's number plus one; 0 for a free slot. Their count is a power of two, at least twice the
  /// number of ids. The bytes of two ids are compared only if their half hashes are equal.
  private var slots = Column<UInt64>(repeating: 0, count: 1 << 10)
  private var ids = PropertyColumn(name: "id")

  /// A number that follows from the slots that ``fetch(_:)`` read: without it the compiler would
  /// leave the reading out.
  private var fetched: UInt64 = 0

  package init() {}

  /// The number of ids.
  package var count: Int { ids.count }

  /// Inserts an id under the number ``count``, unless it is already there.
  ///
  /// - Returns: the number under which it already was there, or `nil`.
  /// - Complexity: O(length) on average. The hash has a new seed in every process, so a file cannot
  ///   target one slot, and the result does not depend on it.
  package mutating func insert(_ id: UnsafeRawBufferPointer) -> Int? {
    insert(id, hash: Self.hash(id))
  }

  /// Inserts an id whose ``hash(_:)`` is known.
  mutating func insert(_ id: UnsafeRawBufferPointer, hash: UInt64) -> Int? {
    if (count + 1) * 2 > slots.count { grow(to: slots.count * 2) }
    let (slot, number) = find(id, hash)
    if let number { return number }
    slots[slot] = hash << 32 | UInt64(count + 1)
    ids.append(.string, bytes: id)
    return nil
  }

  /// Reserves room for a total number of ids, so that their slots are not rehashed repeatedly.
  mutating func reserve(_ total: Int) {
    guard (min(total, Int(Int32.max)) + 1) * 2 > slots.count else { return }
    grow(to: (min(total, Int(Int32.max)) + 1) * 2)
  }

  /// Returns the number of an id, or `nil`.
  ///
  /// - Complexity: O(length) on average.
  package func number(of id: UnsafeRawBufferPointer) -> Int? { find(id, Self.hash(id)).number }

  /// Calls `body` with the bytes of the id with a number.
  package func withBytes<R>(_ number: Int, _ body: (UnsafeRawBufferPointer) throws -> R) rethrows
    -> R
  {
    try ids.withBytes(number, body)
  }

  /// Returns the id with a number as text.
  package func text(_ number: Int) -> String { ids.text(number) ?? "" }

  /// Returns the slot of an id, or the free one where it belongs.
  private func find(
    _ id: UnsafeRawBufferPointer, _ hash: UInt64
  ) -> (slot: Int, number: Int?) {
    let mask = slots.count - 1
    var slot = Int(hash) & mask
    while slots[slot] != 0 {
      if slots[slot] >> 32 == hash {
        let number = Int(slots[slot] & 0xFFFF_FFFF) - 1
        if ids.withBytes(number, { Self.equal($0, id) }) { return (slot, number) }
      }
      slot = (slot + 1) & mask
    }
    return (slot, nil)
  }

  private static func equal(_ a: UnsafeRawBufferPointer, _ b: UnsafeRawBufferPointer) -> Bool {
    guard a.count == b.count, let first = a.baseAddress, let second = b.baseAddress else {
      return a.count == b.count
    }
    return memcmp(first, second, a.count) == 0
  }

  /// Whether there is room for an id of this length: the total of bytes is limited to 32 bits.
  func hasRoom(for id: UnsafeRawBufferPointer) -> Bool {
    ids.bytes.count + id.count <= PropertyColumn.byteLimit && count < Int(Int32.max)
  }

  /// Reads the slots at which some ids will be looked for: the processor fetches many at a time,
  /// where the search for one id after another would wait for each.
  mutating func fetch(_ hashes: ContiguousArray<UInt64>) {
    let mask = slots.count - 1
    var sum: UInt64 = 0
    slots.withUnsafeBufferPointer { slots in
      for hash in hashes { sum &+= slots[Int(hash) & mask] }
    }
    fetched &+= sum
  }

  /// Returns 32 bits of the seeded hash.
  static func hash(_ id: UnsafeRawBufferPointer) -> UInt64 {
    var hasher = Hasher()
    hasher.combine(bytes: id)
    return UInt64(UInt32(truncatingIfNeeded: hasher.finalize()))
  }

  /// Grows the table to at least this many slots.
  private mutating func grow(to least: Int) {
    let old = slots
    var size = old.count
    while size < least { size *= 2 }
    slots = Column(repeating: 0, count: size)
    let mask = slots.count - 1
    for entry in old where entry != 0 {
      var slot = Int(entry >> 32) & mask
      while slots[slot] != 0 { slot = (slot + 1) & mask }
      slots[slot] = entry
    }
  }
}
