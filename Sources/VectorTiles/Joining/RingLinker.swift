import SpatialIndex

/// A linker of parts of rings, each of which begins where another ends, to whole rings.
struct RingLinker {
  private var vertices = ContiguousArray<WorldVertex>()
  private var ends = ContiguousArray<Int>()

  /// The parts by the vertex at which they begin: the first of each, and the next with the same.
  private var firsts: [WorldVertex: Int] = [:]
  private var nexts = ContiguousArray<Int>()

  init() {}

  /// Forgets all parts.
  mutating func removeAll() {
    vertices.removeAll(keepingCapacity: true)
    ends.removeAll(keepingCapacity: true)
    firsts.removeAll(keepingCapacity: true)
    nexts.removeAll(keepingCapacity: true)
  }

  var isEmpty: Bool { ends.isEmpty }

  /// Appends a part of at least two vertices, of which the first and the last may be moved.
  mutating func append(
    _ part: some Collection<WorldVertex>, start: WorldVertex, end: WorldVertex
  ) {
    vertices.append(start)
    vertices.append(contentsOf: part.dropFirst().dropLast())
    vertices.append(end)
    ends.append(vertices.count)
  }

  /// Passes on the rings, each without repeated neighbours and with at least three vertices.
  ///
  /// A ring ends as soon as it comes back to its beginning. One that finds no part to go on with is
  /// closed by an edge.
  /// - Complexity: O(vertices).
  mutating func forEachRing(_ body: (ContiguousArray<WorldVertex>) -> Void) {
    nexts = ContiguousArray(repeating: -1, count: ends.count)
    for part in ends.indices.reversed() {
      let start = vertices[range(part).lowerBound]
      nexts[part] = firsts[start] ?? -1
      firsts[start] = part
    }
    var isUsed = [Bool](repeating: false, count: ends.count)
    for first in ends.indices where !isUsed[first] {
      var ring = ContiguousArray<WorldVertex>()
      var part = first
      let start = vertices[range(first).lowerBound]
      while part >= 0 {
        isUsed[part] = true
        for vertex in vertices[range(part)] where ring.last != vertex { ring.append(vertex) }
        guard let last = ring.last, last != start else { break }
        part = next(at: last, isUsed)
      }
      while ring.count > 1, ring.last == ring.first { ring.removeLast() }
      if ring.count > 2 { body(ring) }
    }
  }

  /// Returns the first unused part that begins at a vertex; −1 if there is none.
  private mutating func next(at vertex: WorldVertex, _ isUsed: [Bool]) -> Int {
    var part = firsts[vertex] ?? -1
    while part >= 0, isUsed[part] { part = nexts[part] }
    firsts[vertex] = part
    return part
  }

  private func range(_ part: Int) -> Range<Int> {
    (part == 0 ? 0 : ends[part - 1])..<ends[part]
  }
}
