import SpatialIndex

/// Searches made ahead of the greedy pass by several threads, a block of origins at a time.
///
/// The neighbours of an origin do not depend on which nodes have been used, so the searches of a
/// block can be made at once; some turn out to be unnecessary because the origin was used
/// meanwhile. The number of neighbours that a thread stores per block is limited, which bounds the
/// waste where many points are in one place: the pass itself searches the remaining origins.
struct SearchAhead: ~Copyable {
  /// The number of origins per block: some hundred times the cost of waking a thread, with few
  /// unnecessary searches.
  static let blockSize = 4096

  /// The minimum number of nodes for a search ahead.
  static let minimum = 1 << 14

  /// The number of neighbours that a thread stores per block, eight for each of its origins with
  /// two threads.
  private static let room = 1 << 14

  private let threads: Int
  private let found: UnsafeMutablePointer<UInt32>

  /// The start of the neighbours of each origin of the block in ``found``, and their number; −1 if
  /// it was not searched.
  private let starts: UnsafeMutablePointer<Int32>
  private let counts: UnsafeMutablePointer<Int32>
  private var block = 0..<0

  init(threads: Int) {
    self.threads = threads
    found = .allocate(capacity: threads * Self.room)
    starts = .allocate(capacity: Self.blockSize)
    counts = .allocate(capacity: Self.blockSize)
  }

  deinit {
    found.deallocate()
    starts.deallocate()
    counts.deallocate()
  }

  /// Returns the stored neighbours of an origin, used or not; `nil` if it was not searched.
  func neighbors(of origin: Int) -> UnsafeBufferPointer<UInt32>? {
    guard block.contains(origin) else { return nil }
    let index = origin - block.lowerBound
    guard counts[index] >= 0 else { return nil }
    return UnsafeBufferPointer(start: found + Int(starts[index]), count: Int(counts[index]))
  }

  /// Searches around the unused origins of a block.
  mutating func search(
    _ block: Range<Int>, of nodes: RadiusNodes, in tree: borrowing RadiusTree, radius: Double,
    taken: UnsafePointer<Bool>
  ) {
    self.block = block
    for index in 0..<block.count { counts[index] = -1 }
    ChunkedWork(count: block.count, threads: threads, minimum: 256).forEach { chunk, range in
      var used = chunk * Self.room
      let end = used + Self.room
      for index in range where !taken[block.lowerBound + index] {
        let room = UnsafeMutableBufferPointer(start: found + used, count: end - used)
        let center = nodes.center(block.lowerBound + index)
        guard
          let reached = tree.items(within: radius, of: center, takesOut: false, into: room)
        else { return }
        var free = 0
        for place in 0..<reached where !taken[Int(room[place])] {
          room[free] = room[place]
          free += 1
        }
        starts[index] = Int32(used)
        counts[index] = Int32(free)
        used += free
      }
    }
  }
}
