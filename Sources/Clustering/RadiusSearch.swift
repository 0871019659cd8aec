/// The scratch memory of clustering by radius, and the greedy pass of one zoom.
struct RadiusSearch: ~Copyable {
  private let threads: Int
  private var tree: RadiusTree
  private var ahead: SearchAhead

  /// The neighbours of one node.
  private let found: UnsafeMutableBufferPointer<UInt32>

  /// Whether a node has been taken up by this pass.
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

  /// The nodes of a zoom, made of those of the zoom below.
  ///
  /// In their order, each node that is still there is joined with all that are within reach of it
  /// and still there; if together they are too few, all of them stay as they are.
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
      // The origin's place and the zoom, beyond the numbers of the features (supercluster).
      let id = UInt64(origin) << 5 &+ UInt64(zoom + 1 + nodes.input.featureCount)
      next.appendCluster(of: origin, and: neighbors, in: nodes, id: id, zoom: zoom)
    } else {
      next.append(origin, of: nodes)
      for neighbor in neighbors { next.append(Int(neighbor), of: nodes) }
    }
  }

  /// The nodes within reach of an origin that are not taken, in the tree's order.
  ///
  /// Without looking ahead they leave the tree at once, since they are taken up whatever becomes
  /// of them.
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
