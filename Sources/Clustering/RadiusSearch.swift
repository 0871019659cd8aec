/// The scratch memory of clustering by radius, and the greedy pass of one zoom.
struct RadiusSearch: ~Copyable {
  private var tree: RadiusTree

  /// The neighbours of one node; one place more than there can be.
  private let found: UnsafeMutablePointer<UInt32>

  /// Whether a node has been taken up by this pass.
  private let taken: UnsafeMutablePointer<Bool>

  init(capacity: Int) {
    tree = RadiusTree(capacity: capacity)
    found = .allocate(capacity: capacity + 1)
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
    _ nodes: RadiusNodes, zoom: Int, radius: Double, minPoints: Int, threads: Int
  ) -> RadiusNodes {
    tree.build(count: nodes.count, threads: threads) { nodes.center($0) }
    taken.update(repeating: false, count: nodes.count)
    var next = RadiusNodes(of: nodes.input, capacity: nodes.count)
    for origin in 0..<nodes.count where !taken[origin] {
      taken[origin] = true
      let (neighbors, points) = freeNeighbors(of: origin, in: nodes, radius: radius)
      let enough = points + Int(nodes.points(origin)) >= minPoints
      if !neighbors.isEmpty, enough {
        // The origin's place and the zoom, beyond the numbers of the features (supercluster).
        let id = UInt64(origin) << 5 &+ UInt64(zoom + 1 + nodes.input.featureCount)
        next.appendCluster(of: origin, and: neighbors, in: nodes, id: id, zoom: zoom)
      } else {
        next.append(origin, of: nodes)
        for neighbor in neighbors { next.append(Int(neighbor), of: nodes) }
      }
      for neighbor in neighbors { taken[Int(neighbor)] = true }
    }
    return next
  }

  /// The nodes within reach of one that are not taken, in the tree's order, and how many points
  /// they are. All of them leave the tree, since they are taken up at once, whatever becomes of
  /// them.
  private func freeNeighbors(
    of origin: Int, in nodes: RadiusNodes, radius: Double
  ) -> (nodes: UnsafeBufferPointer<UInt32>, points: Int) {
    let reached = tree.removeItems(within: radius, of: nodes.center(origin), into: found)
    var free = 0
    var points = 0
    for place in 0..<reached {
      let node = Int(found[place])
      // The origin itself is there, and a node that was too far from its rounded place to be.
      if !taken[node] {
        points += Int(nodes.points(node))
        found[free] = UInt32(truncatingIfNeeded: node)
        free += 1
      }
    }
    return (UnsafeBufferPointer(start: found, count: free), points)
  }
}
