/// What a ``LinearQuadTree`` keeps of an occupied cell.
protocol QuadTreeNode: BitwiseCopyable, Sendable {
  /// The Morton code of the cell's column and row.
  var key: UInt64 { get set }

  /// The place of the cell's first member among ``LinearQuadTree/members``.
  var start: UInt32 { get }

  /// How many members follow from there; at least 1.
  var count: UInt32 { get }

  /// Takes in the cell whose members follow on this one's: both are of one parent.
  mutating func add(_ next: Self)
}

extension QuadTreeNode {
  /// The places of the cell's members.
  var range: Range<Int> { Int(start)..<Int(start) + Int(count) }
}

/// A cell of which nothing is known but its members.
struct QuadTreeCell: QuadTreeNode {
  var key: UInt64
  var start: UInt32
  var count: UInt32

  mutating func add(_ next: QuadTreeCell) { count &+= next.count }
}
