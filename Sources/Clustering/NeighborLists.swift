import SpatialIndex

/// The neighbours of all nodes of a zoom, used or not, found by several threads.
///
/// The neighbours do not depend on which nodes have been used, so they can be found before the
/// greedy pass, and in the order of the tree: items of one leaf share most of what has to be read.
struct NeighborLists: ~Copyable {
  /// The number of chunks per thread, since leaves take longer where points are dense.
  private static let chunksPerThread = 8

  /// The number of neighbours that a record can hold.
  private static let inRecord = 4

  /// The state of a node whose neighbours are not known.
  private static let unknown: UInt8 = 254

  /// The state of a node that has been used by the greedy pass.
  static let taken: UInt8 = 255

  /// The number of neighbours of each node, or one of the values above.
  let states: UnsafeMutablePointer<UInt8>

  /// The neighbours of each node that has any, or the start of its list in ``more``.
  private let records: UnsafeMutablePointer<SIMD4<UInt32>>

  private let more: UnsafeMutablePointer<UInt32>
  private let capacity: Int

  /// - Parameter records: memory for a record of each node, which the caller keeps.
  init(capacity: Int, records: UnsafeMutablePointer<SIMD4<UInt32>>) {
    self.capacity = capacity
    self.records = records
    states = .allocate(capacity: max(1, capacity))
    more = .allocate(capacity: max(1, capacity))
  }

  deinit {
    states.deallocate()
    more.deallocate()
  }

  /// Returns the neighbours of an unused node in the order of kdbush; `nil` if they are not known.
  @inline(__always)
  func neighbors(of node: Int) -> UnsafeBufferPointer<UInt32>? {
    let state = states[node]
    guard state != Self.unknown else { return nil }
    let count = Int(state)
    let record = UnsafePointer(records + node)
    let first =
      count > Self.inRecord
      ? UnsafePointer(more + Int(record.pointee.x))
      : UnsafeRawPointer(record).assumingMemoryBound(to: UInt32.self)
    return UnsafeBufferPointer(start: first, count: count)
  }

  /// Searches around all nodes of a tree.
  ///
  /// - Complexity: O(n log n) expected
  func fill(
    from tree: borrowing RadiusTree, of nodes: UnsafeBufferPointer<RadiusNode>, radius: Double,
    threads: Int
  ) {
    guard let root = tree.root else { return }
    var branches: [TreeBranch] = []
    let span = threads > 1 ? nodes.count / (4 * Self.chunksPerThread * threads) : nodes.count
    Self.split(root, span: span, into: &branches)
    let work = ChunkedWork(
      count: branches.count, threads: threads, minimum: 1, chunksPerThread: Self.chunksPerThread)
    let room = capacity / work.chunks.count
    work.forEach { chunk, range in
      let search = LeafSearch(of: nodes, radius: radius)
      var rest = chunk * room..<(chunk + 1) * room
      for branch in branches[range] { fill(branch, of: tree, search, &rest) }
    }
  }

  /// Divides a tree into branches of at most `span` items, in any order.
  private static func split(_ branch: TreeBranch, span: Int, into branches: inout [TreeBranch]) {
    guard branch.isInner, branch.places.count > span else { return branches.append(branch) }
    branches.append(branch.middleItem)
    split(branch.leftHalf, span: span, into: &branches)
    split(branch.rightHalf, span: span, into: &branches)
  }

  private func fill(
    _ branch: TreeBranch, of tree: borrowing RadiusTree, _ search: borrowing LeafSearch,
    _ rest: inout Range<Int>
  ) {
    guard branch.isInner else {
      search.neighbors(of: branch, in: tree) { item, count in
        states[item] = keep(search.found, count: count, of: item, &rest)
      }
      return
    }
    fill(branch.middleItem, of: tree, search, &rest)
    fill(branch.leftHalf, of: tree, search, &rest)
    fill(branch.rightHalf, of: tree, search, &rest)
  }

  /// Stores the neighbours of a node.
  ///
  /// - Parameter rest: the part of ``more`` that this thread has not used yet.
  /// - Returns: the state of the node.
  @inline(__always)
  private func keep(
    _ found: UnsafeMutablePointer<UInt32>, count: Int?, of item: Int, _ rest: inout Range<Int>
  ) -> UInt8 {
    guard let count else { return Self.unknown }
    if count > Self.inRecord {
      guard count <= rest.count else { return Self.unknown }
      let start = rest.lowerBound
      (more + start).update(from: found, count: count)
      records[item].x = UInt32(truncatingIfNeeded: start)
      rest = start + count..<rest.upperBound
    } else if count > 0 {
      records[item] = SIMD4(found[0], found[1], found[2], found[3])
    }
    return UInt8(truncatingIfNeeded: count)
  }
}
