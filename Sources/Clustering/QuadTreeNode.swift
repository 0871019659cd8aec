/// The data that a ``LinearQuadTree`` stores for an occupied cell.
protocol QuadTreeNode: BitwiseCopyable, Sendable {
  /// The Morton code of the cell's column and row.
  var key: UInt64 { get set }

  /// The index of the cell's first member in ``LinearQuadTree/members``.
  var start: UInt32 { get }

  /// The number of members from there on; at least 1.
  var count: UInt32 { get }

  /// Adds the cell whose members follow the members of this one; both cells have the same parent.
  mutating func add(_ next: Self)
}

extension QuadTreeNode {
  /// The indices of the cell's members.
  var range: Range<Int> { Int(start)..<Int(start) + Int(count) }
}

/// A cell that stores only the range of its members.
struct QuadTreeCell: QuadTreeNode {
  var key: UInt64
  var start: UInt32
  var count: UInt32

  mutating func add(_ next: QuadTreeCell) { count &+= next.count }
}
