import Columns

/// The vertices of a source grouped by equal position, with those at which lines and borders part.
///
/// A junction is a position whose neighbours are not the same two in all lines and rings that use
/// it, or the end of a line. Between two junctions every user of a border has the same vertices,
/// which is why arcs are simplified rather than rings (after M. Bostock's TopoJSON).
///
/// A line of one source tile is an arc by itself: all that is drawn of it follows from that tile alone.
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
    Self.setApart(&keys, parts: parts, vertexEnds: vertexEnds)
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

  /// Gives the vertices of each line of one tile places of their own, which no other line has.
  private static func setApart(
    _ keys: inout Column<UInt64>, parts: ContiguousArray<ShapePart>,
    vertexEnds: ContiguousArray<Int>
  ) {
    var start = 0
    for part in parts.indices {
      let end = vertexEnds[part]
      if parts[part] == .tileLine {
        for index in start..<end { keys[index] ^= UInt64(part + 1) &* 0x9E37_79B9_7F4A_7C15 }
      }
      start = end
    }
  }

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

  /// Makes more vertices junctions.
  ///
  /// - Parameter isJunction: whether a vertex is one; the same for all of one position.
  /// - Complexity: O(vertices).
  mutating func addJunctions(where isJunction: (Int) -> Bool) {
    for index in self.isJunction.indices where isJunction(index) { self.isJunction[index] = true }
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
