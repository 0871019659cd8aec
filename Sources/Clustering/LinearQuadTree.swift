import Columns
import SpatialIndex

/// One depth of a linear quad tree: the occupied cells of a grid in Morton order, and the members
/// of each cell as one run.
///
/// A linear quad tree has no pointers and stores no inner nodes (I. Gargantini, "An effective way
/// to represent quadtrees", CACM 25 (12), 1982). A cell's key interleaves its column and its row
/// (``MortonCode``); ascending keys are the depth-first order of a quad tree whose children are in
/// the order NW, NE, SW, SE. Shifting a key right by 2k bits gives the key of its ancestor k
/// levels up. So a node at any shallower depth is a run of cells whose shifted keys are equal, and
/// its members are a run of members: ``coarsen(by:threads:)`` derives the shallower depth from
/// this one, without visiting the members again.
///
/// The tree keeps one depth at a time: builds go from the deepest zoom to the shallowest, and use
/// everything in each zoom. The node type decides what to store about its members
/// (``QuadTreeNode``). Empty cells take no memory; the tree keeps 4 bytes per member and a node per
/// cell.
struct LinearQuadTree<Node: QuadTreeNode>: Sendable {
  /// The occupied cells of this depth, in ascending order of their keys.
  private(set) var nodes: Column<Node>

  /// The numbers of the members, grouped by cell: ascending within a cell of the first depth, and
  /// child after child within a shallower one.
  private(set) var members: Column<UInt32>

  /// Creates a tree with the members sorted into the cells of the deepest depth.
  ///
  /// - Parameters:
  ///   - count: the number of members, which are numbered from 0.
  ///   - threads: the number of threads that share the work; the tree does not depend on it.
  ///   - key: the Morton code of a member's cell.
  ///   - leaf: returns a node with one member, given the member, its key and its index in
  ///     ``members``.
  /// - Complexity: O(count); 24 bytes of scratch per member. Keys that are already ascending are
  ///   not sorted.
  init(
    count: Int, threads: Int, in scratch: Scratch? = nil, key: (_ member: Int) -> UInt64,
    leaf: (_ member: Int, _ key: UInt64, _ place: UInt32) -> Node
  ) {
    var keys = Column<UInt64>(uninitializedCount: count, in: scratch)
    var members = Column(0..<UInt32(count), in: scratch)
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
        Self.joined(
          count: count, threads: threads, in: scratch, key: { keys[$0] }
        ) { place in
          leaf(Int(members[place]), keys[place], UInt32(truncatingIfNeeded: place))
        }
      }
    }
  }

  /// Replaces the cells with their ancestors at a shallower depth.
  ///
  /// - Parameter keyShift: two bits for each level up.
  /// - Complexity: O(cells)
  mutating func coarsen(by keyShift: UInt64, threads: Int = 1) {
    let scratch = nodes.scratch
    nodes = nodes.withUnsafeBufferPointer { finer in
      Self.joined(
        count: finer.count, threads: threads, in: scratch, key: { finer[$0].key >> keyShift }
      ) {
        var node = finer[$0]
        node.key >>= keyShift
        return node
      }
    }
  }

  /// Returns the index in ``nodes`` of the cell with a key; `nil` if the cell is empty.
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
    count: Int, threads: Int, in scratch: Scratch?, key: (Int) -> UInt64, node: (Int) -> Node
  ) -> Column<Node> {
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
    var result = Column<Node>(uninitializedCount: offsets[work.chunks.count], in: scratch)
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
  /// Creates a tree with the members sorted into the cells of the deepest depth, storing nothing
  /// else about a cell.
  ///
  /// - Complexity: O(count); 24 bytes of scratch per member.
  init(
    count: Int, threads: Int = 1, in scratch: Scratch? = nil, key: (_ member: Int) -> UInt64
  ) {
    self.init(count: count, threads: threads, in: scratch, key: key) { _, key, place in
      QuadTreeCell(key: key, start: place, count: 1)
    }
  }

  /// Keeps the members with the lowest numbers of each cell, ascending, and drops the others.
  ///
  /// - Complexity: O(m log m) for each cell of m members.
  mutating func keepLowest(_ limit: Int) {
    var kept = Column<UInt32>(in: members.scratch)
    kept.reserveCapacity(members.count)
    for place in nodes.indices {
      let start = kept.count
      kept.append(contentsOf: members[nodes[place].range].sorted().prefix(limit))
      nodes[place].start = UInt32(truncatingIfNeeded: start)
      nodes[place].count = UInt32(truncatingIfNeeded: kept.count - start)
    }
    members = kept
  }
}
