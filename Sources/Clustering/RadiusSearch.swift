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
