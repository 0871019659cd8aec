/// Counts how often each hash comes, in bounded memory.
///
/// Beyond ``limit`` different hashes new ones are no longer taken in, so the repetitions found are
/// then those of the hashes that came first.
struct RepetitionTable {
  /// What is known of one hash.
  struct Entry {
    /// 0 for a free slot.
    var hash: UInt64 = 0
    /// The line of the first record with it, at most 2³² − 1.
    var line: UInt32 = 0
    var count: UInt32 = 0
  }

  /// Different hashes: with 16 bytes each and half of the slots free, 64 MiB.
  static let limit = 1 << 21

  private var slots = ContiguousArray<Entry>(repeating: Entry(), count: 1 << 12)
  private(set) var distinct = 0

  /// Hashes that came before.
  private(set) var repetitions = 0

  /// The entry with the highest count; of equals the one that reached it first.
  private(set) var most = Entry()

  /// Whether no hash was left out.
  private(set) var isComplete = true

  /// Counts a hash.
  ///
  /// - Returns: the line where it came first, `nil` if this is the first time.
  @inline(__always)
  mutating func add(_ hash: UInt64, line: Int) -> Int? {
    var slot = Int(truncatingIfNeeded: hash) & (slots.count - 1)
    while slots[slot].hash != 0 {
      if slots[slot].hash == hash { return repeated(slot) }
      slot = (slot + 1) & (slots.count - 1)
    }
    insert(Entry(hash: hash, line: UInt32(clamping: line), count: 1), at: slot)
    return nil
  }

  private mutating func repeated(_ slot: Int) -> Int {
    repetitions += 1
    slots[slot].count = slots[slot].count &+ 1
    if slots[slot].count > most.count { most = slots[slot] }
    return Int(slots[slot].line)
  }

  private mutating func insert(_ entry: Entry, at slot: Int) {
    guard distinct < Self.limit else {
      isComplete = false
      return
    }
    slots[slot] = entry
    distinct += 1
    if distinct * 2 > slots.count { grow() }
  }

  private mutating func grow() {
    let old = slots
    slots = ContiguousArray(repeating: Entry(), count: 2 * old.count)
    for entry in old where entry.hash != 0 {
      var slot = Int(truncatingIfNeeded: entry.hash) & (slots.count - 1)
      while slots[slot].hash != 0 { slot = (slot + 1) & (slots.count - 1) }
      slots[slot] = entry
    }
  }
}
