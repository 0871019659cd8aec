import Ingest

/// A table that counts how often each hash occurs, in bounded memory.
///
/// Beyond ``limit`` distinct hashes, new ones are dropped, so the repetitions found are those of
/// the hashes that came first.
struct RepetitionTable {
  /// The record of one hash.
  struct Entry {
    /// The hash; 0 for a free slot.
    var hash: UInt64 = 0
    /// The line of the first record with the hash, at most 2³² − 1.
    var line: UInt32 = 0
    var count: UInt32 = 0
  }

  /// Maximum number of distinct hashes: 64 MiB with 16 bytes each and half of the slots free.
  static let limit = 1 << 21

  private var slots = ContiguousArray<Entry>(repeating: Entry(), count: 1 << 12)
  private(set) var distinct = 0

  /// The number of hashes that had occurred before.
  private(set) var repetitions = 0

  /// The entry with the highest count; among equals the one that reached it first.
  private(set) var most = Entry()

  /// Whether no hash was dropped.
  private(set) var isComplete = true

  /// Counts the hashes of a batch; 0 stands for a row that does not count.
  ///
  /// One tight loop, so that the processor waits for several slots at a time.
  ///
  /// - Parameters:
  ///   - lines: the line of each row.
  ///   - repeated: receives the row of a repeated hash and the line of its first occurrence.
  /// - Returns: the last row that changed ``most``, `nil` if none did.
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

  /// The state that a batch changes apart from the slots.
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

  /// Grows the table so that half of the slots stay free whatever the next hashes are.
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
