import Columns

/// The vertices of a source grouped by position, and the junctions at which lines and borders
/// part.
///
/// A junction is the end of a line, or a position whose two neighbours are not the same in all
/// lines and rings that pass through it. Between two junctions all shapes that share a border have
/// the same vertices; therefore arcs are simplified, not rings (after M. Bostock's TopoJSON).
struct ShapeTopology {
  /// The numbers of all vertices; those of one position are adjacent and ascending.
  private let order: Column<UInt32>

  /// The end of each position's vertices in ``order``.
  private var placeEnds = ContiguousArray<Int>()

  /// Whether a vertex is a junction.
  private(set) var isJunction: ContiguousArray<Bool>

  /// Creates the topology by grouping all vertices by position.
  ///
  /// - Complexity: O(vertices), 41 bytes of scratch for each.
  init(
    _ vertices: ContiguousArray<WorldVertex>, parts: ContiguousArray<ShapePart>,
    vertexEnds: ContiguousArray<Int>
  ) {
    precondition(vertices.count < UInt32.max, "vertices are numbered with 32 bits")
    var keys = Column<UInt64>(uninitializedCount: vertices.count)
    for index in vertices.indices { keys[index] = vertices[index].placeHash }
    let links = Self.links(keys, parts: parts, vertexEnds: vertexEnds)
    var order = Column(0..<UInt32(truncatingIfNeeded: vertices.count))
    var sorter = RadixSorter()
    sorter.sort(&keys, &order)
    isJunction = ContiguousArray(repeating: false, count: vertices.count)
    var start = 0
    while start < order.count {
      var end = start + 1
      let link = links[Int(order[start])]
      var isParting = link == Self.endOfLine
      while end < order.count, keys[end] == keys[start] {
        isParting = isParting || links[Int(order[end])] != link
        end += 1
      }
      if isParting { for place in start..<end { isJunction[Int(order[place])] = true } }
      placeEnds.append(end)
      start = end
    }
    self.order = order
  }

  private static let endOfLine: UInt64 = 0

  /// Returns a hash of each vertex's two neighbours that does not depend on the direction of the
  /// line.
  private static func links(
    _ hashes: Column<UInt64>, parts: ContiguousArray<ShapePart>,
    vertexEnds: ContiguousArray<Int>
  ) -> ContiguousArray<UInt64> {
    var links = ContiguousArray<UInt64>(uninitializedCount: hashes.count)
    var start = 0
    for part in parts.indices {
      let end = vertexEnds[part]
      for index in start..<end {
        let before = index > start ? hashes[index - 1] : hashes[end - 1]
        let after = index + 1 < end ? hashes[index + 1] : hashes[start]
        links[index] = (before &+ after) | 1
      }
      if !parts[part].isRing {
        links[start] = endOfLine
        links[end - 1] = endOfLine
      }
      start = end
    }
    return links
  }

  /// Assigns the greatest value of the vertices at one position to all of them.
  ///
  /// - Complexity: O(vertices).
  func level(_ values: inout ContiguousArray<Float>) {
    var start = 0
    for end in placeEnds {
      if end - start > 1 {
        var greatest: Float = 0
        for place in start..<end { greatest = max(greatest, values[Int(order[place])]) }
        for place in start..<end { values[Int(order[place])] = greatest }
      }
      start = end
    }
  }
}
