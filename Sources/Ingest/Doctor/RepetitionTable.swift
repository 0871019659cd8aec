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

  /// Counts the hashes of a batch; 0 stands for a row that does not count.
  ///
  /// One tight loop, so that the processor waits for several slots at a time.
  ///
  /// - Parameters:
  ///   - lines: the line of each row.
  ///   - repeated: takes the row of a hash that came before and the line where it came first.
  /// - Returns: the last row that made ``most`` what it is now, `nil` if none did.
  /// - Complexity: O(hashes).
  mutating func add(
    _ hashes: UnsafeBufferPointer<UInt64>, lines: ContiguousArray<Int>,
    repeated: (_ row: Int, _ first: Int) -> Void
  ) -> Int? {
    makeRoom(for: hashes.count)
    var table = Probe(distinct: distinct, most: most)
    slots.withUnsafeMutableBufferPointer { slots in
      let mask = slots.count - 1
      for row in 0..<hashes.count {
        let hash = hashes[row]
        if hash == 0 { continue }
        var slot = Int(truncatingIfNeeded: hash) & mask
        while slots[slot].hash != 0, slots[slot].hash != hash { slot = (slot + 1) & mask }
        if slots[slot].hash == 0 {
          table.insert(
            Entry(hash: hash, line: UInt32(clamping: lines[row]), count: 1), &slots[slot])
        } else {
          table.repeated(&slots[slot], row)
          repeated(row, Int(slots[slot].line))
        }
      }
    }
    distinct = table.distinct
    most = table.most
    repetitions += table.repetitions
    isComplete = isComplete && table.isComplete
    return table.mostRow
  }

  /// What a batch changes beside the slots.
  private struct Probe {
    var distinct: Int
    var most: Entry
    var mostRow: Int?
    var repetitions = 0
    var isComplete = true

    @inline(__always)
    mutating func insert(_ entry: Entry, _ slot: inout Entry) {
      guard distinct < RepetitionTable.limit else {
        isComplete = false
        return
      }
      slot = entry
      distinct += 1
    }

    @inline(__always)
    mutating func repeated(_ slot: inout Entry, _ row: Int) {
      repetitions += 1
      slot.count = slot.count &+ 1
      if slot.count > most.count {
        most = slot
        mostRow = row
      }
    }
  }

  /// Grows so that half of the slots stay free whatever the next hashes are.
  private mutating func makeRoom(for count: Int) {
    while min(distinct + count, Self.limit) * 2 > slots.count { grow() }
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
