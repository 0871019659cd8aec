import SpatialIndex

/// One depth of a linear quad tree: the occupied cells of a grid in Morton order, and the members
/// of each cell as one run.
///
/// A linear quad tree has no pointers and stores no inner nodes (I. Gargantini, "An effective way to
/// represent quadtrees", CACM 25 (12), 1982). A cell's key interleaves its column and its row
/// (``MortonCode``); ascending keys are the depth-first order of a quad tree whose children stand NW,
/// NE, SW, SE. Shifting a key right by 2k bits gives that of its ancestor k halvings up. So a node,
/// of any depth above this one, is a run of cells whose shifted keys are equal, and its members are a
/// run of members: ``coarsen(by:threads:)`` makes the shallower depth of this one, without looking at
/// the members again.
///
/// The tree keeps one depth at a time: builds go from the deepest zoom to the shallowest, and each
/// zoom is asked for everything that it holds. What a node knows of its members is its own affair
/// (``QuadTreeNode``). Empty cells take no room; 4 bytes a member and a node a cell are kept.
struct LinearQuadTree<Node: QuadTreeNode>: Sendable {
  /// The occupied cells of this depth, keys ascending.
  private(set) var nodes: ContiguousArray<Node>

  /// The numbers of the members: by cell; within a cell of the first depth ascending, and of a
  /// shallower one child after child.
  private(set) var members: ContiguousArray<UInt32>

  /// Sorts members into the cells of the deepest depth.
  ///
  /// - Parameters:
  ///   - count: how many members there are; they are numbered from 0.
  ///   - threads: how many share the work; the tree does not depend on it.
  ///   - key: the Morton code of a member's cell.
  ///   - leaf: a node with one member, which stands at a place among ``members``.
  /// - Complexity: O(count); 24 bytes of scratch a member. Keys that ascend already are not sorted.
  init(
    count: Int, threads: Int, key: (_ member: Int) -> UInt64,
    leaf: (_ member: Int, _ key: UInt64, _ place: UInt32) -> Node
  ) {
    var keys = ContiguousArray<UInt64>(uninitializedCount: count)
    var members = ContiguousArray(0..<UInt32(count))
    keys.withUnsafeMutableBufferPointer { keys in
      ChunkedWork(count: count, threads: threads).forEach { _, range in
        for member in range { keys[member] = key(member) }
      }
    }
    var sorter = RadixSorter()
    sorter.sort(&keys, &members, threads: threads)
    sorter.releaseBuffers()
    self.members = members
    nodes = keys.withUnsafeBufferPointer { keys in
      members.withUnsafeBufferPointer { members in
        Self.joined(count: count, threads: threads, key: { keys[$0] }) { place in
          leaf(Int(members[place]), keys[place], UInt32(truncatingIfNeeded: place))
        }
      }
    }
  }

  /// Goes up: joins the cells of each ancestor.
  ///
  /// - Parameter keyShift: two bits for each halving of the grid that is undone.
  /// - Complexity: O(cells)
  mutating func coarsen(by keyShift: UInt64, threads: Int = 1) {
    nodes = nodes.withUnsafeBufferPointer { finer in
      Self.joined(count: finer.count, threads: threads, key: { finer[$0].key >> keyShift }) {
        var node = finer[$0]
        node.key >>= keyShift
        return node
      }
    }
  }

  /// The place among ``nodes`` of the cell with a key; `nil` if no member lies in it.
  ///
  /// - Complexity: O(log cells)
  func place(of key: UInt64) -> Int? {
    var low = 0
    var high = nodes.count
    while low < high {
      let middle = low + (high - low) / 2
      if nodes[middle].key < key { low = middle + 1 } else { high = middle }
    }
    return low < nodes.count && nodes[low].key == key ? low : nil
  }

  /// Joins each run of equal keys, several chunks at a time.
  private static func joined(
    count: Int, threads: Int, key: (Int) -> UInt64, node: (Int) -> Node
  ) -> ContiguousArray<Node> {
    let work = ChunkedWork(count: count, threads: threads) { key($0) != key($0 - 1) }
    var runs = [Int](repeating: 0, count: work.chunks.count)
    runs.withUnsafeMutableBufferPointer { runs in
      work.forEach { chunk, range in
        var found = range.isEmpty ? 0 : 1
        for index in range.dropFirst() where key(index) != key(index - 1) { found += 1 }
        runs[chunk] = found
      }
    }
    let offsets = ChunkedWork.offsets(runs)
    var result = ContiguousArray<Node>(uninitializedCount: offsets[work.chunks.count])
    result.withUnsafeMutableBufferPointer { result in
      work.forEach { chunk, range in
        guard var current = range.first.map(node) else { return }
        var place = offsets[chunk]
        for index in range.dropFirst() {
          let next = node(index)
          if next.key == current.key {
            current.add(next)
          } else {
            result[place] = current
            place += 1
            current = next
          }
        }
        result[place] = current
      }
    }
    return result
  }
}

extension LinearQuadTree where Node == QuadTreeCell {
  /// Sorts members into the cells of the deepest depth, of which nothing but the members is kept.
  ///
  /// - Complexity: O(count); 24 bytes of scratch a member.
  init(count: Int, threads: Int = 1, key: (_ member: Int) -> UInt64) {
    self.init(count: count, threads: threads, key: key) { _, key, place in
      QuadTreeCell(key: key, start: place, count: 1)
    }
  }

  /// Keeps the members of the lowest numbers of each cell, ascending, and forgets the others.
  ///
  /// - Complexity: O(m log m) for each cell of m members.
  mutating func keepLowest(_ limit: Int) {
    var kept = ContiguousArray<UInt32>()
    kept.reserveCapacity(members.count)
    for place in nodes.indices {
      let start = kept.count
      kept.append(contentsOf: members[nodes[place].range])
      if kept.count - start > 1 { kept[start...].sort() }
      if kept.count - start > limit { kept.removeLast(kept.count - start - limit) }
      nodes[place].start = UInt32(truncatingIfNeeded: start)
      nodes[place].count = UInt32(truncatingIfNeeded: kept.count - start)
    }
    members = kept
  }
}
