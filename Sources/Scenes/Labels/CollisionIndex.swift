import Columns
import Styling

/// The room that a label takes up: a box, or one of a row of circles along a line. Around the
/// label's anchor it is in device px, in the world in 1/16 device px.
package struct LabelObstacle: Hashable {
  package var left: Int
  package var top: Int
  package var right: Int
  package var bottom: Int

  /// Whether the room is only the circle within the square.
  package var isCircle = false

  /// Returns the obstacle moved, and grown on all sides.
  func moved(x: Int, y: Int, padding: Int) -> LabelObstacle {
    LabelObstacle(
      left: left + x - padding, top: top + y - padding, right: right + x + padding,
      bottom: bottom + y + padding, isCircle: isCircle)
  }

  /// Returns whether two obstacles have an area in common.
  func meets(_ other: LabelObstacle) -> Bool {
    guard left < other.right, other.left < right, top < other.bottom, other.top < bottom else {
      return false
    }
    switch (isCircle, other.isCircle) {
    case (false, false): return true
    case (true, false): return reaches(other)
    case (false, true): return other.reaches(self)
    case (true, true):
      // In half units, so that centres are whole numbers.
      let dx = left + right - other.left - other.right
      let dy = top + bottom - other.top - other.bottom
      let reach = right - left + other.right - other.left
      return dx * dx + dy * dy < reach * reach
    }
  }

  /// Returns whether this circle covers a part of a box.
  private func reaches(_ box: LabelObstacle) -> Bool {
    let (x, y) = (left + right, top + bottom)
    let dx = x - min(max(x, 2 * box.left), 2 * box.right)
    let dy = y - min(max(y, 2 * box.top), 2 * box.bottom)
    return dx * dx + dy * dy < (right - left) * (right - left)
  }
}

/// The room that labels have taken in the world of one zoom.
///
/// The index is a hash table of squares of the world; each square chains the obstacles that reach
/// into it. Both lie in columns, since there may be as many labels as points.
struct CollisionIndex {
  /// An obstacle in one square, and the next one there.
  private struct Entry: BitwiseCopyable {
    /// The sides of the obstacle from the corner of the square, in 1/16 device px.
    let left: Int32
    let top: Int32
    let right: Int32
    let bottom: Int32
    /// The number of the next entry of the square; −1 for none.
    let next: Int32
    let isCircle: Bool
    /// Whether the padding of a label does not count.
    let isBare: Bool
    let overlap: LabelOverlap

    init(
      _ obstacle: LabelObstacle, in square: Square, _ overlap: LabelOverlap, isBare: Bool,
      next: Int32
    ) {
      left = Int32(clamping: obstacle.left - square.left)
      top = Int32(clamping: obstacle.top - square.top)
      right = Int32(clamping: obstacle.right - square.left)
      bottom = Int32(clamping: obstacle.bottom - square.top)
      isCircle = obstacle.isCircle
      self.isBare = isBare
      self.overlap = overlap
      self.next = next
    }

    /// The obstacle, in 1/16 device px from the corner of its square.
    var obstacle: LabelObstacle {
      LabelObstacle(
        left: Int(left), top: Int(top), right: Int(right), bottom: Int(bottom),
        isCircle: isCircle)
    }
  }

  /// A square of the world.
  private struct Square {
    let column: Int
    let row: Int

    var left: Int { column << CollisionIndex.shift }
    var top: Int { row << CollisionIndex.shift }
    var key: UInt64 {
      UInt64(UInt32(truncatingIfNeeded: column)) << 32 | UInt64(UInt32(truncatingIfNeeded: row))
    }
  }

  /// The base-2 logarithm of a square's side in 1/16 px: 64 px. Labels measure some tens of px.
  private static let shift = 10

  /// The side of the world, in 1/16 device px.
  private let world: Int
  private var entries: Column<Entry>
  private var heads: SquareTable

  /// - Parameter scratch: decides where the index lies; `nil` for memory.
  init(world: Int, in scratch: Scratch? = nil) {
    self.world = world
    entries = Column(in: scratch)
    heads = SquareTable(in: scratch)
  }

  /// Returns whether an obstacle meets a placed one that it may not overlap.
  ///
  /// - Parameter padding: the distance in it that does not count for the drawn circles of features.
  /// - Complexity: O(squares · labels in them).
  func isTaken(_ obstacle: LabelObstacle, padding: Int = 0, for overlap: LabelOverlap) -> Bool {
    guard overlap != .always else { return false }
    return anySquare(of: obstacle) { copy, square in
      var next = heads[square.key] ?? -1
      guard next >= 0 else { return false }
      let moved = copy.moved(x: -square.left, y: -square.top, padding: 0)
      while next >= 0 {
        let entry = entries[Int(next)]
        let own = entry.isBare ? moved.moved(x: 0, y: 0, padding: -padding) : moved
        if entry.obstacle.meets(own), !overlap.allows(entry.overlap) { return true }
        next = entry.next
      }
      return false
    }
  }

  /// Marks the room of a label, or of the drawn circle of a feature, as taken.
  mutating func take(
    _ obstacle: LabelObstacle, with overlap: LabelOverlap, isBare: Bool = false
  ) {
    var reached: [(LabelObstacle, Square)] = []
    _ = anySquare(of: obstacle) { copy, square in
      reached.append((copy, square))
      return false
    }
    for (copy, square) in reached {
      guard entries.count < Int(Int32.max) else { return }
      entries.append(
        Entry(copy, in: square, overlap, isBare: isBare, next: heads[square.key] ?? -1))
      heads.set(Int32(entries.count - 1), for: square.key)
    }
  }

  /// Returns whether `body` holds for any square that the obstacle covers in part. If the obstacle
  /// crosses the antimeridian, its copy on the other side counts, too.
  @inline(__always)
  private func anySquare(
    of obstacle: LabelObstacle, _ body: (LabelObstacle, Square) -> Bool
  ) -> Bool {
    if anySquare(under: obstacle, body) { return true }
    if obstacle.left < 0, anySquare(under: obstacle.moved(x: world, y: 0, padding: 0), body) {
      return true
    }
    return obstacle.right > world
      && anySquare(under: obstacle.moved(x: -world, y: 0, padding: 0), body)
  }

  /// Returns whether `body` holds for any square under an obstacle. A negative line height turns
  /// an obstacle inside out; it then covers no square.
  @inline(__always)
  private func anySquare(
    under obstacle: LabelObstacle, _ body: (LabelObstacle, Square) -> Bool
  ) -> Bool {
    guard obstacle.left < obstacle.right, obstacle.top < obstacle.bottom else { return false }
    for column in (obstacle.left >> Self.shift)...((obstacle.right - 1) >> Self.shift) {
      for row in (obstacle.top >> Self.shift)...((obstacle.bottom - 1) >> Self.shift) {
        if body(obstacle, Square(column: column, row: row)) { return true }
      }
    }
    return false
  }
}
