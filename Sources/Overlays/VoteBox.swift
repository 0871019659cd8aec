/// Counts votes for samples; the one with most wins, of equals the one that came first.
///
/// An open-addressed table that is emptied by a stamp; one per worker.
struct VoteBox {
  private var keys: [UInt32]
  private var stamps: [UInt32]
  private var votes: [Double]
  private var ranks: [UInt32]
  private var stamp: UInt32 = 0
  private var count = 0
  private var last = -1
  private var shift: UInt32

  init() {
    keys = Array(repeating: 0, count: 64)
    stamps = Array(repeating: 0, count: 64)
    votes = Array(repeating: 0, count: 64)
    ranks = Array(repeating: 0, count: 64)
    shift = 32 - 6
  }

  /// Empties the box.
  mutating func begin() {
    count = 0
    last = -1
    stamp &+= 1
    guard stamp == 0 else { return }
    // After 2³² pixels stamps begin anew.
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
    ranks[slot] = UInt32(truncatingIfNeeded: count)
    count += 1
    last = slot
    if count * 2 > keys.count { grow() }
  }

  /// The sample with most votes and how many they are, or `nil` where none was added.
  var winner: (key: UInt32, votes: Double)? {
    if count == 1, last >= 0 { return (keys[last], votes[last]) }
    var best = -1
    for slot in keys.indices where stamps[slot] == stamp {
      if best < 0 || votes[slot] > votes[best]
        || (votes[slot] == votes[best] && ranks[slot] < ranks[best])
      {
        best = slot
      }
    }
    return best < 0 ? nil : (keys[best], votes[best])
  }

  /// The slot that holds a key, or the empty one where it belongs. Multiplicative hashing, Knuth.
  private func slot(of key: UInt32) -> Int {
    var slot = Int(truncatingIfNeeded: (key &* 2_654_435_769) >> shift)
    while stamps[slot] == stamp, keys[slot] != key { slot = (slot &+ 1) & (keys.count &- 1) }
    return slot
  }

  private mutating func grow() {
    let old = keys.indices.filter { stamps[$0] == stamp }.map { (keys[$0], votes[$0], ranks[$0]) }
    let size = keys.count * 2
    shift -= 1
    keys = Array(repeating: 0, count: size)
    stamps = Array(repeating: 0, count: size)
    votes = Array(repeating: 0, count: size)
    ranks = Array(repeating: 0, count: size)
    stamp = 1
    for (key, vote, rank) in old {
      let slot = slot(of: key)
      (keys[slot], stamps[slot], votes[slot], ranks[slot]) = (key, stamp, vote, rank)
    }
    last = -1
  }
}
