import Styling

/// The room that a label takes up: a box, or one circle of a row along a line, in device px.
package struct LabelObstacle: Hashable {
  package var left: Int
  package var top: Int
  package var right: Int
  package var bottom: Int

  /// Whether only the circle within the square counts.
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
      // All values are in half pixels, so that centres are whole numbers.
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
/// into it.
struct CollisionIndex {
  /// An obstacle in one square, and the next one there.
  private struct Entry {
    let obstacle: LabelObstacle
    let overlap: LabelOverlap
    let next: Int32
  }

  /// The binary logarithm of a square's side in device px; labels measure some tens of px.
  private static let shift = 6

  /// The side of the world, in device px.
  private let world: Int
  private var entries = ContiguousArray<Entry>()
  private var heads: [UInt64: Int32] = [:]

  init(world: Int) {
    self.world = world
  }

  /// Returns whether an obstacle meets one that it may not overlap.
  ///
  /// - Complexity: O(squares · labels in them).
  func isTaken(_ obstacle: LabelObstacle, for overlap: LabelOverlap) -> Bool {
    guard overlap != .always else { return false }
    return anyCopy(of: obstacle) { copy in
      anyKey(of: copy) { key in
        var next = heads[key] ?? -1
        while next >= 0 {
          let entry = entries[Int(next)]
          if entry.obstacle.meets(copy), !overlap.allows(entry.overlap) { return true }
          next = entry.next
        }
        return false
      }
    }
  }

  /// Marks the room of a label as taken.
  mutating func take(_ obstacle: LabelObstacle, with overlap: LabelOverlap) {
    var copies: [LabelObstacle] = []
    _ = anyCopy(of: obstacle) { copy in
      copies.append(copy)
      return false
    }
    for copy in copies {
      var keys: [UInt64] = []
      _ = anyKey(of: copy) { key in
        keys.append(key)
        return false
      }
      for key in keys {
        guard entries.count < Int(Int32.max) else { return }
        entries.append(Entry(obstacle: copy, overlap: overlap, next: heads[key] ?? -1))
        heads[key] = Int32(entries.count - 1)
      }
    }
  }

  /// Returns whether a predicate holds for the obstacle, or for its copy on the other side of the
  /// antimeridian if it reaches over.
  @inline(__always)
  private func anyCopy(of obstacle: LabelObstacle, _ body: (LabelObstacle) -> Bool) -> Bool {
    if body(obstacle) { return true }
    if obstacle.left < 0, body(obstacle.moved(x: world, y: 0, padding: 0)) { return true }
    return obstacle.right > world && body(obstacle.moved(x: -world, y: 0, padding: 0))
  }

  /// Returns whether a predicate holds for any square that an obstacle reaches into; there are none
  /// if a negative line height turns the obstacle inside out.
  @inline(__always)
  private func anyKey(of obstacle: LabelObstacle, _ body: (UInt64) -> Bool) -> Bool {
    guard obstacle.left < obstacle.right, obstacle.top < obstacle.bottom else { return false }
    for column in (obstacle.left >> Self.shift)...((obstacle.right - 1) >> Self.shift) {
      for row in (obstacle.top >> Self.shift)...((obstacle.bottom - 1) >> Self.shift) {
        let key =
          UInt64(UInt32(truncatingIfNeeded: column)) << 32 | UInt64(UInt32(truncatingIfNeeded: row))
        if body(key) { return true }
      }
    }
    return false
  }
}
