/// The nodes of a zoom in groups, each of which becomes one node of the zoom above.
struct NodeGroups {
  /// The nodes, group by group; the first of each is its origin.
  fileprivate(set) var members: UnsafeMutablePointer<UInt32>

  /// The start of each group in ``members``, and the end of the last one.
  fileprivate(set) var starts: UnsafeMutablePointer<UInt32>
  fileprivate(set) var count = 0

  /// Returns the nodes of a group: one node that stays as it is, or several that form a cluster.
  @inline(__always)
  func members(of group: Int) -> UnsafeBufferPointer<UInt32> {
    let start = Int(starts[group])
    return UnsafeBufferPointer(start: members + start, count: Int(starts[group + 1]) - start)
  }

  /// Appends a group of the members up to an end.
  fileprivate mutating func append(upTo end: Int) {
    count += 1
    starts[count] = UInt32(truncatingIfNeeded: end)
  }
}

/// The scratch memory of clustering by radius, with the greedy pass of one zoom.
struct RadiusSearch: ~Copyable {
  private let threads: Int
  private var tree: RadiusTree
  private let lists: NeighborLists
  private var groups: NodeGroups

  init(capacity: Int, threads: Int) {
    self.threads = threads
    tree = RadiusTree(capacity: capacity)
    // Once the tree is built, its items are stored in groups, and the buffer in which they were
    // sorted is free.
    lists = NeighborLists(capacity: capacity, records: tree.order.items.base)
    groups = NodeGroups(
      members: .allocate(capacity: max(1, capacity)), starts: .allocate(capacity: capacity + 1))
  }

  deinit {
    groups.members.deallocate()
    groups.starts.deallocate()
  }

  /// Replaces the nodes of a zoom by the nodes of the zoom above.
  ///
  /// In the order of the nodes, each unused node is joined with all unused ones within the radius;
  /// if they are too few points together, they stay single. Only this pass is sequential: all
  /// threads find the neighbours before it and sum the clusters after it.
  mutating func cluster(_ nodes: inout RadiusNodes, zoom: Int, radius: Double, minPoints: Int) {
    nodes.withNodes { nodes in
      tree.build(nodes, threads: threads)
      lists.fill(from: tree, of: nodes, radius: radius, threads: threads)
      group(nodes, radius: radius, minPoints: minPoints)
    }
    nodes.join(groups, zoom: zoom, threads: threads)
  }

  private mutating func group(
    _ nodes: UnsafeBufferPointer<RadiusNode>, radius: Double, minPoints: Int
  ) {
    groups.count = 0
    groups.starts[0] = 0
    let (members, states, taken) = (groups.members, lists.states, NeighborLists.taken)
    var end = 0
    for origin in nodes.indices where states[origin] != taken {
      let start = end
      let neighbors = lists.neighbors(of: origin)
      members[end] = UInt32(truncatingIfNeeded: origin)
      states[origin] = taken
      end += 1
      if let neighbors {
        for node in neighbors where states[Int(node)] != taken {
          states[Int(node)] = taken
          members[end] = node
          end += 1
        }
      } else {
        end += takeNeighbors(around: nodes[origin].center, radius: radius, into: members + end)
      }
      let isCluster =
        minPoints <= 2 || end - start == 1
        || (start..<end).reduce(0) { $0 + Int(nodes[Int(members[$1])].count) } >= minPoints
      if isCluster {
        groups.append(upTo: end)
      } else {
        for place in start..<end { groups.append(upTo: place + 1) }
      }
    }
  }

  /// Removes the unused nodes around an origin from the tree: whether they are joined or not, no
  /// other origin of this pass will find them.
  private func takeNeighbors(
    around center: SIMD2<Double>, radius: Double, into found: UnsafeMutablePointer<UInt32>
  ) -> Int {
    var disc = TreeDisc(
      groups: tree.groups, center: center, radius: radius, states: lists.states, found: found)
    tree.visit(&disc)
    for place in 0..<disc.count { lists.states[Int(found[place])] = NeighborLists.taken }
    return disc.count
  }
}
