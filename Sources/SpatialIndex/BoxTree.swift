package import Tiling

/// An immutable packed R-tree over boxes of the world, built in bulk in Hilbert order of the boxes'
/// centres (after I. Kamel and C. Faloutsos, 1993).
///
/// Boxes and queries are ``WorldBox``: units of 2⁻³² of the world, both corners included,
/// `west > east` over the antimeridian. Every node but the last of a level has
/// ``nodeCapacity`` children. Ready to be shared between threads.
package struct BoxTree: Sendable {
  /// Children of a node: two cache lines of boxes and more; 16 is what flatbush takes too.
  static let nodeCapacity = 16

  /// The boxes of all levels, the leaves' first, the root's last. A box over the antimeridian
  /// stands here twice, once for each side.
  private let boxes: ContiguousArray<WorldBox>

  /// The caller's index of each leaf's box.
  private let indices: ContiguousArray<UInt32>

  /// The end of each level in ``boxes``.
  private let levelEnds: [Int]

  /// The number of boxes that were indexed.
  package let count: Int

  /// Indexes boxes by their place in the array.
  ///
  /// - Complexity: O(n); 17 bytes a box are kept.
  package init(_ boxes: ContiguousArray<WorldBox>) {
    precondition(boxes.count < Int32.max, "boxes are numbered with 32 bits, also when cut in two")
    count = boxes.count
    var halves = ContiguousArray<WorldBox>()
    var owners = ContiguousArray<UInt32>()
    halves.reserveCapacity(boxes.count)
    owners.reserveCapacity(boxes.count)
    for (index, box) in boxes.enumerated() where box.north <= box.south {
      for half in box.halves {
        halves.append(half)
        owners.append(UInt32(truncatingIfNeeded: index))
      }
    }
    var keys = ContiguousArray(halves.lazy.map { UInt64(HilbertCode(centerOf: $0).rawValue) })
    var order = ContiguousArray(0..<UInt32(truncatingIfNeeded: halves.count))
    var sorter = RadixSorter()
    sorter.sort(&keys, &order)
    indices = ContiguousArray(order.lazy.map { owners[Int($0)] })
    var levels = ContiguousArray(order.lazy.map { halves[Int($0)] })
    var ends = [levels.count]
    var start = 0
    while levels.count - start > 1 {
      let end = levels.count
      for first in stride(from: start, to: end, by: Self.nodeCapacity) {
        var node = levels[first]
        for child in first..<min(first + Self.nodeCapacity, end) { node.formUnion(levels[child]) }
        levels.append(node)
      }
      start = end
      ends.append(levels.count)
    }
    self.boxes = levels
    levelEnds = ends
  }

  /// Appends the indices of all boxes that meet a box, edges included, in ascending order, each
  /// once, to the caller's buffer.
  ///
  /// - Complexity: O(log n + answer) for boxes that overlap little, and the sort of the answer.
  package func boxes(meeting box: WorldBox, into found: inout ContiguousArray<UInt32>) {
    guard box.north <= box.south, !indices.isEmpty else { return }
    let start = found.count
    for half in box.halves {
      collect(half, level: levelEnds.count - 1, node: boxes.count - 1, into: &found)
    }
    found[start...].sort()
    // A box or a query that was cut in two is found twice.
    var kept = start
    for place in start..<found.count where kept == start || found[kept - 1] != found[place] {
      found[kept] = found[place]
      kept += 1
    }
    found.removeLast(found.count - kept)
  }

  private func collect(
    _ query: WorldBox, level: Int, node: Int, into found: inout ContiguousArray<UInt32>
  ) {
    guard boxes[node].meets(query) else { return }
    guard level > 0 else {
      found.append(indices[node])
      return
    }
    let levelStart = levelEnds[level - 1]
    let below = level > 1 ? levelEnds[level - 2] : 0
    let first = below + (node - levelStart) * Self.nodeCapacity
    for child in first..<min(first + Self.nodeCapacity, levelStart) {
      collect(query, level: level - 1, node: child, into: &found)
    }
  }
}

extension WorldBox {
  /// The box itself, or its parts on both sides of the antimeridian.
  fileprivate var halves: [WorldBox] {
    if west <= east { return [self] }
    return [
      WorldBox(west: 0, north: north, east: east, south: south),
      WorldBox(west: west, north: north, east: .max, south: south),
    ]
  }

  /// Whether two boxes that do not cross the antimeridian have a position in common.
  @inline(__always)
  fileprivate func meets(_ other: WorldBox) -> Bool {
    west <= other.east && other.west <= east && north <= other.south && other.north <= south
  }
}

extension HilbertCode {
  /// The place of the centre of a box that does not cross the antimeridian.
  fileprivate init(centerOf box: WorldBox) {
    let x = (UInt64(box.west) + UInt64(box.east)) >> 17
    let y = (UInt64(box.north) + UInt64(box.south)) >> 17
    self.init(x: UInt16(truncatingIfNeeded: x), y: UInt16(truncatingIfNeeded: y))
  }
}
