import SpatialIndex

/// The scratch memory of clustering by radius, with the greedy pass of one zoom.
struct RadiusSearch: ~Copyable {
  private let threads: Int
  private var tree: RadiusTree
  private var ahead: SearchAhead

  /// The neighbours of one node.
  private let found: UnsafeMutableBufferPointer<UInt32>

  /// Whether each node has already been used by this pass.
  private let taken: UnsafeMutablePointer<Bool>

  init(capacity: Int, threads: Int) {
    self.threads = threads
    tree = RadiusTree(capacity: capacity)
    ahead = SearchAhead(threads: threads)
    found = .allocate(capacity: capacity)
    taken = .allocate(capacity: capacity)
  }

  deinit {
    found.deallocate()
    taken.deallocate()
  }

  /// Computes the nodes of a zoom from those of the zoom below.
  ///
  /// In their order, each unused node is joined with all unused ones within the radius; if together
  /// they are too few, all of them stay alone.
  mutating func cluster(
    _ nodes: RadiusNodes, zoom: Int, radius: Double, minPoints: Int
  ) -> RadiusNodes {
    tree.build(count: nodes.count, threads: threads) { nodes.center($0) }
    taken.update(repeating: false, count: nodes.count)
    let looksAhead = threads > 1 && nodes.count >= SearchAhead.minimum
    var next = RadiusNodes(of: nodes.input, capacity: nodes.count)
    for start in stride(from: 0, to: nodes.count, by: SearchAhead.blockSize) {
      let block = start..<min(start + SearchAhead.blockSize, nodes.count)
      if looksAhead { ahead.search(block, of: nodes, in: tree, radius: radius, taken: taken) }
      for origin in block where !taken[origin] {
        taken[origin] = true
        let neighbors = freeNeighbors(of: origin, in: nodes, radius: radius, ahead: looksAhead)
        join(origin, neighbors, of: nodes, zoom: zoom, minPoints: minPoints, into: &next)
      }
    }
    return next
  }

  private func join(
    _ origin: Int, _ neighbors: UnsafeBufferPointer<UInt32>, of nodes: RadiusNodes, zoom: Int,
    minPoints: Int, into next: inout RadiusNodes
  ) {
    var points = Int(nodes.points(origin))
    for neighbor in neighbors {
      taken[Int(neighbor)] = true
      points += Int(nodes.points(Int(neighbor)))
    }
    if !neighbors.isEmpty, points >= minPoints {
      // The origin's index and the zoom, beyond the numbers of the features (supercluster).
      let id = UInt64(origin) << 5 &+ UInt64(zoom + 1 + nodes.input.featureCount)
      next.appendCluster(of: origin, and: neighbors, in: nodes, id: id, zoom: zoom)
    } else {
      next.append(origin, of: nodes)
      for neighbor in neighbors { next.append(Int(neighbor), of: nodes) }
    }
  }

  /// Returns the unused nodes within the radius of an origin, in the tree's order.
  ///
  /// Without searching ahead they are removed from the tree at once, since they are used in either
  /// case.
  private func freeNeighbors(
    of origin: Int, in nodes: RadiusNodes, radius: Double, ahead looksAhead: Bool
  ) -> UnsafeBufferPointer<UInt32> {
    var free = 0
    if looksAhead, let noted = ahead.neighbors(of: origin) {
      for node in noted where !taken[Int(node)] {
        found[free] = node
        free += 1
      }
    } else {
      let center = nodes.center(origin)
      let reached = tree.items(within: radius, of: center, takesOut: true, into: found) ?? 0
      for place in 0..<reached where !taken[Int(found[place])] {
        found[free] = found[place]
        free += 1
      }
    }
    return UnsafeBufferPointer(rebasing: found[..<free])
  }
}

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
