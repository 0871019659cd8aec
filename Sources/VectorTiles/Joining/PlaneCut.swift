import SpatialIndex
import Tiling

/// A cut of edges at a line of constant x or y.
enum PlaneCut {
  /// Returns the point of an edge at which its x is the given one, between those of its ends.
  ///
  /// It is rounded half up from the end that comes first in the plane, so both directions of an edge
  /// and both tiles that have it find the same point.
  static func atX(_ x: Int, _ a: WorldVertex, _ b: WorldVertex) -> WorldVertex {
    let (first, last) = a.x < b.x ? (a, b) : (b, a)
    return WorldVertex(
      x: x, y: first.y + share(last.y - first.y, of: x - first.x, in: last.x - first.x))
  }

  /// Returns the point of an edge at which its y is the given one, as ``atX(_:_:_:)``.
  static func atY(_ y: Int, _ a: WorldVertex, _ b: WorldVertex) -> WorldVertex {
    let (first, last) = a.y < b.y ? (a, b) : (b, a)
    return WorldVertex(
      x: first.x + share(last.x - first.x, of: y - first.y, in: last.y - first.y), y: y)
  }

  /// Returns `length · part / whole`, rounded half up; 0 ≤ part ≤ whole and whole > 0.
  private static func share(_ length: Int, of part: Int, in whole: Int) -> Int {
    let doubled = 2 * Int128(length) * Int128(part) + Int128(whole)
    let (quotient, remainder) = doubled.quotientAndRemainder(dividingBy: 2 * Int128(whole))
    return Int(quotient) - (remainder < 0 ? 1 : 0)
  }
}

/// A cutter of rings to a box, borders included, by the algorithm of Sutherland and Hodgman.
///
/// A ring that leaves the box and comes back runs along the border in between, possibly to and fro;
/// ``BorderCoverage`` takes such runs away.
struct RingCutter {
  /// The ring: the vertices that are given, then those that are left of it. Neighbours differ.
  var ring = ContiguousArray<WorldVertex>()

  private var other = ContiguousArray<WorldVertex>()

  /// Cuts ``ring`` to a box; nothing may be left.
  ///
  /// - Complexity: O(vertices).
  mutating func cut(to box: PlaneBox) {
    cut({ $0.x >= box.minX }, { PlaneCut.atX(box.minX, $0, $1) })
    cut({ $0.x <= box.maxX }, { PlaneCut.atX(box.maxX, $0, $1) })
    cut({ $0.y >= box.minY }, { PlaneCut.atY(box.minY, $0, $1) })
    cut({ $0.y <= box.maxY }, { PlaneCut.atY(box.maxY, $0, $1) })
  }

  private mutating func cut(
    _ isInside: (WorldVertex) -> Bool, _ crossing: (WorldVertex, WorldVertex) -> WorldVertex
  ) {
    guard var previous = ring.last else { return }
    other.removeAll(keepingCapacity: true)
    var wasInside = isInside(previous)
    for vertex in ring {
      let isIn = isInside(vertex)
      if isIn != wasInside { append(crossing(previous, vertex)) }
      if isIn { append(vertex) }
      (previous, wasInside) = (vertex, isIn)
    }
    while other.count > 1, other.last == other.first { other.removeLast() }
    swap(&ring, &other)
  }

  private mutating func append(_ vertex: WorldVertex) {
    if other.last != vertex { other.append(vertex) }
  }
}
