/// A counter of votes for samples; the sample with most votes wins, of equals the one that came
/// first.
///
/// An open-addressing table that is emptied by incrementing a stamp; one per worker.
struct VoteBox {
  private var keys: [UInt32]
  private var stamps: [UInt32]
  private var votes: [Double]
  private var stamp: UInt32 = 0

  /// The slots in use, in the order of their first votes.
  private var used: [Int] = []
  private var last = -1
  private var shift: UInt32

  init() {
    keys = Array(repeating: 0, count: 64)
    stamps = Array(repeating: 0, count: 64)
    votes = Array(repeating: 0, count: 64)
    shift = 32 - 6
  }

  /// Empties the box.
  mutating func begin() {
    used.removeAll(keepingCapacity: true)
    last = -1
    stamp &+= 1
    guard stamp == 0 else { return }
    // After 2³² pixels stamps start over.
    for slot in stamps.indices { stamps[slot] = 0 }
    stamp = 1
  }

  mutating func add(_ key: UInt32, _ vote: Double) {
    if last >= 0, keys[last] == key {
      votes[last] += vote
      return
    }
    let slot = slot(of: key)
    if stamps[slot] == stamp {
      votes[slot] += vote
      last = slot
      return
    }
    (keys[slot], stamps[slot], votes[slot]) = (key, stamp, vote)
    used.append(slot)
    last = slot
    if used.count * 2 > keys.count { grow() }
  }

  /// The sample with most votes and their number, or `nil` if there are none.
  var winner: (key: UInt32, votes: Double)? {
    guard var best = used.first else { return nil }
    for slot in used where votes[slot] > votes[best] { best = slot }
    return (keys[best], votes[best])
  }

  /// Returns the slot that holds a key, or the empty one where it belongs. Multiplicative hashing,
  /// Knuth.
  private func slot(of key: UInt32) -> Int {
    var slot = Int(truncatingIfNeeded: (key &* 2_654_435_769) >> shift)
    while stamps[slot] == stamp, keys[slot] != key { slot = (slot &+ 1) & (keys.count &- 1) }
    return slot
  }

  private mutating func grow() {
    let old = used.map { (keys[$0], votes[$0]) }
    let size = keys.count * 2
    shift -= 1
    keys = Array(repeating: 0, count: size)
    stamps = Array(repeating: 0, count: size)
    votes = Array(repeating: 0, count: size)
    stamp = 1
    used.removeAll(keepingCapacity: true)
    for (key, vote) in old {
      let slot = slot(of: key)
      (keys[slot], stamps[slot], votes[slot]) = (key, stamp, vote)
      used.append(slot)
    }
    last = -1
  }
}
