package import Tiling

extension QuadTree {
  /// Appends the indices of all points in a box, edges included, to the caller's buffer.
  ///
  /// A box with `west > east` crosses the antimeridian. Indices come in Morton order of their
  /// points, ascending among coincident ones, each once; that order depends on nothing else.
  ///
  /// - Complexity: O(height + answer), plus the leaves cut by the box's edge.
  package func points(in box: WorldBox, into found: inout ContiguousArray<UInt32>) {
    guard box.north <= box.south else { return }
    collect(BoxRegion(box: box), into: &found)
  }

  /// Appends the indices of all points within a distance of a centre to the caller's buffer.
  ///
  /// The distance is Euclidean in the Mercator square and wraps at the antimeridian; points at
  /// exactly the radius belong. The order is that of ``points(in:into:)``.
  ///
  /// - Parameter radius: in world units, 2⁻³² of the world's width; nothing is found if it is
  ///   negative or not a number.
  /// - Complexity: O(height + answer), plus the leaves cut by the circle.
  package func points(
    within radius: Double, of center: WorldPoint, into found: inout ContiguousArray<UInt32>
  ) {
    guard let disc = DiscRegion(center: center, radius: radius) else { return }
    collect(disc, into: &found)
  }

  private func collect(_ region: some QuadRegion, into found: inout ContiguousArray<UInt32>) {
    guard !nodes.isEmpty else { return }
    // Every level leaves at most three siblings waiting, and there are 33 levels.
    withUnsafeTemporaryAllocation(of: UInt32.self, capacity: 4 * (Self.maxDepth + 1)) { waiting in
      waiting[0] = 0
      var depth = 1
      while depth > 0 {
        depth -= 1
        let node = nodes[Int(waiting[depth])]
        let range = node.range
        switch region.relation(to: node.cell(around: points[range.lowerBound])) {
        case .outside: continue
        case .inside: found.append(contentsOf: indices[range])
        case .partial where node.childCount == 0:
          for place in range where region.contains(points[place]) {
            found.append(indices[place])
          }
        case .partial:
          for child in (0..<UInt32(node.childCount)).reversed() {
            waiting[depth] = node.firstChild + child
            depth += 1
          }
        }
      }
    }
  }
}
